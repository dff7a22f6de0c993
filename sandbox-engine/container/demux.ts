// Takes apart the frames in which a daemon sends two streams over one socket. Knows bytes, not processes or text.
// Source: Docker Engine API, "ContainerAttach", stream format: type, three zeros, length as 32 bits big-endian, payload.
import { SandlotError } from '../base/errors.ts';
import type { OutputChunk } from './container-runtime.ts';

const headerLength = 8;

interface Run {
  stream: OutputChunk['stream'];
  pieces: { start: number; end: number }[];
  length: number;
}

const streamOfType = (type: number): OutputChunk['stream'] => {
  if (type === 0 || type === 1) return 'stdout';
  if (type === 2 || type === 3) return 'stderr';
  throw new SandlotError('stream_broken', `The output stream broke: a frame of the unknown type ${type} came.`);
};

const joinRun = (bytes: Buffer, run: Run): OutputChunk => {
  const first = run.pieces[0];
  if (first !== undefined && run.pieces.length === 1) return { stream: run.stream, bytes: bytes.subarray(first.start, first.end) };
  const joined = Buffer.allocUnsafe(run.length);
  let at = 0;
  for (const piece of run.pieces) at += bytes.copy(joined, at, piece.start, piece.end);
  return { stream: run.stream, bytes: joined };
};

/** Splits bytes into frames, however they were cut; the frames of one stream that arrive together come out as one chunk.
 * @throws stream_broken from `push` at an unknown frame, from `end` inside of one. */
export const createFrameReader = (): { push: (bytes: Buffer) => OutputChunk[]; end: () => void } => {
  const header = Buffer.alloc(headerLength);
  let headerFilled = 0;
  let stream: OutputChunk['stream'] = 'stdout';
  let remaining = 0;

  const readHeader = (bytes: Buffer, at: number): number => {
    const taken = Math.min(headerLength - headerFilled, bytes.length - at);
    bytes.copy(header, headerFilled, at, at + taken);
    headerFilled += taken;
    if (headerFilled === headerLength) {
      stream = streamOfType(header[0] ?? 0);
      remaining = header.readUInt32BE(4);
      headerFilled = 0;
    }
    return at + taken;
  };

  const takePayload = (bytes: Buffer, at: number, runs: Run[]): number => {
    const end = Math.min(at + remaining, bytes.length);
    let run = runs.at(-1);
    if (run?.stream !== stream) {
      run = { stream, pieces: [], length: 0 };
      runs.push(run);
    }
    run.pieces.push({ start: at, end });
    run.length += end - at;
    remaining -= end - at;
    return end;
  };

  const push = (bytes: Buffer): OutputChunk[] => {
    const runs: Run[] = [];
    for (let at = 0; at < bytes.length; ) at = remaining === 0 ? readHeader(bytes, at) : takePayload(bytes, at, runs);
    return runs.map((run) => joinRun(bytes, run));
  };

  const end = (): void => {
    if (remaining === 0 && headerFilled === 0) return;
    throw new SandlotError('stream_broken', `The output stream broke in the middle of a frame; ${remaining || 'some'} bytes are missing.`);
  };
  return { push, end };
};

/** The two streams of one socket, in the order in which they came. @throws stream_broken when it ends inside a frame. */
export async function* demultiplex(source: AsyncIterable<Buffer>): AsyncGenerator<OutputChunk> {
  const reader = createFrameReader();
  for await (const bytes of source) yield* reader.push(bytes);
  reader.end();
}
