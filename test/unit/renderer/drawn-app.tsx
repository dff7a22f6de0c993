// Draws a piece of the window over a state of the test, with a host that answers from a table and tells events when the test says so.
import { ModalsProvider } from '@mantine/modals';
import { act, type ReactNode } from 'react';
import { createStore } from 'zustand/vanilla';
import { emptyState, type State } from '../../../renderer/src/store/state.ts';
import { type AppStore, AppStoreContext } from '../../../renderer/src/store/store.ts';
import type { CallName } from '../../../sandbox-engine/contract/calls.ts';
import type { AppEvent } from '../../../sandbox-engine/contract/events.ts';
import { draw } from './drawn.tsx';

/** What the host says to a call. */
export type Answers = Partial<Record<CallName, (input: never) => unknown>>;

/** Draws it; `tell` brings an event, `asked` are the calls so far. */
export const drawOver = async (piece: ReactNode, known: Partial<State>, answers: Answers, door: Partial<AppStore> = {}) => {
  const asked: { name: string; input: unknown }[] = [];
  const listeners = new Set<Parameters<AppStore['listen']>[0]>();
  const state = createStore<State>(() => ({ ...emptyState, link: 'open', ...known }));
  const store = {
    state,
    chooseFolder: null,
    ...door,
    ask: async (name: CallName, input: unknown) => {
      asked.push({ name, input });
      const answer = answers[name]?.(input as never);
      if (answer === undefined) throw new Error(`${name} has no answer in this test`);
      return answer;
    },
    listen: (listener: Parameters<AppStore['listen']>[0]) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  } as unknown as AppStore;
  await act(async () =>
    draw(
      <AppStoreContext value={store}>
        <ModalsProvider>{piece}</ModalsProvider>
      </AppStoreContext>,
    ),
  );
  const tell = (event: Pick<AppEvent, 'name' | 'payload'>) =>
    act(async () => {
      for (const listener of listeners) listener({ seq: 1, ...event } as AppEvent, state.getState());
    });
  return { asked, tell };
};
