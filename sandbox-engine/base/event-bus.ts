// Numbers every event and hands it to the listeners, in order. The number lets a client drop what its snapshot already holds.
import type { AppEvent, EventName, EventPayload } from '../contract/events.ts';

export interface EventBus {
  /** The number of the newest event; 0 before the first. */
  seq: () => number;
  emit: <N extends EventName>(name: N, payload: EventPayload<N>) => void;
  /** Calls the listener for each later event; the returned function ends it. A listener that throws harms nobody else. */
  subscribe: (listener: (event: AppEvent) => void) => () => void;
}

/** Makes an event bus; `onListenerError` is told of a listener that threw. */
export const createEventBus = (onListenerError: (thrown: unknown) => void = () => undefined): EventBus => {
  const listeners = new Set<(event: AppEvent) => void>();
  let seq = 0;
  return {
    seq: () => seq,
    emit: (name, payload) => {
      seq += 1;
      const event = { seq, name, payload } as AppEvent;
      for (const listener of listeners) {
        try {
          listener(event);
        } catch (thrown) {
          onListenerError(thrown);
        }
      }
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};
