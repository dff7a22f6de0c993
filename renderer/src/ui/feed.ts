// What writes into a log or a terminal, and what it writes to. Knows bytes and marks, not builds, runs or sessions.
import { type StreamSource, startPump } from './stream-pump.ts';

/** What a feed writes to. `write` resolves when it was taken: wait for it. */
export interface Sink {
  write: (data: Uint8Array | string) => Promise<void>;
  mark: (key: number) => void;
  /** Has this size from now on, whatever room there is: the letters become smaller. */
  resize?: (cols: number, rows: number) => void;
  /** Has this size until it is released, whatever room there is, as it had when the next bytes were printed; nobody is told of it. */
  hold?: (cols: number, rows: number) => void;
  release?: () => void;
  /** Forgets all that was written. */
  reset?: () => void;
}

/** Starts writing; the returned function ends it. */
export type Feed = (sink: Sink) => () => void;

/** What a page may ask of a log or a terminal that it shows. */
export interface FeedViewHandle {
  scrollToMark: (key: number) => boolean;
  find: (text: string) => boolean;
  openSearch: () => void;
  focus: () => void;
}

/** The sizes that a screen has had: `from` is the offset of the first byte that was printed for it, `size` that up to which they are known. */
export interface PastSizes {
  sizes: readonly { from: number; cols: number; rows: number }[];
  size: number;
}

/** Writes bytes that begin at `from`, those of the past in the size they were printed for: what moves the cursor counts in rows of then. */
const writeInSize = async (sink: Sink, { sizes, size }: PastSizes, bytes: Uint8Array, from: number): Promise<void> => {
  for (let at = from; at < Math.min(size, from + bytes.length); ) {
    const screen = sizes.findLast((one) => one.from <= at);
    const until = Math.min(sizes.find((one) => one.from > at)?.from ?? size, size, from + bytes.length);
    if (screen) sink.hold?.(screen.cols, screen.rows);
    await sink.write(bytes.subarray(at - from, until - from));
    at = until;
  }
  if (from + bytes.length >= size) sink.release?.();
  if (from + bytes.length > size) await sink.write(bytes.subarray(Math.max(0, size - from)));
};

interface FeedOptions {
  maxLagBytes?: number;
  /** Asked when the feed starts: what is there by then is written in the sizes it was printed for. */
  readSizes?: () => Promise<PastSizes>;
}

/** The feed of a byte stream. A beginning that the host has forgotten is said in a line of its own. */
export const streamFeed =
  (source: StreamSource, { maxLagBytes, readSizes }: FeedOptions = {}): Feed =>
  (sink) => {
    const past = readSizes?.();
    return startPump({
      source,
      write: async (bytes, from) => await (past === undefined ? sink.write(bytes) : writeInSize(sink, await past, bytes, from)),
      onGap: (missing) => void sink.write(`\x1b[2m[${Math.ceil(missing / 1024)} KiB of earlier output are no longer kept]\x1b[0m\r\n`),
      onEnd: () => undefined,
      ...(maxLagBytes !== undefined && { maxLagBytes }),
    });
  };
