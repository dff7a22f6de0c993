// The time that a marker carries: read from its frame, and put on the host's clock.
import { expect, test } from 'vitest';
import { createMarkerClock } from '../../../sandbox-engine/setup/marker-clock.ts';
import { createFrameReader } from '../../../sandbox-engine/setup/marker-frames.ts';

test.each<[string, string, number | null]>([
  ['with its time', 'M3 1764460800.123456', 1_764_460_800_123],
  ['without one', 'M3', null],
])('a frame %s is a marker', (_what, frame, atMs) => {
  const reader = createFrameReader('nonce');
  const bytes = Buffer.from(`\0nonce${frame}\n`);
  expect([...reader.push({ stream: 'stdout', bytes }), ...reader.push({ stream: 'stderr', bytes })]).toEqual([
    { kind: 'marker', index: 3, atMs },
  ]);
});

const started = 10_000;

test.each<[string, number | null, number, number]>([
  ['the same clock, told late', 10_100, 13_000, 10_100],
  ['no time', null, 13_000, 13_000],
  ['a clock that is behind', 2_000, 10_200, 10_000],
  ['a clock that is ahead', 90_000, 10_200, 10_200],
])('the first marker, %s', (_what, said, arrived, time) => {
  expect(createMarkerClock(started)(said, arrived)).toBe(time);
});

test('what the first one shows of the clock counts for all, and none is later than it was heard', () => {
  const timeOf = createMarkerClock(started);
  expect([timeOf(2_000, 10_200), timeOf(2_500, 11_000), timeOf(9_000, 12_000)]).toEqual([10_000, 10_500, 12_000]);
});
