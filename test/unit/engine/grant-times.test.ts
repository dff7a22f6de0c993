import { expect, test } from 'vitest';
import { createGrantTimes } from '../../../sandbox-engine/engine/grant-times.ts';

const start = Date.UTC(2026, 10, 1);
const isoOf = (ms: number): string => new Date(ms).toISOString();
const grantAt = (id: string, at: number) => ({ id, granted_at: isoOf(at), until: isoOf(at + 900_000) });

/** A clock that somebody sets, and the times of a host under it. */
const openTimes = (day = start) => {
  const state = { day, passed: 0 };
  const clock = { now: () => state.day, iso: () => isoOf(state.day), monotonic: () => state.passed };
  const after = (ms: number, jumpMs = 0): void => {
    state.passed += ms;
    state.day += ms + jumpMs;
  };
  return { state, after, times: createGrantTimes(clock) };
};

test('a grant ends by the time that has passed, wherever the clock is set; one under the new clock has its whole time', () => {
  const { state, after, times } = openTimes();
  const first = grantAt('grt_1', start);
  expect(times.leftMs(first)).toBe(900_000);
  after(300_000, -3_600_000);
  expect(times.leftMs(first)).toBe(600_000);
  const second = grantAt('grt_2', state.day);
  expect(times.leftMs(second)).toBe(900_000);
  after(600_000);
  expect([times.leftMs(first), times.leftMs(second)]).toEqual([0, 300_000]);
  // Set right again: the second was given long ago by then.
  after(0, 3_600_000);
  expect([times.leftMs(first), times.leftMs(second)]).toEqual([0, 0]);
});

test('one of an earlier host ends at its time of day; where the clock was set back since, it is over', () => {
  expect(openTimes(start + 300_000).times.leftMs(grantAt('grt_1', start))).toBe(600_000);
  expect(openTimes(start - 1).times.leftMs(grantAt('grt_1', start))).toBe(0);
});

test('a time that cannot be read is over, and none has no end', () => {
  const { times } = openTimes();
  expect(times.leftMs({ ...grantAt('grt_1', start), until: 'tomorrow' }) > 0).toBe(false);
  expect(times.leftMs({ ...grantAt('grt_2', start), until: null })).toBe(Number.POSITIVE_INFINITY);
});
