// What only looks like the feeder's frames costs no more memory than other output.
import { expect, test } from 'vitest';
import { createFrameReader, type FrameReader } from '../../../sandbox-engine/setup/marker-frames.ts';

const chunk = Buffer.alloc(65_536, 'x');
const lengthOf = (events: ReturnType<FrameReader['push']>): number =>
  events.reduce((sum, event) => sum + (event.kind === 'output' ? event.bytes.length : 0), 0);

test('a frame that never ends is output', () => {
  const reader = createFrameReader('nonce');
  const first = reader.push({ stream: 'stdout', bytes: Buffer.from('\0nonceM') });
  const rest = reader.push({ stream: 'stdout', bytes: chunk });
  expect([first, lengthOf(rest)]).toEqual([[], 65_536 + 7]);
});

test('what waits for a frame that the other stream never brings is given out in time', () => {
  const reader = createFrameReader('nonce');
  let given = lengthOf(reader.push({ stream: 'stdout', bytes: Buffer.from('\0nonceM0\n') }));
  const sent = 200 * chunk.length;
  for (let count = 0; count < 200; count += 1) given += lengthOf(reader.push({ stream: 'stdout', bytes: chunk }));
  expect(sent - given).toBeLessThanOrEqual(8_388_608);
});

test.each(['M0 1e999', 'M0 NaN', 'M0 x'])('a time that is none is not told: %s', (frame) => {
  const reader = createFrameReader('nonce');
  const bytes = Buffer.from(`\0nonce${frame}\n`);
  const told = [...reader.push({ stream: 'stdout', bytes }), ...reader.push({ stream: 'stderr', bytes })];
  expect(told).toEqual([{ kind: 'marker', index: 0, atMs: null }]);
});
