import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createPace } from '../../../sandbox-engine/egress/pace.ts';

const start = (options: { inTurn?: number; inSecond?: number; atOnce?: number; turnsInLast?: () => number } = {}) => {
  const begun: number[] = [];
  const pace = createPace<number>({ inTurn: 4, inSecond: 1_000, atOnce: 1_000, ...options, begin: (item) => void begun.push(item) });
  return { begun, pace };
};

test('a few begin in one go, the others later, in order', async () => {
  const { begun, pace } = start();
  for (let item = 1; item <= 100; item += 1) pace.offer(item);
  expect(begun.slice(0, 4)).toEqual([1, 2, 3, 4]);
  expect(begun.length).toBeLessThan(50);
  while (begun.length < 100) await nextTurn();
  expect(begun).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
});

test('whoever comes seldom begins at once', async () => {
  const { begun, pace } = start({ inTurn: 1 });
  for (let item = 1; item <= 20; item += 1) {
    pace.offer(item);
    expect(begun).toHaveLength(item);
    const until = performance.now() + 1;
    while (performance.now() < until) await nextTurn();
  }
});

test('beyond the burst the rate of a second counts', async () => {
  const { begun, pace } = start({ atOnce: 3, inSecond: 100 });
  const began = performance.now();
  for (let item = 1; item <= 13; item += 1) pace.offer(item);
  while (begun.length < 13) await nextTurn();
  expect(performance.now() - began).toBeGreaterThan(80);
});

test('what waits when it stops never begins', async () => {
  const { begun, pace } = start({ inTurn: 1, inSecond: 1 });
  for (const item of [1, 2, 3]) pace.offer(item);
  const left = pace.stop();
  await nextTurn();
  await nextTurn();
  expect([...begun, ...left]).toEqual([1, 2, 3]);
});

test('after a turn that was long since others moved much, as many begin as would have in short ones', async () => {
  const { begun, pace } = start({ turnsInLast: () => 8 });
  for (let item = 1; item <= 100; item += 1) pace.offer(item);
  const before = begun.length;
  await nextTurn();
  expect(begun.length - before).toBeGreaterThanOrEqual(28);
  expect(begun.length - before).toBeLessThanOrEqual(40);
});
