// What each sandbox may have so that all together have no more than there is.
import { expect, test } from 'vitest';
import { levelOf } from '../../../sandbox-engine/egress/backlog.ts';

test.each([
  ['nobody', [], Number.POSITIVE_INFINITY],
  ['one with little', [99], Number.POSITIVE_INFINITY],
  ['one with too much', [101], 100],
  ['one with too much beside one with little', [10, 1_000], 90],
  ['two with too much beside one with little', [900, 20, 1_000], 40],
  ['many with just enough', [25, 25, 25, 25], Number.POSITIVE_INFINITY],
  ['many with a little too much', [26, 26, 26, 26], 25],
])('%s', (_who, amounts, level) => {
  expect(levelOf(amounts, 100)).toBe(level);
});
