// Has the sessions looked at every few seconds, so that idle ones stop and those that are kept too long go. Remembers over a restart how long
// each was idle; time in which no host was awake does not count.
import type { LoggedAttempt, Session } from '../contract/model.ts';
import type { SessionLife } from '../session/session-life.ts';
import type { SessionDeps } from '../session/session-parts.ts';
import type { Ground, House } from './house.ts';

const setting = 'idle_times';
const lookEveryMs = 5_000;
const keepEveryMs = 60_000;

/** How long the environments let their sessions idle and keep them, as they are now. */
export const openLifetimes = async ({ registry }: Pick<Ground, 'registry'>): Promise<NonNullable<SessionDeps['lifetimes']>> => {
  const environmentOf = ({ environment_id }: Session) => registry.environments.find(environment_id);
  return {
    idleSecondsOf: async (session) => (await environmentOf(session))?.idle_stop_seconds ?? 0,
    retentionSecondsOf: async (session) => (await environmentOf(session))?.retention_seconds ?? null,
    keptIdle: readTimes(await registry.setting(setting)),
  };
};

const readTimes = (text: string | null): Record<string, number> => {
  try {
    const read = Object.entries(JSON.parse(text ?? '{}') as Record<string, unknown>);
    return Object.fromEntries(read.filter((entry): entry is [string, number] => Number.isFinite(entry[1])));
  } catch {
    // Damaged: everybody has been idle for no time.
    return {};
  }
};

/** Begins to look; the answer ends it, and keeps what is known. */
export const keepLifetimes = ({
  registry,
  clock,
  bus,
  sessions,
}: Pick<House, 'registry' | 'clock' | 'bus' | 'sessions'>): (() => Promise<void>) => {
  const { life } = sessions;
  let keptAtMs = clock.monotonic();
  let keptText = '';
  const keep = async (): Promise<void> => {
    const text = JSON.stringify(life.times());
    if (text === keptText) return;
    await registry.saveSetting(setting, text);
    keptText = text;
  };
  const look = async (): Promise<void> => {
    await life.look();
    if (clock.monotonic() - keptAtMs < keepEveryMs) return;
    keptAtMs = clock.monotonic();
    await keep();
  };
  // What fails is tried again in a moment.
  const timer = setInterval(() => void look().catch(() => undefined), lookEveryMs);
  timer.unref();
  const unsubscribe = followStops(bus, life);
  return async () => {
    clearInterval(timer);
    unsubscribe();
    await keep().catch(() => undefined);
  };
};

/** Sessions out of which something was let. */
const passedIn = (attempts: readonly LoggedAttempt[]): string[] =>
  attempts.flatMap(({ session_id, verdict }) => (session_id !== null && verdict === 'allowed' ? [session_id] : []));

/** A session that has just stopped says at once until when it is kept; others do when their environment says something else. */
const followStops = (bus: House['bus'], life: Pick<SessionLife, 'consider' | 'touch'>): (() => void) =>
  bus.subscribe((event) => {
    if (event.name === 'egress.attempts') for (const id of passedIn(event.payload.attempts)) life.touch(id);
    if (event.name === 'session.changed' && event.payload.status === 'stopped') life.consider(event.payload).catch(() => undefined);
  });

/** Whether a session here still needs a host: to be stopped when it is idle, or to be removed soon. */
export const needsLifetime = async (
  { registry, clock }: Pick<House, 'registry' | 'clock'>,
  sessions: readonly Session[],
): Promise<boolean> => {
  for (const { status, environment_id, delete_at } of sessions) {
    if (delete_at && Date.parse(delete_at) < clock.now() + soonMs) return true;
    if (status === 'running' && ((await registry.environments.find(environment_id))?.idle_stop_seconds ?? 0) > 0) return true;
  }
  return false;
};

const soonMs = 15 * 60_000;
