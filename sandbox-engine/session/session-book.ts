// The sessions as they are now: in memory, saved in order, and told to whoever listens. Decides nothing.
import { stripVTControlCharacters } from 'node:util';
import type { Clock } from '../base/clock.ts';
import { SandlotError } from '../base/errors.ts';
import type { Session } from '../contract/model.ts';
import { freeName } from './free-name.ts';
import { maskSession } from './secret-variables.ts';
import type { SessionDeps } from './session-parts.ts';

export interface SessionBook {
  /** Resolves when the row exists. */
  insert: (session: Session) => Promise<void>;
  /** @throws not_found */
  get: (id: string) => Promise<Session>;
  list: (environmentId?: string) => Promise<Session[]>;
  /** Resolves with what finds a name like `wanted` that no session has, as long as nothing is awaited between that and `insert`. */
  nameFinder: (wanted: string) => Promise<() => string>;
  /** Changes, tells at once, and saves; resolves when saved. */
  change: (id: string, patch: Partial<Session>) => Promise<Session>;
  /** As `change`, for those who need not know when it is saved. */
  note: (id: string, patch: Partial<Session>) => void;
  /** Runs one part of a launch as a timed step of the session; what it says meanwhile is shown, a few times a second. */
  step: <T>(id: string, name: string, run: (say: Say) => Promise<T>) => Promise<T>;
  remove: (id: string) => Promise<void>;
}

type Say = (line: string) => void;

type Step = Session['steps'][number];

interface StepPlace {
  clock: Clock;
  steps: () => Step[];
  set: (steps: Step[]) => void;
}

const sayEveryMs = 250;
const longestMessage = 300;

/** The line as one may show it: its last state, without colours and control characters. */
const plainLine = (line: string): string =>
  stripVTControlCharacters(
    line
      .trimEnd()
      .split(/[\r\n]/)
      .at(-1) ?? '',
  )
    .replace(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, longestMessage);

const runStep = async <T>({ clock, steps, set }: StepPlace, name: string, run: (say: Say) => Promise<T>): Promise<T> => {
  const began = clock.monotonic();
  const running: Step = { name, status: 'running', started_at: clock.iso(), duration_ms: null };
  set([...steps().filter((step) => step.name !== name), running]);
  const put = (now: Step) => set(steps().map((step) => (step.name === name ? now : step)));
  let isOver = false;
  const finish = (status: Step['status'], why?: string) => {
    isOver = true;
    put({ ...running, status, duration_ms: clock.monotonic() - began, ...(why === undefined ? {} : { message: why }) });
  };
  let said = Number.NEGATIVE_INFINITY;
  const say = (line: string): void => {
    const message = plainLine(line);
    if (isOver || message === '' || clock.monotonic() - said < sayEveryMs) return;
    said = clock.monotonic();
    put({ ...running, message });
  };
  try {
    const result = await run(say);
    finish('succeeded');
    return result;
  } catch (thrown) {
    finish('failed', (thrown as Error).message.slice(0, longestMessage));
    throw thrown;
  }
};

/** Opens the book over a store; a session that was removed is never saved again. */
export const createSessionBook = ({ sessionStore, clock, emit, secrets }: SessionDeps): SessionBook => {
  const known = new Map<string, Session>();
  const saving = new Map<string, Promise<void>>();
  const removed = new Set<string>();

  const save = (given: Session): Promise<void> => {
    const session = maskSession(given, secrets.redactText);
    known.set(session.id, session);
    const before = saving.get(session.id) ?? Promise.resolve();
    const saved = before.catch(() => undefined).then(() => sessionStore.save(session));
    saved.catch(() => undefined);
    saving.set(session.id, saved);
    emit.session(session);
    return saved;
  };

  const get = async (id: string): Promise<Session> => {
    const session = known.get(id) ?? (removed.has(id) ? null : await sessionStore.find(id));
    if (session !== null && !removed.has(id)) return session;
    throw new SandlotError('not_found', `There is no session "${id}".`, { nextAction: 'List them with: sandlot session list' });
  };

  const change = async (id: string, patch: Partial<Session>): Promise<Session> => {
    const changed = { ...(known.get(id) ?? (await get(id))), ...patch };
    await save(changed);
    return changed;
  };

  const note = (id: string, patch: Partial<Session>): void => {
    const session = known.get(id);
    // A save that fails shows in the next change that somebody waits for.
    if (session !== undefined) save({ ...session, ...patch }).catch(() => undefined);
  };

  return {
    insert: save,
    get,
    nameFinder: async (wanted) => {
      const stored = await sessionStore.namesLike(wanted.slice(0, 250));
      return () => freeName(wanted, new Set([...stored, ...[...known.values()].map(({ name }) => name)]));
    },
    list: async (environmentId) => (await sessionStore.list(environmentId)).map((stored) => known.get(stored.id) ?? stored),
    change,
    note,
    step: (id, name, run) => runStep({ clock, steps: () => known.get(id)?.steps ?? [], set: (steps) => note(id, { steps }) }, name, run),
    remove: async (id) => {
      removed.add(id);
      known.delete(id);
      await saving.get(id)?.catch(() => undefined);
      saving.delete(id);
      await sessionStore.remove(id);
      emit.sessionRemoved(id);
    },
  };
};
