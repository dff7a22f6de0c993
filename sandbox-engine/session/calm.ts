// Lets what a person waits for go first: launches, and the first terminal or command of sessions that are starting.
import { setTimeout as delay } from 'node:timers/promises';

/** The first terminal is usually asked for at once. */
const graceMs = 150;
const lookMs = 50;
/** Whoever launches without end does not hold up what belongs to a launch. */
const mostMs = 10_000;
/** Ten that started together would else all be looked into at the same moment. */
const apartMs = 200;

export interface Calm {
  /** Counts as something that a person waits for, also after its answer until `shown` has resolved. */
  first: <T>(work: () => Promise<T>, shown?: (done: T) => Promise<unknown>) => Promise<T>;
  /** Resolves when nobody has waited for anything for a moment, for one caller after the other; in ten seconds in any case. */
  wait: () => Promise<void>;
}

/** Makes the calm of one host. */
export const createCalm = (): Calm => {
  let waitedFor = 0;
  let quietSince = 0;
  let lastLetGo = 0;
  const isQuiet = (now: number): boolean => waitedFor === 0 && now - quietSince >= graceMs && now - lastLetGo >= apartMs;
  return {
    first: async (work, shown = async () => undefined) => {
      waitedFor += 1;
      const done = work();
      const over = (): void => {
        waitedFor -= 1;
        quietSince = performance.now();
      };
      done.then(shown).then(over, over);
      return await done;
    },
    wait: async () => {
      const latest = performance.now() + mostMs;
      do await delay(lookMs, undefined, { ref: false });
      while (!isQuiet(performance.now()) && performance.now() < latest);
      lastLetGo = performance.now();
    },
  };
};
