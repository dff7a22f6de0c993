// One stream that is open for writing: gathers what is appended in one turn into one write, and answers reads from memory first.
import { SandlotError } from '../base/errors.ts';
import { createGrowthTeller, type Growth, type GrowthTeller } from './growth-teller.ts';
import { createReaderLag, type ReaderLag } from './reader-lag.ts';
import { endOffset, firstOffset, openSegments, readSegments, type Segment, type SegmentWriter } from './segment-files.ts';
import type { StreamOptions, StreamSlice, StreamWriter } from './stream.ts';
import { createTailMemory, type TailMemory } from './tail-memory.ts';
import { createWriteQueue, type WriteQueue } from './write-queue.ts';

export interface OpenStream {
  writer: StreamWriter;
  teller: GrowthTeller;
  read: (from: number, maxBytes: number) => Promise<StreamSlice>;
  /** Writes what waits and closes the files without ending the stream. */
  close: () => Promise<void>;
}

interface AppendParts {
  options: StreamOptions;
  lag: ReaderLag;
  memory: TailMemory;
  queue: WriteQueue;
  /** Bytes that are not on disk yet. */
  waiting: () => number;
  grew: () => void;
}

interface OpenStreamOptions {
  id: string;
  folder: string;
  options: StreamOptions;
  segments: Segment[];
  maxLagBytes: number;
  tell: (growth: Growth) => void;
  /** The stream has ended and its files are closed. */
  onClosed: () => void;
}

const keptInMemory = 262_144;
const largestWrite = 1_048_576;
/** A full disk must not become full memory. */
const mostWaitingOnFailure = 1_048_576;
const settled = Promise.resolve();

/** The bytes of a stream: those in memory before those on disk. */
const readOpen = async (folder: string, segments: Segment[], memory: TailMemory, from: number, maxBytes: number): Promise<StreamSlice> => {
  for (;;) {
    const size = memory.end();
    const at = Math.min(Math.max(from, firstOffset(segments)), size);
    const inMemory = at === size ? Buffer.alloc(0) : memory.slice(at, Math.min(size, at + maxBytes));
    const bytes = inMemory ?? (await readSegments(folder, segments, at, maxBytes));
    // null: the segment was dropped meanwhile; the stream now begins later.
    if (bytes !== null) return { bytes, from: at, next: at + bytes.length, start: firstOffset(segments), size: memory.end(), ended: false };
  }
};

const writeWaiting = async (files: SegmentWriter, memory: TailMemory): Promise<void> => {
  const until = memory.end();
  for (let at = endOffset(files.segments); at < until; at = endOffset(files.segments)) {
    const view = memory.view(at, Math.min(largestWrite, until - at));
    if (view === null) throw new SandlotError('internal', 'A stream lost bytes that were not yet written.');
    await files.write(view);
    memory.forget(endOffset(files.segments) - keptInMemory);
  }
};

type Append = StreamWriter['append'];

/** Takes bytes in, as far as the options allow, and waits for the disk and for readers that lag. */
const createAppend = ({ options, lag, memory, queue, waiting, grew }: AppendParts): Append => {
  const takeIn = (bytes: Uint8Array): void => {
    const room = options.keep === 'head' ? options.maxBytes - memory.end() : bytes.length;
    if (room <= 0 || bytes.length === 0) return;
    memory.push(room < bytes.length ? bytes.subarray(0, room) : bytes);
    grew();
  };
  const append: Append = (bytes) => {
    if (queue.isFailing() && waiting() > mostWaitingOnFailure) return queue.written().then(() => append(bytes));
    takeIn(bytes);
    const done = waiting() > 0 ? queue.written() : settled;
    // Only what is forgotten at the other end can be missed by a slow reader.
    if (options.keep !== 'tail' || !lag.isBehind(memory.end())) return done;
    return done.then(() => lag.wait(memory.end));
  };
  return append;
};

/** Opens the files and answers the writer and the reading side of the stream. */
export const openStream = async (given: OpenStreamOptions): Promise<OpenStream> => {
  const { id, folder, options, segments } = given;
  const files = await openSegments(folder, options, segments);
  const memory = createTailMemory(endOffset(segments));
  const waiting = () => memory.end() - endOffset(segments);
  const lag = createReaderLag(given.maxLagBytes);
  const teller = createGrowthTeller({ size: memory.end, slice: memory.slice, tell: given.tell });
  const queue = createWriteQueue(() => writeWaiting(files, memory));
  const append = createAppend({ options, lag, memory, queue, waiting, grew: teller.grew });
  let closing: Promise<void> | null = null;

  const close = async (mark: boolean): Promise<void> => {
    lag.release();
    try {
      if (waiting() > 0) await queue.written();
      if (mark) await files.markEnded();
    } finally {
      await files.close();
      given.onClosed();
      if (mark) teller.ended();
    }
  };
  const closeOnce = (mark: boolean): Promise<void> => {
    closing ??= close(mark);
    return closing;
  };
  const ended = () => Promise.reject(new SandlotError('internal', `Stream ${id} has ended; nothing can be written to it.`));

  return {
    teller,
    read: async (from, maxBytes) => {
      const slice = await readOpen(folder, segments, memory, from, maxBytes);
      lag.noteRead(slice.next);
      return slice;
    },
    close: () => closeOnce(false),
    writer: { id, size: memory.end, append: (bytes) => (closing === null ? append(bytes) : ended()), end: () => closeOnce(true) },
  };
};
