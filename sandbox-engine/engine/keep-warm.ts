// Keeps one sandbox ready for each environment that is marked warm, for as long as the host runs and memory is not short. What an edit, a
// pin or a verdict has changed is thrown away and made anew; one at a time, and after what people do.
import { freemem, totalmem } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { canonicalJson } from '../base/canonical-json.ts';
import type { AppEvent } from '../contract/events.ts';
import type { Environment } from '../contract/model.ts';
import type { LaunchPlan } from '../session/session-parts.ts';
import type { WarmPlace } from '../session/warm-sandboxes.ts';
import { launchPlan, type PlanRooms } from './launch-plan.ts';

export interface WarmKeeper {
  /** Nothing is made from here on, and what stands ready is removed. */
  stop: () => Promise<void>;
}

export interface WarmKeeperOptions {
  /** Bytes that this machine has free. */
  freeBytes?: () => number;
  quietMs?: number;
}

/** What has just been launched goes first. */
const usualQuietMs = 2_000;
/** As many of the newest environments are looked at, and as many of them at most are kept warm. */
const mostEnvironments = 100;
const mostWarm = 8;
/** How often is looked whether memory has become short, or is so no more. */
const lookMs = 30_000;

const mebibyte = 1024 ** 2;

/** Below this nothing stands ready. Pure. */
export const leastFree = (totalBytes: number): number => Math.min(1024 * mebibyte, totalBytes / 16);

/** What a sandbox is made of, but for its id: another text, another sandbox. Pure. */
export const warmKey = ({ environment, image, cpus, memoryBytes, config }: LaunchPlan): string =>
  canonicalJson([environment.name, image, cpus, memoryBytes, config ?? null, environment.network_policy]);

/** The plan with its image known; null when it would have to be made by a setup run first, or the environment can start nothing now. */
const planFor = async (rooms: PlanRooms, environment: Environment, signal: AbortSignal): Promise<LaunchPlan | null> => {
  try {
    const plan = await launchPlan(rooms, environment);
    if (typeof plan.image === 'string') return plan;
    if (plan.imageSource === 'prepared') return null;
    return { ...plan, image: await plan.image(signal, () => undefined) };
  } catch {
    // Whoever launches it hears why.
    return null;
  }
};

/** What may have changed what a sandbox is made of, or what stands ready. */
const isNews = ({ name, payload }: AppEvent): boolean => {
  if (name === 'session.changed') return payload.status === 'running' || payload.status === 'failed';
  return name === 'environment.changed' || name === 'environment.removed' || name === 'pin.changed' || name === 'runtimes.changed';
};

/** Brings what stands ready to what should. */
const bring = async (rooms: PlanRooms, isShort: boolean, signal: AbortSignal): Promise<void> => {
  const { registry, sessions } = rooms.house;
  const { environments } = await registry.environments.list({ limit: mostEnvironments, includeArchived: false });
  const marked = isShort ? [] : environments.filter(({ warm }) => warm).slice(0, mostWarm);
  const plans = new Map<string, { plan: LaunchPlan; key: string }>();
  for (const environment of marked) {
    const plan = await planFor(rooms, environment, signal);
    if (plan !== null) plans.set(environment.id, { plan, key: warmKey(plan) });
  }
  const isRight = ({ environmentId, key }: WarmPlace) => plans.get(environmentId)?.key === key;
  await sessions.warm.drop((place) => !isRight(place));
  for (const [environmentId, { plan, key }] of plans) {
    if (signal.aborted || sessions.warm.list().some((place) => place.environmentId === environmentId)) continue;
    // The next launch makes its own, and says what is wrong.
    await sessions.warm.prepare(plan, key).catch(() => undefined);
  }
};

/** Follows the environments of a host from now on. */
export const keepWarm = (rooms: PlanRooms, { freeBytes = freemem, quietMs = usualQuietMs }: WarmKeeperOptions = {}): WarmKeeper => {
  const abort = new AbortController();
  const isShort = (): boolean => freeBytes() < leastFree(totalmem());
  let wanted = true;
  let wasShort = false;
  let working: Promise<void> | null = null;
  const work = async (): Promise<void> => {
    while (wanted && !abort.signal.aborted) {
      wanted = false;
      await pause(quietMs, undefined, { signal: abort.signal, ref: false });
      wasShort = isShort();
      await bring(rooms, wasShort, abort.signal);
    }
  };
  const look = (): void => {
    wanted = true;
    working ??= work()
      .catch(() => undefined)
      .finally(() => {
        working = null;
      });
  };
  const unsubscribe = rooms.house.bus.subscribe((event) => {
    if (isNews(event)) look();
  });
  const watch = setInterval(() => {
    if (isShort() !== wasShort) look();
  }, lookMs).unref();
  look();
  return {
    stop: async () => {
      abort.abort();
      clearInterval(watch);
      unsubscribe();
      await working;
      await rooms.house.sessions.warm.drop(() => true);
    },
  };
};
