// One thing at a time for each sandbox: an event, a restarted host and a person may all want the same gate mended, or gone.

/** Runs `work` after all that was asked before under the same key; others do not wait. */
export type TakeTurns = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** Makes the queues; a key that nobody waits for is forgotten. */
export const createTurns = (): TakeTurns => {
  const tails = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const run = (tails.get(key) ?? Promise.resolve()).then(work);
    const tail = run.catch(() => undefined).then(() => void (tails.get(key) === tail && tails.delete(key)));
    tails.set(key, tail);
    return await run;
  };
};
