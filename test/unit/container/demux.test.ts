import { expect, test } from 'vitest';
import type { OutputChunk } from '../../../sandbox-engine/container/container-runtime.ts';
import { demultiplex } from '../../../sandbox-engine/container/demux.ts';

const raw = Buffer.from('01000000 0000000b 68c3a96c6c6f20e29c930a 02000000 00000005 7761726e0a'.replaceAll(' ', ''), 'hex');

const cutAt = (bytes: Buffer, places: number[]): Buffer[] => {
  const edges = [0, ...places, bytes.length];
  return edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge));
};

async function* from(pieces: Buffer[]): AsyncGenerator<Buffer> {
  yield* pieces;
}

const collect = async (pieces: Buffer[]): Promise<{ stdout: string; stderr: string; error: unknown }> => {
  const got: Record<OutputChunk['stream'], Buffer[]> = { stdout: [], stderr: [] };
  let error: unknown = null;
  try {
    for await (const chunk of demultiplex(from(pieces))) got[chunk.stream].push(chunk.bytes);
  } catch (thrown) {
    error = (thrown as { code?: string }).code;
  }
  return { stdout: Buffer.concat(got.stdout).toString(), stderr: Buffer.concat(got.stderr).toString(), error };
};

test.each([
  ['one byte at a time', [...raw].map((byte) => Buffer.from([byte]))],
  ['after bytes 3, 8, 12 and 20', cutAt(raw, [3, 8, 12, 20])],
  ['in one piece', [raw]],
  ['with an empty frame in front', [Buffer.from('0100000000000000', 'hex'), raw]],
])('frames cut %s give the same text', async (_name, pieces) => {
  expect(await collect(pieces)).toEqual({ stdout: 'héllo ✓\n', stderr: 'warn\n', error: null });
});

test('a stream that ends inside a frame gives what arrived and then says that it broke', async () => {
  expect(await collect([raw.subarray(0, 15)])).toEqual({ stdout: 'héllo ', stderr: '', error: 'stream_broken' });
});

test('frames of one stream that arrive together come out as one chunk', async () => {
  const frame = Buffer.from('0100000000000002 610a'.replace(' ', ''), 'hex');
  const chunks: OutputChunk[] = [];
  for await (const chunk of demultiplex(from([Buffer.concat([frame, frame, frame])]))) chunks.push(chunk);
  expect(chunks.map(({ stream, bytes }) => [stream, bytes.toString()])).toEqual([['stdout', 'a\na\na\n']]);
});

test('a frame of an unknown type breaks the stream instead of shifting it', async () => {
  expect(await collect([Buffer.from('hello world')])).toEqual({ stdout: '', stderr: '', error: 'stream_broken' });
});
