import { Kbd } from '@mantine/core';

const isMac = navigator.platform.startsWith('Mac');

/** Keys as they are printed on this machine; `mod` is Ctrl or Cmd. */
export const Shortcut = ({ keys }: { keys: readonly string[] }) => (
  <span className="row" style={{ gap: 3 }} aria-hidden="true">
    {keys.map((key) => (
      <Kbd key={key} size="xs">
        {key === 'mod' ? (isMac ? '⌘' : 'Ctrl') : key}
      </Kbd>
    ))}
  </span>
);
