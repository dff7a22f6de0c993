// Takes the feeder's frames out of the two output streams and puts everything into one order: all that a command printed, on both
// streams, comes before the next command's marker. Knows bytes, not scripts.
import type { OutputChunk } from '../container/container-runtime.ts';

export type SetupEvent =
  | { kind: 'output'; stream: 'stdout' | 'stderr'; bytes: Buffer }
  | { kind: 'marker'; index: number }
  /** What the shell told about its failures, percent-encoded. */
  | { kind: 'report'; text: string }
  | { kind: 'end'; exitCode: number };

type Piece = { bytes: Buffer } | { frame: string };

/** Cuts one stream at its frames; holds back what may be the beginning of one. */
const createFrameCutter = (nonce: string) => {
  const head = Buffer.from(`\0${nonce}`);
  let held: Buffer = Buffer.alloc(0);

  const heldBack = (bytes: Buffer): number => {
    const last = bytes.lastIndexOf(0);
    if (last < 0 || bytes.length - last > head.length) return 0;
    return head.subarray(0, bytes.length - last).equals(bytes.subarray(last)) ? bytes.length - last : 0;
  };

  const push = (chunk: Buffer): Piece[] => {
    let rest = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    held = Buffer.alloc(0);
    const pieces: Piece[] = [];
    for (;;) {
      const at = rest.indexOf(head);
      if (at < 0) break;
      if (at > 0) pieces.push({ bytes: rest.subarray(0, at) });
      const end = rest.indexOf(10, at);
      if (end < 0) {
        held = rest.subarray(at);
        return pieces;
      }
      pieces.push({ frame: rest.toString('utf8', at + head.length, end) });
      rest = rest.subarray(end + 1);
    }
    const keep = heldBack(rest);
    held = rest.subarray(rest.length - keep);
    if (rest.length > keep) pieces.push({ bytes: rest.subarray(0, rest.length - keep) });
    return pieces;
  };
  return { push, rest: () => held };
};

const frameEvent = (frame: string): SetupEvent => {
  if (frame.startsWith('M')) return { kind: 'marker', index: Number(frame.slice(1)) };
  if (frame.startsWith('E')) return { kind: 'end', exitCode: Number(frame.slice(1)) };
  return { kind: 'report', text: frame.slice(1) };
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
      return settle();
    },
    flush: () => {
      const out = settle();
      for (const stream of both) {
        for (const piece of queues[stream]) {
          if ('bytes' in piece) out.push({ kind: 'output', stream, bytes: piece.bytes });
          else if (!out.some((event) => event.kind === 'end')) out.push(frameEvent(piece.frame));
        }
        if (!cutters[stream].rest().includes(Buffer.from(nonce))) {
          if (cutters[stream].rest().length > 0) out.push({ kind: 'output', stream, bytes: cutters[stream].rest() });
        }
        queues[stream] = [];
      }
      return out;
    },
  };
};
