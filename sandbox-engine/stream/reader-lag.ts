// Decides when a writer must wait for its readers: while somebody watches and is too far behind. Nobody watching: never.

export interface ReaderLag {
  /** A reader has taken everything up to `next`. */
  noteRead: (next: number) => void;
  isBehind: (size: number) => boolean;
  /** Resolves when the readers have caught up or stopped watching. `size` is asked for again each time. */
  wait: (size: () => number) => Promise<void>;
  /** Lets every waiting writer go. */
  release: () => void;
}

const watchingForMs = 2_000;
const recheckMs = 100;

/** Measures against the reader that is furthest ahead: a slow second viewer must not hold up the first. */
export const createReaderLag = (maxLagBytes: number): ReaderLag => {
  let reads: { next: number; at: number }[] = [];
  let released = false;
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const check of [...waiting]) check();
  };
  const isBehind = (size: number): boolean => {
    if (released || reads.length === 0) return false;
    const since = performance.now() - watchingForMs;
    reads = reads.filter(({ at }) => at >= since);
    return reads.length > 0 && size - Math.max(...reads.map(({ next }) => next)) > maxLagBytes;
  };
  return {
    isBehind,
    noteRead: (next) => {
      const ahead = reads.filter((read) => read.next > next).slice(-8);
      reads = [...ahead, { next, at: performance.now() }];
      wake();
    },
    wait: (size) =>
      new Promise((resolve) => {
        const timer = setInterval(() => check(), recheckMs);
        const check = () => {
          if (isBehind(size())) return;
          clearInterval(timer);
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
    release: () => {
      released = true;
      wake();
    },
  };
};
