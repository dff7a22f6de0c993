// What one bench hands back: two medians of the same work, taken in turns in one run. Only their ratio is ever written down.

export interface Ratio {
  /** The row of the table, in words. */
  what: string;
  /** Medians in one unit; which unit does not matter, since only the ratio is kept. */
  ours: number;
  baseline: number;
  /** What stands at the other end, in words. */
  against: string;
  /** The bound of the specification on ours / baseline. */
  bound: { kind: 'at most' | 'at least'; ratio: number };
}

/** A bench: opens what it needs, measures, closes it. */
export type Bench = () => Promise<Ratio[]>;

/** The middle of the samples; the mean of the two middle ones where their count is even. */
export const median = (samples: readonly number[]): number => {
  const sorted = [...samples].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
};

/** Whether the bound holds; a ratio that is not a number holds nothing. */
export const holds = ({ ours, baseline, bound }: Ratio): boolean =>
  bound.kind === 'at most' ? ours / baseline <= bound.ratio : ours / baseline >= bound.ratio;
