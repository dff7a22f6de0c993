// Holds the state and feeds it from the host: subscribe, take the snapshot, play the events. The only place with zustand.
import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Reply } from '../../../sandbox-engine/contract/bridge.ts';
import type { CallInput, CallName, CallOutput } from '../../../sandbox-engine/contract/calls.ts';
import type { AppEvent, EventPayload } from '../../../sandbox-engine/contract/events.ts';
import type { HostLink } from '../host/client.ts';
import { absorb } from './absorb.ts';
import { createEventQueue } from './event-queue.ts';
import { reduceEvent, reduceEvents, reduceLink, reduceSnapshot } from './reduce.ts';
import { emptyState, type State } from './state.ts';
import { createStreamHub, type StreamHub } from './stream-hub.ts';

export type Ask = <N extends CallName>(name: N, input: CallInput<N>) => Promise<Reply<CallOutput<N>>>;

export interface AppStore {
  state: StoreApi<State>;
  /** Calls the host; nouns in the answer are taken into the state. */
  ask: Ask;
  /** As the link has it; null at a door without it. */
  transferUrl: ((id: string) => string) | null;
  /** As the link has it; null at a door without it. */
  chooseFolder: (() => Promise<string | null>) | null;
  streams: StreamHub;
  onNotice: (listener: (notice: EventPayload<'notice'>) => void) => () => void;
  /** Every event as it comes, with the state before it: for what is no state. */
  listen: (listener: (event: AppEvent, before: State) => void) => () => void;
}

const join = <T>(listeners: Set<T>, listener: T): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** Connects a state to the host. Lives as long as the window. */
export const createAppStore = (link: HostLink): AppStore => {
  const state = createStore<State>(() => emptyState);
  const streams = createStreamHub(link);
  const noticeListeners = new Set<(notice: EventPayload<'notice'>) => void>();
  const listeners = new Set<(event: AppEvent, before: State) => void>();

  const tell = (notice: EventPayload<'notice'>) => {
    for (const listener of noticeListeners) listener(notice);
  };

  const events = createEventQueue((came) => {
    let before = state.getState();
    state.setState((known) => reduceEvents(known, came), true);
    for (const event of came) {
      for (const listener of listeners) listener(event, before);
      // What one event said is no news at the next. Environments may come by the thousand, and are not copied for each.
      if (event.name !== 'environment.changed') before = reduceEvent(before, event);
    }
  });

  const ask: Ask = async (name, input) => {
    const reply = await link.call(name, input);
    events.flush();
    if (reply.ok) state.setState((known) => absorb(known, name, reply.value), true);
    return reply;
  };

  const synchronise = async () => {
    const reply = await link.call('app.snapshot', {});
    events.flush();
    if (!reply.ok) return tell({ level: 'error', message: `What the host knows could not be read. ${reply.error.message}` });
    state.setState((known) => reduceSnapshot(known, reply.value), true);
    streams.lookAgain();
  };

  link.subscribe((event) => {
    streams.deliver(event);
    if (event.name === 'notice') tell(event.payload);
    // Another registry file is in use, and every noun with it.
    const isOther = event.name === 'registry.changed' && event.payload.kept_aside !== state.getState().registry?.kept_aside;
    events.take(event);
    if (isOther) void synchronise();
  });

  link.onStatus((status) => {
    events.flush();
    state.setState((known) => reduceLink(known, status), true);
    if (status === 'open') void synchronise();
  });

  return {
    state,
    ask,
    ...{ transferUrl: link.transferUrl ?? null, chooseFolder: link.chooseFolder ?? null },
    streams,
    onNotice: (listener) => join(noticeListeners, listener),
    listen: (listener) => join(listeners, listener),
  };
};

/** Gives the store to the screens. */
export const AppStoreContext = createContext<AppStore | null>(null);

/** The store of this window. */
export const useAppStore = (): AppStore => {
  const store = useContext(AppStoreContext);
  if (!store) throw new Error('useAppStore needs an AppStoreContext above it.');
  return store;
};

/** A part of the state; the screen is drawn again when it changes (lists and objects are compared one level deep). */
export const useStored = <T>(select: (state: State) => T): T => useStore(useAppStore().state, useShallow(select));
