// Looks at every open connection a few times a second, so that a time limit costs nothing while bytes move.

/** What is looked at. */
export interface Watched {
  /** Called with monotonic milliseconds. */
  check: (nowMs: number) => void;
}

export interface Watch {
  add: (watched: Watched) => void;
  remove: (watched: Watched) => void;
  stop: () => void;
}

/** Starts looking, every `everyMs`. Does not keep the process alive. */
export const startWatch = (everyMs: number): Watch => {
  const all = new Set<Watched>();
  const timer = setInterval(() => {
    const now = performance.now();
    for (const watched of all) watched.check(now);
  }, everyMs);
  timer.unref();
  return {
    add: (watched) => void all.add(watched),
    remove: (watched) => void all.delete(watched),
    stop: () => clearInterval(timer),
  };
};
