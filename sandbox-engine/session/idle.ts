// Stops sessions in which nothing happens: hears of what does, asks the runtime seldom, warns a minute before, says why.
// When is decided in idle-time.ts; how long is too long, the environment says.
import { counted } from '../base/counted.ts';
import type { ContainerUsage } from '../container/container-runtime.ts';
import type { Session } from '../contract/model.ts';
import { type IdleTime, nextIdle, noIdleTime, warnMs } from './idle-time.ts';
import type { SessionBook } from './session-book.ts';
import type { SessionDeps } from './session-parts.ts';
import { type UsageSample, wasBusy } from './usage.ts';

export interface IdleWatch {
  /** Something happened in this session; costs nothing, and may be said as often as it does. */
  touch: (sessionId: string) => void;
  /** Looks at all sessions once. */
  look: () => Promise<void>;
  /** Awake seconds since something happened, to be kept over a restart. */
  times: () => Record<string, number>;
}

export interface IdleDeps extends Pick<SessionDeps, 'clock' | 'runtimeOf'> {
  /** After how many seconds a session is stopped; 0 is never. */
  limitOf: (session: Session) => Promise<number>;
  /** Something runs in it that this host follows. */
  isAtWork: (session: Session) => boolean;
  stop: (id: string, message: string) => Promise<unknown>;
  /** What `times` told before this host began. */
  kept: Record<string, number>;
}

/** How often the runtime is asked about one session at most. */
const askEveryMs = 60_000;

interface Watched {
  time: IdleTime;
  sample: UsageSample | null;
  askedAtMs: number;
}

const words = (seconds: number): string => {
  const amount = seconds % 60 === 0 ? seconds / 60 : seconds;
  return counted(amount, seconds % 60 === 0 ? 'minute' : 'second');
};

/** What a session says that was stopped for being idle. */
const idleWords = (seconds: number): string => `Stopped after ${words(seconds)} without activity.`;

const readUsage = async ({ runtimeOf }: IdleDeps, { runtime, container_id }: Session): Promise<ContainerUsage | null> => {
  if (container_id === null) return null;
  // Not known is not idle, and not busy either: it is asked again.
  return await runtimeOf(runtime)
    .readUsage(container_id)
    .catch(() => null);
};

/** Whether its counters say that something happened since they were asked last; asks only when it is time. */
const sampleBusy = async (deps: IdleDeps, session: Session, watched: Watched, everyMs: number): Promise<boolean> => {
  const atMs = deps.clock.monotonic();
  if (watched.sample !== null && atMs - watched.askedAtMs < everyMs) return false;
  watched.askedAtMs = atMs;
  const usage = await readUsage(deps, session);
  const before = watched.sample;
  watched.sample = usage === null ? before : { ...usage, atMs };
  return usage !== null && before !== null && wasBusy(before, { ...usage, atMs });
};

/** What is known of the sessions that run, in memory. */
const createLedger = (deps: IdleDeps, book: SessionBook) => {
  const watched = new Map<string, Watched>();
  const touched = new Set<string>();
  const warned = new Set<string>();
  const takeBack = (id: string): void => {
    // What cannot be saved now is so at the next look.
    if (warned.delete(id)) book.change(id, { idle_stop_at: null }).catch(() => undefined);
  };
  return {
    watched,
    touched,
    warned,
    takeBack,
    of: (id: string): Watched => {
      const idleMs = (deps.kept[id] ?? 0) * 1_000;
      const known = watched.get(id) ?? { time: { ...noIdleTime, idleMs }, sample: null, askedAtMs: Number.NEGATIVE_INFINITY };
      watched.set(id, known);
      return known;
    },
    touch: (id: string): void => {
      touched.add(id);
      takeBack(id);
      const one = watched.get(id);
      if (one !== undefined) one.time = noIdleTime;
    },
    forgetAllBut: (ids: ReadonlySet<string>): void => {
      const known = [...watched.keys(), ...touched, ...warned];
      for (const id of known.filter((one) => !ids.has(one))) for (const of of [watched, touched, warned]) of.delete(id);
    },
  };
};

type Ledger = ReturnType<typeof createLedger>;

const isActiveIn = async (deps: IdleDeps, session: Session, one: Watched, isHeard: boolean, limitMs: number): Promise<boolean> => {
  if (isHeard || deps.isAtWork(session)) return true;
  return limitMs > 0 && (await sampleBusy(deps, session, one, Math.min(askEveryMs, limitMs / 4)));
};

const lookAt = async (deps: IdleDeps, book: SessionBook, ledger: Ledger, session: Session, stepMs: number): Promise<void> => {
  const { id } = session;
  const limitMs = (await deps.limitOf(session)) * 1_000;
  const one = ledger.of(id);
  const isActive = await isActiveIn(deps, session, one, ledger.touched.delete(id), limitMs);
  const { time, act } = nextIdle(one.time, { stepMs, isActive, limitMs });
  one.time = time;
  if (act === 'take_back') ledger.takeBack(id);
  if (act === 'warn') {
    ledger.warned.add(id);
    await book.change(id, { idle_stop_at: new Date(deps.clock.now() + warnMs(limitMs)).toISOString() });
  }
  if (act !== 'stop' || ledger.touched.has(id)) return;
  ledger.warned.delete(id);
  ledger.watched.delete(id);
  await deps.stop(id, idleWords(limitMs / 1_000));
};

/** Makes the watch; whoever makes it calls `look` now and then. */
export const createIdleWatch = (deps: IdleDeps, book: SessionBook): IdleWatch => {
  const ledger = createLedger(deps, book);
  let lookedAtMs = deps.clock.monotonic();
  return {
    touch: ledger.touch,
    look: async () => {
      const now = deps.clock.monotonic();
      const stepMs = now - lookedAtMs;
      lookedAtMs = now;
      const running = (await book.list()).filter(({ status }) => status === 'running');
      ledger.forgetAllBut(new Set(running.map(({ id }) => id)));
      for (const session of running) {
        // Left by a host that ended meanwhile: it is warned anew.
        if (session.idle_stop_at && !ledger.warned.has(session.id)) await book.change(session.id, { idle_stop_at: null });
        // What cannot be asked or stopped now is looked at again in a moment.
        await lookAt(deps, book, ledger, session, stepMs).catch(() => undefined);
      }
    },
    times: () => Object.fromEntries([...ledger.watched].map(([id, { time }]) => [id, Math.round(time.idleMs / 1_000)])),
  };
};
