import { setTimeout as delay } from 'node:timers/promises';
import { SandlotError } from '../base/errors.ts';
import type { DockerConnection } from './docker-connection.ts';

// Podman 4.3 looks through all images to answer for one or for a list, and through all containers too to measure the disk;
// it refuses when any of them goes meanwhile. Beside two programs that make and remove them without a pause, up to five
// lists of images or measures of the disk in a row were refused.
const mostMs = 10_000;
const firstPauseMs = 50;
const longestPauseMs = 500;
const saysGone = /not known|no such (image|container)|may be corrupted/;

const isPassing = (thrown: unknown): boolean =>
  thrown instanceof SandlotError && thrown.code === 'runtime_error' && saysGone.test(thrown.message);

/** Asks again where the runtime refuses only because another image or container went. */
export const whileOthersGo = async <T>(connection: DockerConnection, ask: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
  const until = performance.now() + mostMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
    try {
      return await ask();
    } catch (thrown) {
      const isOver = signal?.aborted === true || performance.now() + pauseMs > until;
      if (!connection.isPodman || !isPassing(thrown) || isOver) throw thrown;
      await delay(pauseMs);
    }
  }
};
