import { expect, test } from 'vitest';
import { clockText, layOut, longestPauseMs, playedAt } from '../../../renderer/src/session/tape-time.ts';
import { linesOf, topOf } from '../../../renderer/src/session/usage-chart.ts';
import type { TapeFrame, UsageSample } from '../../../sandbox-engine/contract/model.ts';

const frames = [0, 1_000, 61_000, 61_500].map((at_ms): TapeFrame => ({ at_ms, kind: 'output', text: 'x' }));

test('a long pause is cut short, and what happened in it has its place', () => {
  const time = layOut(frames, false);
  expect(time.times).toEqual([0, 1_000, 1_000 + longestPauseMs, 1_500 + longestPauseMs]);
  expect([500, 1_000, 2_000, 30_000, 61_250, 99_000].map(time.placeOf)).toEqual([500, 1_000, 2_000, 2_500, 2_750, 3_000]);
});

test('as it was, every pause is as long as it was', () => expect(layOut(frames, true).durationMs).toBe(61_500));

test.each([
  [-1, 0],
  [0, 1],
  [999, 1],
  [1_000, 2],
  [9_999, 4],
])('at %i ms %i frames have been played', (at, wanted) => expect(playedAt([0, 1_000, 2_500, 3_000], at)).toBe(wanted));

test.each([
  [0, '0:00'],
  [65_400, '1:05'],
  [3_723_000, '1:02:03'],
])('%i ms is %s', (ms, wanted) => expect(clockText(ms)).toBe(wanted));

test('the scale of a chart shows its limit once the use comes near it', () => {
  expect([topOf([0.1], 2, 0.1), topOf([1.9], 2, 0.1)]).toEqual([0.125, 2.08]);
});

test('a line breaks off where nobody looked', () => {
  const now = Date.parse('2026-11-30T10:10:00.000Z');
  const sample = (secondsAgo: number): UsageSample => ({
    ...{ at: new Date(now - secondsAgo * 1_000).toISOString(), cpus: 1, memory_bytes: null, processes: null },
    ...{ received_per_second: null, sent_per_second: null, workspace_bytes: null },
  });
  const lines = linesOf([sample(700), sample(60), sample(58), sample(10)], 'cpus', 2, now);
  expect(lines).toEqual(['540.0,48.0 542.0,48.0', '590.0,48.0']);
  expect(linesOf([sample(1)], 'memory_bytes', 2, now)).toEqual([]);
});
