// Follows one runtime's events and connects again, for ever, when they end. Knows one runtime and no list.
import { setTimeout as delay } from 'node:timers/promises';
import type { ContainerRuntime, RuntimeEvent } from './container-runtime.ts';

/** Waits; rejects when the signal fires. */
export type Pause = (ms: number, signal: AbortSignal) => Promise<void>;

export interface FollowOptions {
  onEvent: (event: RuntimeEvent) => void;
  /** What happened before now was not seen. */
  wasAway: boolean;
  /** The events flow again after a gap. Only now is a listing complete: what comes later than it is told as an event. */
  onBack: () => void;
  /** The events ended and it does not answer, or they could not be had. */
  onLost: () => void;
  /** Looks whether it is back; true when it is. */
  reconnect: () => Promise<boolean>;
  pause?: Pause;
}

const firstPauseMs = 200;
const longestPauseMs = 8000;
/** A stream that lived this long was a good one: the next pause starts small again. */
const goodStreamMs = 5000;

const plainPause: Pause = (ms, signal) => delay(ms, undefined, { signal, ref: false });

/** The returned function ends it. There is never more than one event stream open. */
export const followRuntime = (runtime: Pick<ContainerRuntime, 'events'>, options: FollowOptions): (() => void) => {
  const { onEvent, onBack, onLost, reconnect, pause: wait = plainPause } = options;
  const stop = new AbortController();
  const { signal } = stop;
  let pause = firstPauseMs;
  let wasAway = options.wasAway;
  const onOpen = (): void => {
    if (wasAway) onBack();
    wasAway = false;
  };

  const untilBack = async (): Promise<void> => {
    while (!signal.aborted) {
      await wait(pause, signal);
      pause = Math.min(pause * 2, longestPauseMs);
      if (await reconnect()) return;
    }
  };

  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      const began = performance.now();
      // Ending and failing are the same news here.
      await runtime.events(onEvent, signal, onOpen).catch(() => undefined);
      if (signal.aborted) return;
      const wasGood = performance.now() - began > goodStreamMs;
      if (wasGood) pause = firstPauseMs;
      wasAway = true;
      // Podman ends the stream whenever its file of events is full, and is as well as before.
      if (wasGood && (await reconnect())) continue;
      onLost();
      await untilBack();
    }
  };
  // Only the abort gets here.
  run().catch(() => undefined);
  return () => stop.abort();
};
