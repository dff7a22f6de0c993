// How long sessions go on and are kept: stopped when idle, removed when nobody wants them any more. Puts the parts together; the engine
// calls `look` now and then.
import type { Session } from '../contract/model.ts';
import { createIdleWatch, type IdleWatch } from './idle.ts';
import { createRetention, type Retention, type RetentionDeps } from './retention.ts';
import type { SessionBook } from './session-book.ts';
import type { SessionDeps } from './session-parts.ts';

export interface SessionLife extends Pick<IdleWatch, 'touch' | 'times'>, Omit<Retention, 'look'> {
  /** Stops what is idle and removes what is due; those who ask meanwhile wait for the one that is under way. */
  look: () => Promise<void>;
  /** Somebody says that they are at work in it. */
  keepRunning: (id: string) => Promise<Session>;
}

export interface LifeActions extends Pick<RetentionDeps, 'removeIf' | 'inTurn' | 'abandon' | 'stopNow'> {
  isAtWork: (session: Session) => boolean;
  stop: (id: string, message?: string) => Promise<Session>;
}

/** Makes the life of one host's sessions. */
export const createSessionLife = (deps: SessionDeps, book: SessionBook, actions: LifeActions): SessionLife => {
  const { lifetimes } = deps;
  const idle = createIdleWatch(
    {
      ...deps,
      limitOf: async (session) => (await lifetimes?.idleSecondsOf(session)) ?? 0,
      isAtWork: actions.isAtWork,
      kept: lifetimes?.keptIdle ?? {},
      stop: actions.stop,
    },
    book,
  );
  const { look: lookAtKept, ...retention } = createRetention(
    { ...deps, ...actions, retentionOf: async (session) => (await lifetimes?.retentionSecondsOf(session)) ?? null },
    book,
  );
  let looking: Promise<void> | null = null;
  const lookOnce = async (): Promise<void> => {
    await idle.look();
    await lookAtKept();
  };
  return {
    ...retention,
    touch: idle.touch,
    times: idle.times,
    look: () => {
      looking ??= lookOnce().finally(() => {
        looking = null;
      });
      return looking;
    },
    keepRunning: async (id) => {
      await book.get(id);
      idle.touch(id);
      return await book.get(id);
    },
  };
};
