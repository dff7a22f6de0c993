// Follows one runtime's events and connects again, for ever, when they end. Knows one runtime and no list.
import { setTimeout as delay } from 'node:timers/promises';
import type { ContainerRuntime, RuntimeEvent } from './container-runtime.ts';

export interface FollowOptions {
  onEvent: (event: RuntimeEvent) => void;
  /** The events ended, or could not be had. */
  onLost: () => void;
  /** Looks whether it is back; true when it is. */
  reconnect: () => Promise<boolean>;
}

const firstPauseMs = 200;
const longestPauseMs = 8000;
/** A stream that lived this long was a good one: the next pause starts small again. */
const goodStreamMs = 5000;

/** The returned function ends it. There is never more than one event stream open. */
export const followRuntime = (runtime: Pick<ContainerRuntime, 'events'>, { onEvent, onLost, reconnect }: FollowOptions): (() => void) => {
  const stop = new AbortController();
  const { signal } = stop;
  let pause = firstPauseMs;

  const untilBack = async (): Promise<void> => {
    while (!signal.aborted) {
      await delay(pause, undefined, { signal, ref: false });
      pause = Math.min(pause * 2, longestPauseMs);
      if (await reconnect()) return;
    }
  };

  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      const began = performance.now();
      // Ending and failing are the same news here.
      await runtime.events(onEvent, signal).catch(() => undefined);
      if (signal.aborted) return;
      if (performance.now() - began > goodStreamMs) pause = firstPauseMs;
      onLost();
      await untilBack();
    }
  };
  // Only the abort gets here.
  run().catch(() => undefined);
  return () => stop.abort();
};
