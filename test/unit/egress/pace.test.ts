import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createPace } from '../../../sandbox-engine/egress/pace.ts';

const start = (options: { inTurn?: number; inSecond?: number; atOnce?: number } = {}) => {
  const begun: number[] = [];
  const pace = createPace<number>({ inTurn: 4, inSecond: 1_000, atOnce: 1_000, ...options, begin: (item) => void begun.push(item) });
  return { begun, pace };
};

test('a few begin at once, the others in the turns after, in order', async () => {
  const { begun, pace } = start();
  for (let item = 1; item <= 10; item += 1) pace.offer(item);
  const seen = [[...begun]];
  await nextTurn();
  seen.push([...begun]);
  await nextTurn();
  seen.push([...begun]);
  expect(seen).toEqual([
    [1, 2, 3, 4],
    [1, 2, 3, 4, 5, 6, 7, 8],
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  ]);
});

test('beyond the burst the rate of a second counts', async () => {
  const { begun, pace } = start({ atOnce: 3, inSecond: 100 });
  const began = performance.now();
  for (let item = 1; item <= 13; item += 1) pace.offer(item);
  while (begun.length < 13) await nextTurn();
  expect(performance.now() - began).toBeGreaterThan(80);
});

test('what waits when it stops never begins', async () => {
  const { begun, pace } = start({ inTurn: 1 });
  for (const item of [1, 2, 3]) pace.offer(item);
  expect(pace.stop()).toEqual([2, 3]);
  await nextTurn();
  await nextTurn();
  expect(begun).toEqual([1]);
});
