// Lets what a person waits for go first: a launch, and the first terminal of a session that has just started.
import { setTimeout as delay } from 'node:timers/promises';

/** The first terminal is usually asked for at once. */
const graceMs = 150;
const lookMs = 50;
/** Whoever launches without end does not hold up what belongs to a launch. */
const mostMs = 3_000;

/** Resolves when nothing is being launched, a moment from now at the earliest, and after three seconds in any case. */
export const waitForCalm = async (launching: () => number): Promise<void> => {
  await delay(graceMs, undefined, { ref: false });
  for (let waited = graceMs; launching() > 0 && waited < mostMs; waited += lookMs) await delay(lookMs, undefined, { ref: false });
};
