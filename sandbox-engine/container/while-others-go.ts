import { setTimeout as delay } from 'node:timers/promises';
import { SandlotError } from '../base/errors.ts';
import type { DockerConnection } from './docker-connection.ts';
import { statusOf } from './docker-errors.ts';

// Podman 4.3 looks through all images to answer for one or for a list, and through all containers too to measure the disk;
// it refuses when any of them goes meanwhile. It stores a container on layers that another image has, and refuses when that one
// goes. It ends a build where it looks for what it has built before. Beside two programs that make and remove images without a
// pause, up to five answers in a row were such refusals, and one build in 23.
const mostMs = 10_000;
const firstPauseMs = 50;
const longestPauseMs = 500;
const saysGone = /not known|no such (image|container)|may be corrupted|locating item named/;

/** Then a command of the recipe has failed, which may have said anything. */
const isOfCommand = /while running runtime/;

// Where what was asked for is itself gone, it says 404. A build is refused in the middle of an answer that began well.
const isPassing = (thrown: unknown): boolean =>
  thrown instanceof SandlotError &&
  (statusOf(thrown) === 500 || thrown.code === 'build_failed') &&
  saysGone.test(thrown.message) &&
  !isOfCommand.test(thrown.message);

/** Asks again where the runtime refuses only because another image or container went. */
export const whileOthersGo = async <T>(connection: DockerConnection, ask: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
  let until = Number.POSITIVE_INFINITY;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
    try {
      return await ask();
    } catch (thrown) {
      // What was asked may itself take long: the time counts from the first refusal.
      until = Math.min(until, performance.now() + mostMs);
      if (!connection.isPodman || !isPassing(thrown) || performance.now() + pauseMs > until) throw thrown;
      await delay(pauseMs);
      if (signal?.aborted === true) throw thrown;
    }
  }
};
