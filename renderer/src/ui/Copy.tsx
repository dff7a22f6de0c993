// Things to copy: an id inside a text, or a command that mends something.
import { ActionIcon, Tooltip } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import type { RowPart } from './RowList.tsx';

interface CopyTextProps {
  value: string;
  shown?: string;
  label: string;
  /** Where it is in a row of a list. */
  focus?: RowPart;
}

/** A short text in code type that is copied by a click. */
export const CopyText = ({ value, shown, label, focus }: CopyTextProps) => {
  const clipboard = useClipboard({ timeout: 1500 });
  return (
    <button
      type="button"
      className="copy mono"
      {...focus}
      title={clipboard.copied ? 'Copied' : `Copy ${value}`}
      aria-label={`${shown ?? value}, copy ${label}`}
      onClick={(event) => {
        event.stopPropagation();
        clipboard.copy(value);
      }}
    >
      <span className="clip">{shown ?? value}</span>
      {clipboard.copied ? <IconCheck size={12} aria-hidden="true" /> : <IconCopy size={12} aria-hidden="true" />}
    </button>
  );
};

/** A whole command with a copy button. */
export const CopyCommand = ({ command }: { command: string }) => {
  const clipboard = useClipboard({ timeout: 1500 });
  return (
    <div className="command">
      <code>{command}</code>
      <Tooltip label={clipboard.copied ? 'Copied' : 'Copy'}>
        <ActionIcon size="sm" aria-label={`Copy command ${command}`} onClick={() => clipboard.copy(command)}>
          {clipboard.copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
        </ActionIcon>
      </Tooltip>
    </div>
  );
};
