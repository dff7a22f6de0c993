// Adds up how long the script spent on each marked line.
import type { Clock } from '../base/clock.ts';
import type { SetupRun } from '../contract/model.ts';

/** Makes the sums of one run; a line is over when the next begins. */
export const createLineTimes = (clock: Clock) => {
  const sums = new Map<number, { duration: number; count: number }>();
  let now: { line: number; since: number } | null = null;
  const end = (): void => {
    if (now === null) return;
    const sum = sums.get(now.line) ?? { duration: 0, count: 0 };
    sums.set(now.line, { duration: sum.duration + clock.monotonic() - now.since, count: sum.count + 1 });
    now = null;
  };
  return {
    begin: (line: number): void => {
      end();
      now = { line, since: clock.monotonic() };
    },
    end,
    all: (): SetupRun['line_times'] =>
      [...sums].map(([line, { duration, count }]) => ({ line, duration_ms: Math.round(duration * 10) / 10, count })),
  };
};
