// Looks at something only while somebody asks for it: the first who asks begins it, and it ends when nobody has asked for a while.

export interface Leases {
  /** Goes on looking, or begins. */
  renew: (key: string) => void;
  /** Those that are looked at now. */
  keys: () => string[];
  /** Ends it now, as when its session has stopped. */
  drop: (key: string) => void;
  dropAll: () => void;
}

interface LeasesOptions {
  lastsMs: number;
  onBegin: (key: string) => void;
  onEnd: (key: string) => void;
}

/** Makes the leases of one thing; none keeps the process alive. */
export const createLeases = ({ lastsMs, onBegin, onEnd }: LeasesOptions): Leases => {
  const timers = new Map<string, NodeJS.Timeout>();
  const end = (key: string): void => {
    const timer = timers.get(key);
    if (timer === undefined) return;
    clearTimeout(timer);
    timers.delete(key);
    onEnd(key);
  };
  return {
    renew: (key) => {
      const isNew = !timers.has(key);
      clearTimeout(timers.get(key));
      timers.set(key, setTimeout(() => end(key), lastsMs).unref());
      if (isNew) onBegin(key);
    },
    keys: () => [...timers.keys()],
    drop: end,
    dropAll: () => [...timers.keys()].forEach(end),
  };
};
