// Names that a sandbox asked for and that are refused. Who asks for a name mostly connects next, and then the connection is written down;
// a question that nothing followed is written down by itself, since a name can carry data too.

export interface AskedNames {
  /** A refused name was asked for; `tell` writes it down if no connection follows soon. */
  ask: (name: string, tell: () => void) => void;
  /** A connection said this name. */
  follow: (name: string) => void;
  /** The name that an unnamed connection to the refused address must mean: the one that was asked for lately, when it was one only. */
  only: () => string | null;
  /** Writes down what waited long enough. */
  check: (nowMs: number) => void;
}

const waitMs = 2_000;
const mostWaiting = 512;

/** Makes the memory of one sandbox. */
export const createAskedNames = (): AskedNames => {
  const waiting = new Map<string, { askedAt: number; tell: () => void }>();
  return {
    ask: (name, tell) => {
      if (waiting.has(name)) return;
      if (waiting.size >= mostWaiting) tell();
      else waiting.set(name, { askedAt: performance.now(), tell });
    },
    follow: (name) => void waiting.delete(name),
    only: () => {
      const [name, ...others] = waiting.keys();
      return others.length > 0 ? null : (name ?? null);
    },
    check: (nowMs) => {
      for (const [name, { askedAt, tell }] of waiting) {
        if (nowMs - askedAt < waitMs) break;
        waiting.delete(name);
        tell();
      }
    },
  };
};
