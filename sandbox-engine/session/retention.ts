// How long stopped and deleted sessions are kept. What is due goes only after the host has been awake for a while, so that a machine that
// slept, or a clock that was set, takes nothing away before a person could have seen it coming.
import { SandlotError } from '../base/errors.ts';
import type { Session } from '../contract/model.ts';
import type { SessionBook } from './session-book.ts';
import type { SessionDeps } from './session-parts.ts';

export interface Retention {
  /** Writes down when a session goes by itself, where that is not what is written. */
  consider: (session: Session) => Promise<Session>;
  /** Deletes what is due, so that it can come back for a day, and removes what can no longer. */
  look: () => Promise<void>;
  softDelete: (id: string, undoSeconds: number) => Promise<Session>;
  /** @throws invalid_request when it is not deleted */
  undelete: (id: string) => Promise<Session>;
  keep: (id: string, forever: boolean) => Promise<Session>;
}

export interface RetentionDeps extends Pick<SessionDeps, 'clock'> {
  /** How many seconds a stopped session of its environment is kept; 0 is for good, null when the environment is gone. */
  retentionOf: (session: Session) => Promise<number | null>;
  /** Gives up the launch or the replacement that is under way. */
  abandon: (id: string) => Promise<void>;
  /** Only for whoever has the turn. */
  stopNow: (id: string) => Promise<unknown>;
  /** Removes it in its turn, unless it has become another one by then. */
  removeIf: (id: string, still: (now: Session) => boolean) => Promise<void>;
  /** Runs when no change of state of this session is under way, and none begins meanwhile. */
  inTurn: <T>(id: string, run: () => Promise<T>) => Promise<T>;
}

/** For so long the host must have been awake before it takes away what became due by itself. */
const awakeMs = 600_000;
/** A clock that is off by more against the time that passed was set, or slept. */
const jumpMs = 60_000;
/** For so long what was deleted by itself comes back: nobody was there to see it go. */
const undoMs = 86_400_000;

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
export const isDue = (session: Session, nowMs: number, isLongAwake: boolean): boolean => {
  const { status, delete_at, deleted_at, deleted_by_itself, keep_forever } = session;
  if (!delete_at || Date.parse(delete_at) > nowMs) return false;
  if (deleted_at) return deleted_by_itself !== true || isLongAwake;
  return status === 'stopped' && !keep_forever && isLongAwake;
};

/** Marked as deleted in its turn, unless it has become another one by then. */
const deleteByItself = async (deps: RetentionDeps, book: SessionBook, id: string, still: (now: Session) => boolean): Promise<void> => {
  await deps.inTurn(id, async () => {
    if (!still(await book.get(id))) return;
    const delete_at = new Date(deps.clock.now() + undoMs).toISOString();
    await book.change(id, { deleted_at: deps.clock.iso(), delete_at, deleted_by_itself: true });
  });
};

/** Brought back, and kept by hand where it would go again at once. */
const undelete = async (deps: RetentionDeps, book: SessionBook, id: string): Promise<Session> => {
  const session = await book.get(id);
  if (!session.deleted_at) throw new SandlotError('invalid_request', `Session "${session.name}" is not deleted.`);
  const back = { deleted_at: null, delete_at: null, deleted_by_itself: false };
  const at = deleteAt({ ...session, ...back }, await deps.retentionOf(session));
  const isOver = at !== null && Date.parse(at) <= deps.clock.now();
  return await book.change(id, { ...back, ...(isOver ? { keep_forever: true } : {}) });
};

/** Stopped and marked in one turn: whoever resumes it at the same moment comes before both, or is told that it is deleted. */
const softDelete = async (deps: RetentionDeps, book: SessionBook, id: string, undoSeconds: number): Promise<Session> => {
  await book.get(id);
  await deps.abandon(id);
  return await deps.inTurn(id, async () => {
    await deps.stopNow(id);
    const session = await book.get(id);
    if (session.deleted_at) return session;
    const delete_at = new Date(deps.clock.now() + undoSeconds * 1_000).toISOString();
    return await book.change(id, { deleted_at: deps.clock.iso(), delete_at, deleted_by_itself: false });
  });
};

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
    const seconds = await deps.retentionOf(session);
    // It may have changed meanwhile.
    const now = await book.get(session.id);
    const at = deleteAt(now, seconds);
    return at === (now.delete_at ?? null) ? now : await book.change(now.id, { delete_at: at });
  };
  const lookAt = async (id: string, isAwake: boolean): Promise<void> => {
    const found = await book.get(id);
    const session = found.status === 'stopped' ? await consider(found) : found;
    const isStillDue = (now: Session): boolean => isDue(now, clock.now(), isAwake);
    if (!isStillDue(session)) return;
    if (session.deleted_at) await deps.removeIf(id, isStillDue);
    else await deleteByItself(deps, book, id, isStillDue);
  };
  const setKept = async (id: string, forever: boolean): Promise<Session> =>
    await consider(await book.change(id, { keep_forever: forever }));

  return {
    consider,
    look: async () => {
      const isAwake = isLongAwake();
      // What the runtime does not give now goes when it is looked at again; what is gone by now needs nothing.
      for (const { id } of await book.list()) await lookAt(id, isAwake).catch(() => undefined);
    },
    softDelete: (id, undoSeconds) => softDelete(deps, book, id, undoSeconds),
    undelete: (id) => deps.inTurn(id, async () => await consider(await undelete(deps, book, id))),
    keep: async (id, forever) => {
      // One that starts is not waited for: it is not removed by itself.
      if ((await book.get(id)).status !== 'stopped') return await setKept(id, forever);
      return await deps.inTurn(id, () => setKept(id, forever));
    },
  };
};
