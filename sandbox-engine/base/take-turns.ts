// One thing at a time for each key: what several may ask for at once is done once, or one after the other.

/** Runs `work` after all that was asked before under the same key; others do not wait. `onWait` is told when it is not at once. */
export type TakeTurns = <T>(key: string, work: () => Promise<T>, onWait?: () => void) => Promise<T>;

/** Makes the queues; a key that nobody waits for is forgotten. */
export const createTurns = (): TakeTurns => {
  const tails = new Map<string, Promise<unknown>>();
  return async (key, work, onWait) => {
    if (tails.has(key)) onWait?.();
    const run = (tails.get(key) ?? Promise.resolve()).then(work);
    const tail = run.catch(() => undefined).then(() => void (tails.get(key) === tail && tails.delete(key)));
    tails.set(key, tail);
    return await run;
  };
};
