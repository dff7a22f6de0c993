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
  /** Of the element that says the obstacle already. */
  saidAt?: string;
  onLaunch: () => void;
}

const labelOf = ({ name, obstacle, saidAt }: LaunchButtonProps): string =>
  obstacle === null || saidAt !== undefined ? `Launch ${name}` : `Launch ${name}. Not possible now: ${obstacle}`;

/** One click to a session. When that is not possible it stays reachable by keyboard and says why, where nothing beside it does. */
export const LaunchButton = (props: LaunchButtonProps) => {
  const { obstacle, isBusy, variant = 'filled', focus, saidAt, onLaunch } = props;
  return (
    <Tooltip label={obstacle ?? 'Start a session'} multiline maw={280} disabled={obstacle !== null && saidAt !== undefined}>
      <Button
        variant={variant}
        {...focus}
        loading={isBusy}
        leftSection={<IconPlayerPlay size={14} />}
        aria-label={labelOf(props)}
        {...(obstacle !== null && { 'data-disabled': true, 'aria-describedby': saidAt })}
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
};
