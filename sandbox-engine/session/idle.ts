// Stops sessions in which nothing happens: hears of what does, asks the runtime seldom, warns a minute before, says why.
// When is decided in idle-time.ts; how long is too long, the environment says.
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
  return `${amount} ${seconds % 60 === 0 ? 'minute' : 'second'}${amount === 1 ? '' : 's'}`;
};

/** What a session says that was stopped for being idle. */
export const idleWords = (seconds: number): string => `Stopped after ${words(seconds)} without activity.`;

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

/** Makes the watch; whoever makes it calls `look` now and then. */
export const createIdleWatch = (deps: IdleDeps, book: SessionBook): IdleWatch => {
  const { clock } = deps;
  const watched = new Map<string, Watched>();
  const touched = new Set<string>();
  const warned = new Set<string>();
  let lookedAtMs = clock.monotonic();

  const takeBack = (id: string): void => {
    if (warned.delete(id)) book.note(id, { idle_stop_at: null });
  };
  const of = (id: string): Watched => {
    const known = watched.get(id) ?? {
      time: { ...noIdleTime, idleMs: (deps.kept[id] ?? 0) * 1_000 },
      sample: null,
      askedAtMs: Number.NEGATIVE_INFINITY,
    };
    watched.set(id, known);
    return known;
  };

  const lookAt = async (session: Session, stepMs: number): Promise<void> => {
    const { id } = session;
    const limitMs = (await deps.limitOf(session)) * 1_000;
    const one = of(id);
    const isHeard = touched.delete(id) || deps.isAtWork(session);
    const isActive = isHeard || (limitMs > 0 && (await sampleBusy(deps, session, one, Math.min(askEveryMs, limitMs / 4))));
    const { time, act } = nextIdle(one.time, { stepMs, isActive, limitMs });
    one.time = time;
    if (act === 'take_back') takeBack(id);
    if (act === 'warn') {
      warned.add(id);
      book.note(id, { idle_stop_at: new Date(clock.now() + warnMs(limitMs)).toISOString() });
    }
    if (act !== 'stop' || touched.has(id)) return;
    warned.delete(id);
    watched.delete(id);
    await deps.stop(id, idleWords(limitMs / 1_000));
  };

  return {
    touch: (id) => {
      touched.add(id);
      takeBack(id);
      const one = watched.get(id);
      if (one !== undefined) one.time = noIdleTime;
    },
    look: async () => {
      const now = clock.monotonic();
      const stepMs = now - lookedAtMs;
      lookedAtMs = now;
      const running = (await book.list()).filter(({ status }) => status === 'running');
      const ids = new Set(running.map(({ id }) => id));
      for (const id of watched.keys()) if (!ids.has(id)) watched.delete(id);
      for (const id of touched) if (!ids.has(id)) touched.delete(id);
      for (const session of running) {
        // Left by a host that ended meanwhile: it is warned anew.
        if (session.idle_stop_at && !warned.has(session.id)) book.note(session.id, { idle_stop_at: null });
        await lookAt(session, stepMs).catch(() => undefined);
      }
    },
    times: () => Object.fromEntries([...watched].map(([id, { time }]) => [id, Math.round(time.idleMs / 1_000)])),
  };
};
