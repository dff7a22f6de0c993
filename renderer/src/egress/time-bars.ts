// Counts attempts by time for the small chart. Pure.
import type { LoggedAttempt } from '../../../sandbox-engine/contract/model.ts';
import { outcomeOf } from '../ui/egress-outcome.ts';

export interface TimeBar {
  fromMs: number;
  allowed: number;
  blocked: number;
  failed: number;
}

export interface TimeBars {
  bars: TimeBar[];
  /** How long one bar is. */
  stepMs: number;
  most: number;
}

/** Bars at least, however short the time is. */
const fewest = 24;

const steps = [1_000, 5_000, 15_000, 60_000, 300_000, 900_000, 3_600_000, 10_800_000, 43_200_000, 86_400_000, 604_800_000];

/** Bars over the time from the oldest of these attempts to the newest, at most `count` of them, on round times. */
export const timeBars = (
  attempts: readonly Pick<LoggedAttempt, 'at' | 'verdict' | 'reason' | 'count'>[],
  count: number,
): TimeBars | null => {
  const times = attempts.map(({ at }) => Date.parse(at));
  if (times.length === 0) return null;
  const [first, last] = times.reduce(([low, high], time) => [Math.min(low, time), Math.max(high, time)], [
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ] as [number, number]);
  const stepMs = steps.find((step) => Math.floor(last / step) - Math.floor(first / step) < count) ?? Math.ceil((last - first + 1) / count);
  const to = Math.floor(last / stepMs);
  // Of a short while the newest stands at the right end, and what came before is empty.
  const from = Math.min(Math.floor(first / stepMs), to - Math.min(fewest, count) + 1);
  const bars = Array.from(
    { length: to - from + 1 },
    (_, at): TimeBar => ({ fromMs: (from + at) * stepMs, allowed: 0, blocked: 0, failed: 0 }),
  );
  for (const [index, { verdict, reason, count: times_ }] of attempts.entries()) {
    const bar = bars[Math.floor((times[index] ?? 0) / stepMs) - from];
    if (bar) bar[outcomeOf({ verdict, reason })] += times_;
  }
  return { bars, stepMs, most: Math.max(...bars.map(({ allowed, blocked, failed }) => allowed + blocked + failed)) };
};
