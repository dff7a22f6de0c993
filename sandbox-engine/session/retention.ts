// How long stopped and deleted sessions are kept. What is due goes only after the host has been awake for a while, so that a machine that
// slept, or a clock that was set, takes nothing away before a person could have seen it coming.
import { SandlotError } from '../base/errors.ts';
import type { Session } from '../contract/model.ts';
import type { SessionBook } from './session-book.ts';
import type { SessionDeps } from './session-parts.ts';

export interface Retention {
  /** Writes down when a session goes by itself, where that is not what is written. */
  consider: (session: Session) => Promise<Session>;
  /** Removes what is due. */
  look: () => Promise<void>;
  softDelete: (id: string, undoSeconds: number) => Promise<Session>;
  /** @throws invalid_request when it is not deleted */
  undelete: (id: string) => Promise<Session>;
  keep: (id: string, forever: boolean) => Promise<Session>;
}

export interface RetentionDeps extends Pick<SessionDeps, 'clock'> {
  /** How many seconds a stopped session of its environment is kept; 0 is for good, null when the environment is gone. */
  retentionOf: (session: Session) => Promise<number | null>;
  stop: (id: string) => Promise<unknown>;
  remove: (id: string) => Promise<void>;
}

/** For so long the host must have been awake before it takes away what became due by itself. */
const awakeMs = 600_000;
/** A clock that is off by more against the time that passed was set, or slept. */
const jumpMs = 60_000;

/** When a session goes by itself; null when it does not. Pure. */
export const deleteAt = (
  { status, stopped_at, delete_at = null, deleted_at = null, keep_forever = false }: Session,
  retentionSeconds: number | null,
): string | null => {
  if (deleted_at !== null) return delete_at;
  if (status !== 'stopped' || keep_forever || stopped_at === null || retentionSeconds === 0) return null;
  // The environment is gone: what was said last holds.
  if (retentionSeconds === null) return delete_at;
  return new Date(Date.parse(stopped_at) + retentionSeconds * 1_000).toISOString();
};

/** Whether it is to go now. Pure. */
export const isDue = ({ delete_at, deleted_at }: Session, nowMs: number, isLongAwake: boolean): boolean =>
  Boolean(delete_at) && Date.parse(delete_at ?? '') <= nowMs && (Boolean(deleted_at) || isLongAwake);

/** Makes the retention; whoever makes it calls `look` now and then. */
export const createRetention = (deps: RetentionDeps, book: SessionBook): Retention => {
  const { clock } = deps;
  const offset = (): number => clock.now() - clock.monotonic();
  let [awakeSinceMs, lastOffset] = [clock.monotonic(), offset()];

  const isLongAwake = (): boolean => {
    if (Math.abs(offset() - lastOffset) > jumpMs) awakeSinceMs = clock.monotonic();
    lastOffset = offset();
    return clock.monotonic() - awakeSinceMs >= awakeMs;
  };
  const consider = async (session: Session): Promise<Session> => {
    const at = deleteAt(session, await deps.retentionOf(session));
    return at === (session.delete_at ?? null) ? session : await book.change(session.id, { delete_at: at });
  };

  return {
    consider,
    look: async () => {
      const isAwake = isLongAwake();
      for (const listed of await book.list()) {
        const session = listed.status === 'stopped' ? await consider(listed) : listed;
        // What the runtime does not give now goes when it is looked at again.
        if (isDue(session, clock.now(), isAwake)) await deps.remove(session.id).catch(() => undefined);
      }
    },
    softDelete: async (id, undoSeconds) => {
      await deps.stop(id);
      const { deleted_at } = await book.get(id);
      if (deleted_at) return await book.get(id);
      const delete_at = new Date(clock.now() + undoSeconds * 1_000).toISOString();
      return await book.change(id, { deleted_at: clock.iso(), delete_at });
    },
    undelete: async (id) => {
      const session = await book.get(id);
      if (!session.deleted_at) throw new SandlotError('invalid_request', `Session "${session.name}" is not deleted.`);
      return await consider(await book.change(id, { deleted_at: null, delete_at: null }));
    },
    keep: async (id, forever) => {
      await book.get(id);
      return await consider(await book.change(id, { keep_forever: forever }));
    },
  };
};
