// Stops a session. That it is being stopped is written down first, so that a host that is killed meanwhile leaves a stop which the next one
// ends, and nothing that looks as if somebody else had stopped it.
import type { Session } from '../contract/model.ts';
import { beginStop } from './begin-stop.ts';
import { cutSteps } from './recover-launch.ts';
import type { SessionBook } from './session-book.ts';
import { createSessionGates } from './session-network.ts';
import type { SessionDeps } from './session-parts.ts';

export const stopSeconds = 1;

const endStop = async (deps: SessionDeps, book: SessionBook, session: Session, containerId: string): Promise<Session> => {
  await deps.runtimeOf(session.runtime).stopContainer(containerId, stopSeconds);
  // A gate that stays is found when the session is resumed or removed.
  await createSessionGates(deps.networks)
    .rest(session)
    .catch(() => undefined);
  const message = session.stopping?.message ?? null;
  return await book.change(session.id, { status: 'stopped', message, stopped_at: deps.clock.iso(), idle_stop_at: null, stopping: null });
};

/** `message`: why, where nobody asked for it. */
export const stop = async (deps: SessionDeps, book: SessionBook, id: string, message: string | null = null): Promise<Session> => {
  const session = await book.get(id);
  if (session.status !== 'running' || session.container_id === null) return session;
  const stopping = await beginStop(book, id, message);
  deps.sandboxEnds?.(id);
  try {
    return await endStop(deps, book, stopping, session.container_id);
  } catch (thrown) {
    // Whoever asked is told, and asks again: nothing stops it by itself later.
    book.note(id, { stopping: null });
    throw thrown;
  }
};

/** Ends the stop that a host was killed in; what was being brought in goes no further. */
export const endCutStop = async (deps: SessionDeps, book: SessionBook, session: Session, containerId: string): Promise<Session> => {
  const ended = await endStop(deps, book, session, containerId);
  const cut = cutSteps(ended, true);
  return cut === null ? ended : await book.change(session.id, { steps: cut.steps });
};
