// Turns samples into the lines of a small chart: ten minutes wide, as high as what it shows, or as its limit where that is near. Pure.
import type { UsageSample } from '../../../sandbox-engine/contract/model.ts';

export type UsageKey = Exclude<keyof UsageSample, 'at'>;

export const chartSize = { width: 600, height: 96 } as const;
const spanMs = 600_000;
/** Between two samples that are further apart nobody looked. */
const gapMs = 6_000;

/** The top of the scale: the limit when the values come near it, else a little more than the highest value. */
export const topOf = (values: readonly number[], limit: number | null, least: number): number => {
  const most = Math.max(least, ...values);
  return limit !== null && most > limit / 4 ? Math.max(limit * 1.04, most * 1.04) : most * 1.25;
};

const at = (sample: UsageSample, now: number): number => chartSize.width * (1 - (now - Date.parse(sample.at)) / spanMs);
const high = (value: number, top: number): number => chartSize.height * (1 - value / top);

/** Pieces of a line, as coordinates for a polyline; where nobody looked there is none. */
export const linesOf = (samples: readonly UsageSample[], key: UsageKey, top: number, now: number): string[] => {
  const lines: string[][] = [];
  let before = Number.NEGATIVE_INFINITY;
  for (const sample of samples) {
    const value = sample[key];
    const time = Date.parse(sample.at);
    if (value === null || now - time > spanMs) continue;
    if (time - before > gapMs) lines.push([]);
    lines.at(-1)?.push(`${at(sample, now).toFixed(1)},${high(value, top).toFixed(1)}`);
    before = time;
  }
  return lines.filter((line) => line.length > 0).map((line) => line.join(' '));
};

/** The newest value, and the highest. */
export const summaryOf = (samples: readonly UsageSample[], key: UsageKey): { last: number | null; most: number | null } => {
  const values = samples.map((sample) => sample[key]).filter((value) => value !== null);
  return { last: values.at(-1) ?? null, most: values.length === 0 ? null : Math.max(...values) };
};
