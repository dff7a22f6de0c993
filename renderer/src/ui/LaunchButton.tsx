import { Button, Tooltip } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import type { RowPart } from './RowList.tsx';

interface LaunchButtonProps {
  name: string;
  /** Why it cannot be launched now; null when it can. */
  obstacle: string | null;
  isBusy: boolean;
  variant?: 'filled' | 'default' | 'subtle';
  /** Where it is in a row of a list. */
  focus?: RowPart;
  onLaunch: () => void;
}

/** One click to a session. When that is not possible it stays reachable by keyboard and says why. */
export const LaunchButton = ({ name, obstacle, isBusy, variant = 'filled', focus, onLaunch }: LaunchButtonProps) => (
  <Tooltip label={obstacle ?? 'Start a session'} multiline maw={280}>
    <Button
      variant={variant}
      {...focus}
      loading={isBusy}
      leftSection={<IconPlayerPlay size={14} />}
      aria-label={obstacle ? `Launch ${name}. Not possible now: ${obstacle}` : `Launch ${name}`}
      {...(obstacle !== null && { 'data-disabled': true })}
      aria-disabled={obstacle !== null}
      onClick={(event) => {
        event.preventDefault();
        event.stopPropagation();
        if (!obstacle) onLaunch();
      }}
    >
      Launch
    </Button>
  </Tooltip>
);
