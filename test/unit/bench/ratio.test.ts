import { expect, test } from 'vitest';
import { holds, median } from '../../bench/ratio.ts';

test.each([
  [[3, 1, 2], 2],
  [[4, 1, 3, 2], 2.5],
  [[7], 7],
  [[], Number.NaN],
])('the median of %j is %d', (samples, expected) => {
  expect(median(samples)).toBe(expected);
});

test.each([
  ['at most', 13, true],
  ['at most', 13.1, false],
  ['at least', 13, true],
  ['at least', 12.9, false],
  ['at most', Number.NaN, false],
  ['at least', Number.NaN, false],
] as const)('%s 1.3 of a baseline of 10: %d holds is %s', (kind, ours, expected) => {
  expect(holds({ what: '', against: '', ours, baseline: 10, bound: { kind, ratio: 1.3 } })).toBe(expected);
});
