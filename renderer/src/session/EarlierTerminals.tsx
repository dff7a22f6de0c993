// Terminals of a sandbox as it was before its newest start: out of the way of those that run, and read again from here.
import { Button, Menu } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import type { Terminal } from '../../../sandbox-engine/contract/model.ts';
import { clockTime } from '../ui/format.ts';

interface EarlierTerminalsProps {
  /** Oldest first. */
  terminals: readonly Terminal[];
  titleOf: (terminal: Terminal) => string;
  onPick: (id: string) => void;
}

/** The menu; nothing while there is none. */
export const EarlierTerminals = ({ terminals, titleOf, onPick }: EarlierTerminalsProps) => {
  if (terminals.length === 0) return null;
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button variant="subtle" size="compact-xs" leftSection={<IconHistory size={14} />} title="From before the newest start, to be read">
          Earlier terminals: {terminals.length}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
        <Menu.Label>From before the newest start, to be read</Menu.Label>
        {terminals.toReversed().map((terminal) => (
          <Menu.Item key={terminal.id} onClick={() => onPick(terminal.id)}>
            {titleOf(terminal)} <span className="faint">{terminal.ended_at && `ended at ${clockTime(terminal.ended_at)}`}</span>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
};
