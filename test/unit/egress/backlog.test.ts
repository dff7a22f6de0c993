// What each sandbox may have so that all together have no more than there is, and since when a connection stands still.
import { expect, test } from 'vitest';
import { followWays, levelOf, partOfEach, type Ways } from '../../../sandbox-engine/egress/backlog.ts';

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

test.each([
  ['200 busy tunnels keep buffers that they can be fast with', 200, 1_335_499],
  ['thousands of connections have the least', 5_000, 256 * 1024],
])('%s', (_who, connections, bytes) => {
  expect(partOfEach(256 * 1024 * 1024, connections)).toBe(bytes);
});

const million = 1_000_000;
/** Looks once a second for ten seconds while a million bytes wait each way, so much moves in a second, and says since when it stands still. */
const sinceAfterTen = (moved: { down: number; up: number }, waiting = { down: million, up: million }): number => {
  let ways: Ways | undefined;
  for (let second = 0; second <= 10; second += 1) {
    ways = followWays(ways, waiting, { down: moved.down * second, up: moved.up * second }, second);
  }
  return ways?.since ?? Number.NaN;
};

test.each([
  ['nothing moves', { down: 0, up: 0 }, 0],
  ['a little moves, to seem alive', { down: 50_000, up: 50_000 }, 0],
  ['what is sent moves, what comes stands still', { down: 0, up: million }, 0],
  ['what comes moves, what is sent stands still', { down: million, up: 0 }, 0],
  ['as much moves as waits', { down: million, up: million }, 10],
  ['as much as waits has moved every third second', { down: million / 3 + 1, up: million }, 9],
])('where %s it is known since when', (_what, moved, since) => {
  expect(sinceAfterTen(moved)).toBe(since);
});

test('a way on which next to nothing waits does not stand still', () => {
  expect(sinceAfterTen({ down: million, up: 0 }, { down: million, up: 1_000 })).toBe(10);
  expect(sinceAfterTen({ down: 0, up: 0 }, { down: million, up: 0 })).toBe(0);
});

test('a server that is another one begins anew', () => {
  const before = followWays(undefined, { down: million, up: million }, { down: 5, up: 500 }, 1);
  expect(followWays(before, { down: 0, up: million }, { down: 5, up: 0 }, 2)).toMatchObject({ up: { since: 2, moved: 0 }, since: 2 });
});
