// The sessions as they are now: in memory, saved in order, and told to whoever listens. Decides nothing.
import { SandlotError } from '../base/errors.ts';
import type { Session } from '../contract/model.ts';
import type { SessionDeps } from './session-parts.ts';

export interface SessionBook {
  /** Resolves when the row exists. */
  insert: (session: Session) => Promise<void>;
  /** @throws not_found */
  get: (id: string) => Promise<Session>;
  list: (environmentId?: string) => Promise<Session[]>;
  /** Changes, tells at once, and saves; resolves when saved. */
  change: (id: string, patch: Partial<Session>) => Promise<Session>;
  /** Runs one part of a launch as a timed step of the session. */
  step: <T>(id: string, name: string, run: () => Promise<T>) => Promise<T>;
  remove: (id: string) => Promise<void>;
}

type Step = Session['steps'][number];

/** Opens the book over a store; a session that was removed is never saved again. */
export const createSessionBook = ({ sessionStore, clock, emit }: SessionDeps): SessionBook => {
  const known = new Map<string, Session>();
  const saving = new Map<string, Promise<void>>();

  const save = (session: Session): Promise<void> => {
    known.set(session.id, session);
    const before = saving.get(session.id) ?? Promise.resolve();
    const saved = before.catch(() => undefined).then(() => sessionStore.save(session));
    saved.catch(() => undefined);
    saving.set(session.id, saved);
    emit.session(session);
    return saved;
  };

  const get = async (id: string): Promise<Session> => {
    const session = known.get(id) ?? (await sessionStore.find(id));
    if (session !== null) return session;
    throw new SandlotError('not_found', `There is no session "${id}".`, { nextAction: 'List them with: sandlot session list' });
  };

  const change = async (id: string, patch: Partial<Session>): Promise<Session> => {
    const changed = { ...(known.get(id) ?? (await get(id))), ...patch };
    await save(changed);
    return changed;
  };

  const setStep = (id: string, step: Step): void => {
    const session = known.get(id);
    if (session === undefined) return;
    const steps = session.steps.filter(({ name }) => name !== step.name);
    void save({ ...session, steps: [...steps, step].sort((a, b) => a.started_at.localeCompare(b.started_at)) });
  };

  return {
    insert: save,
    get,
    list: async (environmentId) => (await sessionStore.list(environmentId)).map((stored) => known.get(stored.id) ?? stored),
    change,
    step: async (id, name, run) => {
      const began = clock.monotonic();
      const running: Step = { name, status: 'running', started_at: clock.iso(), duration_ms: null };
      setStep(id, running);
      const finish = (status: Step['status']) => setStep(id, { ...running, status, duration_ms: clock.monotonic() - began });
      try {
        const result = await run();
        finish('succeeded');
        return result;
      } catch (thrown) {
        finish('failed');
        throw thrown;
      }
    },
    remove: async (id) => {
      await saving.get(id)?.catch(() => undefined);
      known.delete(id);
      saving.delete(id);
      await sessionStore.remove(id);
      emit.sessionRemoved(id);
    },
  };
};
