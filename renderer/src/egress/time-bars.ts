// Counts attempts by time for the small chart. Pure.
import type { LoggedAttempt } from '../../../sandbox-engine/contract/model.ts';

export interface TimeBar {
  fromMs: number;
  allowed: number;
  blocked: number;
}

export interface TimeBars {
  bars: TimeBar[];
  /** How long one bar is. */
  stepMs: number;
  most: number;
}

const steps = [1_000, 5_000, 15_000, 60_000, 300_000, 900_000, 3_600_000, 10_800_000, 43_200_000, 86_400_000, 604_800_000];

/** Bars over the time from the oldest of these attempts to the newest, at most `count` of them, on round times. */
export const timeBars = (attempts: readonly Pick<LoggedAttempt, 'at' | 'verdict' | 'count'>[], count: number): TimeBars | null => {
  const times = attempts.map(({ at }) => Date.parse(at));
  if (times.length === 0) return null;
  const [first, last] = times.reduce(([low, high], time) => [Math.min(low, time), Math.max(high, time)], [
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ] as [number, number]);
  const stepMs = steps.find((step) => Math.floor(last / step) - Math.floor(first / step) < count) ?? Math.ceil((last - first + 1) / count);
  const from = Math.floor(first / stepMs);
  const bars = Array.from(
    { length: Math.max(1, Math.floor(last / stepMs) - from + 1) },
    (_, at): TimeBar => ({ fromMs: (from + at) * stepMs, allowed: 0, blocked: 0 }),
  );
  for (const [index, { verdict, count: times_ }] of attempts.entries()) {
    const bar = bars[Math.floor((times[index] ?? 0) / stepMs) - from];
    if (bar) bar[verdict] += times_;
  }
  return { bars, stepMs, most: Math.max(...bars.map(({ allowed, blocked }) => allowed + blocked)) };
};
