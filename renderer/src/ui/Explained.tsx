import { Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';

interface ExplainedProps {
  /** What the words mean; each line is one of its own. */
  meaning: string;
  children: ReactNode;
}

/** Words with what they mean behind them: read where the mouse rests, where the focus is, and where a finger presses. */
export const Explained = ({ meaning, children }: ExplainedProps) => (
  <Tooltip
    label={<span className="explained-meaning">{meaning}</span>}
    multiline
    maw={320}
    events={{ hover: true, focus: true, touch: true }}
  >
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what it means must be reachable by keyboard */}
    <span className="explained" tabIndex={0}>
      {children}
    </span>
  </Tooltip>
);
