// Takes the feeder's frames out of the two output streams and puts everything into one order: all that a command printed, on both
// streams, comes before the next command's marker. Knows bytes, not scripts.
import type { OutputChunk } from '../container/container-runtime.ts';

export type SetupEvent =
  | { kind: 'output'; stream: 'stdout' | 'stderr'; bytes: Buffer }
  /** `atMs` is when it was made, by the clock of the sandbox; null where that cannot be read. */
  | { kind: 'marker'; index: number; atMs: number | null }
  /** What the shell told about its failures, percent-encoded. */
  | { kind: 'report'; text: string }
  | { kind: 'end'; exitCode: number };

type Piece = { bytes: Buffer } | { frame: string };

/** The feeder's frames are a page at most; what is longer only begins like one. */
const longestFrame = 4_096;
/** Bytes of one stream that wait for the other's frame: pipes hold far less. */
const mostWaiting = 8_388_608;

/** Cuts one stream at its frames; holds back what may be the beginning of one. */
const createFrameCutter = (nonce: string) => {
  const head = Buffer.from(`\0${nonce}`);
  let held: Buffer = Buffer.alloc(0);

  const heldBack = (bytes: Buffer): number => {
    const last = bytes.lastIndexOf(0);
    if (last < 0 || bytes.length - last > head.length) return 0;
    return head.subarray(0, bytes.length - last).equals(bytes.subarray(last)) ? bytes.length - last : 0;
  };

  /** Takes what stands before the next frame, and the frame; answers what is left, null when the frame is not whole yet. */
  const takeFrame = (bytes: Buffer, at: number, pieces: Piece[]): Buffer | null => {
    if (at > 0) pieces.push({ bytes: bytes.subarray(0, at) });
    const end = bytes.indexOf(10, at);
    if ((end < 0 ? bytes.length : end) - at > longestFrame) {
      pieces.push({ bytes: bytes.subarray(at, at + head.length) });
      return bytes.subarray(at + head.length);
    }
    if (end < 0) {
      held = bytes.subarray(at);
      return null;
    }
    pieces.push({ frame: bytes.toString('utf8', at + head.length, end) });
    return bytes.subarray(end + 1);
  };

  const push = (chunk: Buffer): Piece[] => {
    let rest: Buffer | null = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    held = Buffer.alloc(0);
    const pieces: Piece[] = [];
    for (let at = rest.indexOf(head); at >= 0; at = rest.indexOf(head)) {
      rest = takeFrame(rest, at, pieces);
      if (rest === null) return pieces;
    }
    const keep = heldBack(rest);
    held = rest.subarray(rest.length - keep);
    if (rest.length > keep) pieces.push({ bytes: rest.subarray(0, rest.length - keep) });
    return pieces;
  };
  return { push, rest: () => held };
};

const frameEvent = (frame: string): SetupEvent => {
  if (frame.startsWith('M')) {
    const [index, seconds] = frame.slice(1).split(' ');
    const atMs = Math.floor(Number(seconds) * 1000);
    return { kind: 'marker', index: Number(index), atMs: Number.isSafeInteger(atMs) ? atMs : null };
  }
  if (frame.startsWith('E')) return { kind: 'end', exitCode: Number(frame.slice(1)) };
  return { kind: 'report', text: frame.slice(1) };
};

/** What one stream brought and the other did not. */
const leftOver = (stream: 'stdout' | 'stderr', piece: Piece): SetupEvent[] => {
  if ('bytes' in piece) return [{ kind: 'output', stream, bytes: piece.bytes }];
  return [frameEvent(piece.frame)];
};

export interface FrameReader {
  push: (chunk: OutputChunk) => SetupEvent[];
  /** What is left when the streams have ended. */
  flush: () => SetupEvent[];
}

/** Makes a reader for one run's two streams. */
export const createFrameReader = (nonce: string): FrameReader => {
  const cutters = { stdout: createFrameCutter(nonce), stderr: createFrameCutter(nonce) };
  const queues: { stdout: Piece[]; stderr: Piece[] } = { stdout: [], stderr: [] };
  const both = ['stdout', 'stderr'] as const;
  const waiting = { stdout: 0, stderr: 0 };

  /** Gives up waiting for the other stream's frame. */
  const giveUp = (stream: 'stdout' | 'stderr'): SetupEvent[] => {
    const out = queues[stream].flatMap((piece) => leftOver(stream, piece));
    queues[stream] = [];
    return out;
  };

  /** Gives out what stands before the next shared frame of one stream. */
  const release = (stream: 'stdout' | 'stderr', out: SetupEvent[]): void => {
    const queue = queues[stream];
    for (let piece = queue[0]; piece !== undefined; piece = queue[0]) {
      if ('bytes' in piece) out.push({ kind: 'output', stream, bytes: piece.bytes });
      else if (piece.frame.startsWith('R')) out.push(frameEvent(piece.frame));
      else return;
      queue.shift();
    }
  };

  const settle = (): SetupEvent[] => {
    const out: SetupEvent[] = [];
    for (;;) {
      for (const stream of both) release(stream, out);
      const [frame, other] = [queues.stdout[0], queues.stderr[0]];
      if (frame === undefined || other === undefined || !('frame' in frame)) return out;
      out.push(frameEvent(frame.frame));
      for (const stream of both) queues[stream].shift();
    }
  };

  return {
    push: ({ stream, bytes }) => {
      queues[stream].push(...cutters[stream].push(bytes));
      const out = settle();
      waiting[stream] = queues[stream].length === 0 ? 0 : waiting[stream] + bytes.length;
      return waiting[stream] > mostWaiting ? [...out, ...giveUp(stream)] : out;
    },
    flush: () => {
      const out = settle();
      for (const stream of both) {
        out.push(...giveUp(stream));
        const rest = cutters[stream].rest();
        if (rest.length > 0 && !rest.includes(nonce)) out.push({ kind: 'output', stream, bytes: rest });
      }
      return out;
    },
  };
};
