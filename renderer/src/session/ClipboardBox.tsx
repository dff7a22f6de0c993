// Who may read whose clipboard, and the way by hand.
import { ActionIcon, Button, Popover, Switch, Textarea, Tooltip } from '@mantine/core';
import { IconClipboard, IconClipboardCheck } from '@tabler/icons-react';
import { useState } from 'react';
import type { SharedClipboard } from './use-shared-clipboard.ts';

interface ClipboardBoxProps {
  clipboard: SharedClipboard;
  isConnected: boolean;
  /** False in full screen, where what hangs at the page's end is not seen. */
  withinPortal: boolean;
}

/** A button with the box behind it. */
export const ClipboardBox = ({ clipboard, isConnected, withinPortal }: ClipboardBoxProps) => {
  const [text, setText] = useState('');
  const { isShared, share, theirs, trouble, paste } = clipboard;
  return (
    <Popover width={320} position="bottom-end" withArrow trapFocus withinPortal={withinPortal}>
      <Popover.Target>
        <Tooltip withinPortal={withinPortal} label={isShared ? 'The clipboard is shared' : 'Clipboard'}>
          <ActionIcon aria-label="Clipboard" aria-pressed={isShared} disabled={!isConnected}>
            {isShared ? <IconClipboardCheck size={16} /> : <IconClipboard size={16} />}
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown>
        <div className="stack" style={{ gap: 10 }}>
          <Switch
            label="Share the clipboard with this desktop"
            description="Text goes both ways: whatever runs in the sandbox can then read what you copy. Ends when you leave this page."
            checked={isShared}
            onChange={(event) => share(event.currentTarget.checked)}
          />
          {trouble !== null && <span className="faint">{trouble}</span>}
          <Textarea
            label="Send a text"
            placeholder="Then paste it over there"
            minRows={2}
            autosize
            maxRows={6}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <Button
            variant="default"
            disabled={text === ''}
            onClick={() => {
              paste(text);
              setText('');
            }}
          >
            Send to the desktop
          </Button>
          <Textarea
            label="Copied over there"
            placeholder="Nothing yet"
            readOnly
            minRows={2}
            autosize
            maxRows={6}
            value={theirs ?? ''}
            onFocus={(event) => event.currentTarget.select()}
          />
        </div>
      </Popover.Dropdown>
    </Popover>
  );
};
