// What one bench hands back: two medians of the same work, taken in turns in one run. Only their ratio is ever written down.

export interface Ratio {
  /** The row of the table, in words. */
  what: string;
  /** Medians in one unit; which unit does not matter, since only the ratio is kept. */
  ours: number;
  baseline: number;
  /** What stands at the other end, in words; a fixed limit of the specification is a baseline as well. */
  against: string;
  /** The bound of the specification on ours / baseline; none where the row only explains another one. */
  bound: { kind: 'at most' | 'at least'; ratio: number } | null;
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
export const holds = ({ ours, baseline, bound }: Ratio): boolean => {
  if (bound === null) return true;
  return bound.kind === 'at most' ? ours / baseline <= bound.ratio : ours / baseline >= bound.ratio;
};

/** Runs every contender once a round, in turns, the first turn of a round moving on; the first round only warms up. Answers medians. */
export const measureInTurns = async <Name extends string>(
  rounds: number,
  contenders: Record<Name, () => Promise<number>>,
): Promise<Record<Name, number>> => {
  const names = Object.keys(contenders) as Name[];
  const samples = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = 0; round <= rounds; round += 1) {
    for (let turn = 0; turn < names.length; turn += 1) {
      const name = names[(round + turn) % names.length] as Name;
      const sample = await contenders[name]();
      if (round > 0) samples[name].push(sample);
    }
  }
  if (process.env['SANDLOT_BENCH_SAMPLES'] !== undefined) process.stderr.write(`${JSON.stringify(samples)}\n`);
  return Object.fromEntries(names.map((name) => [name, median(samples[name])])) as Record<Name, number>;
};
