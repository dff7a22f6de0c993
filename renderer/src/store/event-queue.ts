// One event is taken in at once; of a flood, all that came within a frame are taken in together, so that the window is drawn once for them.
import type { AppEvent } from '../../../sandbox-engine/contract/events.ts';

/** About the time of a frame. */
const frameMs = 16;

export interface EventQueue {
  take: (event: AppEvent) => void;
  /** Takes in what waits, before something else that has to come after it. */
  flush: () => void;
}

/** Hands events on, in their order. */
export const createEventQueue = (handOn: (events: readonly AppEvent[]) => void): EventQueue => {
  let waiting: AppEvent[] = [];
  let timer: ReturnType<typeof setTimeout> | null = null;
  let handedAt = Number.NEGATIVE_INFINITY;
  const flush = () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (waiting.length === 0) return;
    const came = waiting;
    waiting = [];
    handOn(came);
    handedAt = performance.now();
  };
  return {
    take: (event) => {
      waiting.push(event);
      const wait = handedAt + frameMs - performance.now();
      if (wait <= 0) flush();
      else timer ??= setTimeout(flush, wait);
    },
    flush,
  };
};
