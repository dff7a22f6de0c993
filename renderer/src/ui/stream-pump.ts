// Moves the bytes of a stream into a viewer: pulls when the viewer has taken the last ones, so that a flood never piles up here.
// Knows offsets, not terminals; the viewer's `write` is the flow control.

/** What is known of a stream's growth; `chunk` are its newest bytes, which begin at `from`. */
interface Growth {
  size: number;
  ended: boolean;
  from?: number;
  chunk?: Uint8Array;
}

/** A stream as its viewer needs it. `read` answers null when it could not be read now; `null` to a watcher means: look again. */
export interface StreamSource {
  id: string;
  read: (
    from: number,
    maxBytes: number,
  ) => Promise<{ bytes: Uint8Array; from: number; next: number; start: number; size: number; ended: boolean } | null>;
  watch: (listener: (growth: Growth | null) => void) => () => void;
}

interface PumpOptions {
  source: StreamSource;
  /** Resolves when the bytes are on the screen and more may come. */
  write: (bytes: Uint8Array) => Promise<void>;
  /** The beginning was forgotten by the host: `missing` bytes before `at` cannot be shown. */
  onGap: (missing: number, at: number) => void;
  onEnd: () => void;
}

/** Bytes of one pull at most. */
export const pullBytes = 256 * 1024;

/** Starts moving from the oldest byte that is kept; the returned function ends it. */
export const startPump = ({ source, write, onGap, onEnd }: PumpOptions): (() => void) => {
  let next = 0;
  let size = 0;
  let ended = false;
  let isClosed = false;
  let isBusy = false;
  let mustLook = true;
  let nudge: Growth | null = null;

  const pull = async () => {
    mustLook = false;
    const slice = await source.read(next, pullBytes);
    if (isClosed || !slice) return;
    if (slice.from > next) onGap(slice.from - next, slice.from);
    size = Math.max(size, slice.size);
    ended ||= slice.ended;
    next = slice.next;
    if (slice.bytes.length > 0) await write(slice.bytes);
    // An empty answer before the known size must not be asked again and again: the next nudge will come.
    else size = Math.min(size, next);
  };

  const takeNudge = async () => {
    const growth = nudge;
    nudge = null;
    if (growth?.chunk === undefined || growth.from !== next) return;
    next += growth.chunk.length;
    await write(growth.chunk);
  };

  const run = async () => {
    if (isBusy || isClosed) return;
    isBusy = true;
    while (!isClosed) {
      if (nudge) await takeNudge();
      else if (mustLook || size > next) await pull();
      else break;
    }
    isBusy = false;
    if (ended && !isClosed && size <= next) onEnd();
  };

  const stopWatching = source.watch((growth) => {
    if (growth) {
      size = Math.max(size, growth.size);
      ended ||= growth.ended;
      nudge = growth;
    } else mustLook = true;
    void run();
  });
  void run();

  return () => {
    isClosed = true;
    stopWatching();
  };
};
