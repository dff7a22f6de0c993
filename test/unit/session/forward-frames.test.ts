import { expect, test } from 'vitest';
import { byteFrames, createForwardReader, forwardFrame, numberBytes } from '../../../sandbox-engine/session/forward-frames.ts';

const readAll = (bytes: Buffer, step: number) => {
  const read = createForwardReader();
  const found = [];
  for (let at = 0; at < bytes.length; at += step) found.push(...read(bytes.subarray(at, at + step)));
  return found.map(({ kind, channel, bytes: held }) => ({ kind, channel, text: held.toString('latin1') }));
};

test.each([1, 2, 7, 8, 1_000])('frames that arrive in pieces of %i bytes are whole', (step) => {
  const bytes = Buffer.concat([
    forwardFrame('open', 7, numberBytes(3000, 2)),
    ...byteFrames(7, Buffer.from('hello')),
    forwardFrame('end', 7),
  ]);
  expect(readAll(bytes, step)).toEqual([
    { kind: 0, channel: 7, text: '\u000b\u00b8' },
    { kind: 1, channel: 7, text: 'hello' },
    { kind: 2, channel: 7, text: '' },
  ]);
});

test('many bytes go in frames of at most 65,536', () => {
  expect(byteFrames(1, Buffer.alloc(150_000)).map(({ length }) => length - 7)).toEqual([65_536, 65_536, 18_928]);
});

test('a frame that is larger than any the program sends ends the forward', () => {
  const bytes = Buffer.from([1, 0, 1, 0, 1, 0, 1]);
  expect(() => createForwardReader()(bytes)).toThrow(expect.objectContaining({ code: 'stream_broken' }));
});

test('a frame that comes byte by byte is not copied with each of them', () => {
  const read = createForwardReader();
  const bytes = forwardFrame('bytes', 1, Buffer.alloc(65_536, 'x'));
  const before = process.cpuUsage();
  const frames = Array.from({ length: 8 }, () => [...bytes].flatMap((_, at) => read(bytes.subarray(at, at + 1)))).flat();
  const { user, system } = process.cpuUsage(before);
  expect(frames.map((frame) => frame.bytes.length)).toEqual(Array(8).fill(65_536));
  // Copied each time it would take some ten seconds.
  expect(user + system).toBeLessThan(4_000_000);
});
