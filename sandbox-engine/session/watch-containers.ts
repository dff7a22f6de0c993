// What the runtime's events say of a session's container and of its gate, looked into in the background.
import { SandlotError } from '../base/errors.ts';
import { settle, settleNetwork } from './recover.ts';
import type { SessionBook } from './session-book.ts';
import type { SessionDeps } from './session-parts.ts';

export interface ContainerWatch {
  /** An event of the runtime said that this container stopped or went away. */
  containerDied: (containerId: string) => void;
  /** The same of the gate of a session. */
  gateDied: (sessionId: string) => void;
}

const look = (work: () => Promise<unknown>): void => {
  work().catch((thrown: unknown) => {
    // The runtime itself went away: runtimeReconnected looks again.
    if (!(thrown instanceof SandlotError)) throw thrown;
  });
};

/** Makes the watch. What a change of state under way does to a container is no news. */
export const watchContainers = (deps: SessionDeps, book: SessionBook, isBusy: (sessionId: string) => boolean): ContainerWatch => ({
  containerDied: (containerId) =>
    look(async () => {
      const died = (await book.list()).find(({ container_id }) => container_id === containerId);
      if (died === undefined || isBusy(died.id)) return;
      // A container that is removed by force stops first: its session must not stay one that could be resumed.
      if (died.status === 'running' || died.status === 'stopped') await settle(deps, book, died);
    }),
  gateDied: (sessionId) =>
    look(async () => {
      const session = (await book.list()).find(({ id }) => id === sessionId);
      if (session?.status === 'running' && !isBusy(session.id)) await settleNetwork(deps, book, session);
    }),
});
