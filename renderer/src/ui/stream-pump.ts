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
  /** Resolves when the bytes, which begin at the offset `from`, are on the screen and more may come. */
  write: (bytes: Uint8Array, from: number) => Promise<void>;
  /** The beginning was forgotten by the host: `missing` bytes before `at` cannot be shown. */
  onGap: (missing: number, at: number) => void;
  onEnd: () => void;
  /** A viewer that is further behind leaves out what would have scrolled away unseen, so that a flood can be stopped at once. */
  maxLagBytes?: number;
}

/** Bytes of one pull at most. */
const pullBytes = 256 * 1024;

interface Progress {
  /** Offset of the byte that is shown next. */
  next: number;
  /** Bytes that are known to have been written. */
  size: number;
  ended: boolean;
  isClosed: boolean;
  /** The host must be asked although no growth is known. */
  mustLook: boolean;
  nudge: Growth | null;
  isMoving: boolean;
}

/** Leaves out the oldest of what is waiting when that is too much; true when it did. */
const catchUp = (progress: Progress, maxLagBytes: number): boolean => {
  if (progress.size - progress.next <= maxLagBytes) return false;
  progress.next = progress.size - Math.floor(maxLagBytes / 2);
  return true;
};

/** Begins with a whole line where one begins soon: not in the middle of a character or of an escape sequence. */
const fromLineStart = (bytes: Uint8Array): Uint8Array => {
  const lineEnd = bytes.subarray(0, 8192).indexOf(0x0a);
  return lineEnd < 0 ? bytes : bytes.subarray(lineEnd + 1);
};

const pull = async (progress: Progress, { source, write, onGap, maxLagBytes = Number.POSITIVE_INFINITY }: PumpOptions): Promise<void> => {
  const known = progress.size;
  const hasSkipped = catchUp(progress, maxLagBytes);
  progress.mustLook = false;
  const slice = await source.read(progress.next, pullBytes);
  // Not readable now: the next nudge, or the look after a reconnect, tries again.
  if (!slice) progress.size = Math.min(progress.size, progress.next);
  if (progress.isClosed || !slice) return;
  if (slice.from > progress.next) onGap(slice.from - progress.next, slice.from);
  progress.ended ||= slice.ended;
  progress.next = slice.next;
  // A nudge may have overtaken the answer, so a larger size stays, unless nothing was told and nothing came.
  if (slice.bytes.length === 0 && progress.size === known) progress.size = slice.next;
  else progress.size = Math.max(progress.size, slice.size);
  const shown = hasSkipped ? fromLineStart(slice.bytes) : slice.bytes;
  if (shown.length > 0) await write(shown, slice.next - shown.length);
};

const takeNudge = async (progress: Progress, { write }: PumpOptions): Promise<void> => {
  const growth = progress.nudge;
  progress.nudge = null;
  if (growth?.chunk === undefined || growth.from !== progress.next) return;
  progress.next += growth.chunk.length;
  await write(growth.chunk, growth.from);
};

const moveAll = async (progress: Progress, options: PumpOptions): Promise<void> => {
  if (progress.isMoving) return;
  progress.isMoving = true;
  while (!progress.isClosed) {
    if (progress.nudge) await takeNudge(progress, options);
    else if (progress.mustLook || progress.size > progress.next) await pull(progress, options);
    else break;
  }
  // In the same turn as the last look at the nudge: one that comes later finds nobody moving and moves itself.
  progress.isMoving = false;
  if (progress.ended && !progress.isClosed) options.onEnd();
};

/** Starts moving from the oldest byte that is kept; the returned function ends it. */
export const startPump = (options: PumpOptions): (() => void) => {
  const progress: Progress = { next: 0, size: 0, ended: false, isClosed: false, mustLook: true, nudge: null, isMoving: false };
  const stopWatching = options.source.watch((growth) => {
    if (growth) {
      progress.size = Math.max(progress.size, growth.size);
      progress.ended ||= growth.ended;
      progress.nudge = growth;
    } else progress.mustLook = true;
    void moveAll(progress, options);
  });
  void moveAll(progress, options);

  return () => {
    progress.isClosed = true;
    stopWatching();
  };
};
