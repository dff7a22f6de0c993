// Measures what sessions use while somebody looks, and remembers the last ten minutes of it. Nobody looks: nothing is asked.
import type { Clock } from '../base/clock.ts';
import type { ContainerRuntime } from '../container/container-runtime.ts';
import { readIdleMemory } from '../container/idle-memory.ts';
import type { Session, SessionUsage, UsageSample } from '../contract/model.ts';
import { createLeases } from './lease.ts';
import { measureWorkspace } from './measure-workspace.ts';
import { keepRecent, sampleBetween, type UsageLook } from './usage-samples.ts';

export interface UsageMeter {
  /** Measures these for a while, and answers what is known; `isCalm`: seldom, and no workspace. */
  watch: (sessions: readonly Session[], isCalm?: boolean) => Promise<SessionUsage[]>;
  /** The session is as this now. */
  settle: (session: Session) => void;
  removed: (sessionId: string) => void;
  close: () => void;
}

export interface UsageMeterDeps {
  runtimeOf: (id: string) => ContainerRuntime;
  clock: Clock;
  /** What passed its gate; null without one. */
  trafficOf: (sessionId: string) => Promise<{ sent: number; received: number } | null>;
  tell: (samples: (UsageSample & { session_id: string })[]) => void;
  /** Its workspace has so many bytes: to be written down in the session, whose number is the only one. */
  measured: (sessionId: string, workspaceBytes: number) => void;
}

const leaseMs = 20_000;
const everyMs = 2_000;
const calmEveryMs = 10_000;
/** When the first rates of a list are there. */
const secondLookMs = 1_000;
const workspaceEveryMs = 60_000;

interface Metered {
  session: Session;
  samples: UsageSample[];
  last: UsageLook | null;
  limits: Pick<SessionUsage, 'cpu_limit' | 'memory_limit_bytes' | 'process_limit'>;
  /** Limits as they are being read, or were; null: not yet. */
  knowing: Promise<void> | null;
  /** Its first process, where this machine's kernel must be asked for what the runtime leaves out. */
  askedPid: number | null;
  trouble: string | null;
  workspaceAtMs: number;
  /** A daemon that is slow to answer is not asked a second time meanwhile. */
  isAsked: boolean;
}

const noLimits = { cpu_limit: null, memory_limit_bytes: null, process_limit: null };

const meteredOf = (session: Session): Metered => ({
  ...{ session, samples: [], last: null, limits: noLimits, knowing: null, askedPid: null, trouble: null },
  ...{ workspaceAtMs: Number.NEGATIVE_INFINITY, isAsked: false },
});

const usageOf = ({ session, samples, limits, trouble }: Metered): SessionUsage => ({ session_id: session.id, samples, ...limits, trouble });

/** Limits do not change while a container lives. */
const readLimits = async (deps: UsageMeterDeps, one: Metered, containerId: string): Promise<void> => {
  const runtime = deps.runtimeOf(one.session.runtime);
  const [details, counters, info] = await Promise.all([
    runtime.inspectContainer(containerId),
    runtime.readCounters(containerId),
    runtime.info(),
  ]);
  const memory = counters?.memoryLimitBytes ?? null;
  one.limits = {
    cpu_limit: details?.cpus ?? (info.cpus > 0 ? info.cpus : null),
    memory_limit_bytes: memory ?? (info.memoryBytes > 0 ? info.memoryBytes : null),
    process_limit: counters?.processLimit ?? null,
  };
  one.askedPid = runtime.kind === 'podman' && !info.isElsewhere && details !== null && details.pid > 0 ? details.pid : null;
};

/** Reads them once; what could not be read is read again by the next who asks. */
const knowLimits = (deps: UsageMeterDeps, one: Metered): Promise<void> => {
  const { status, container_id: containerId } = one.session;
  if (status !== 'running' || containerId === null) return Promise.resolve();
  one.knowing ??= readLimits(deps, one, containerId).catch(() => {
    one.knowing = null;
  });
  return one.knowing;
};

const measureSeldom = (deps: UsageMeterDeps, one: Metered, containerId: string): void => {
  const now = deps.clock.monotonic();
  if (now - one.workspaceAtMs < workspaceEveryMs) return;
  one.workspaceAtMs = now;
  measureWorkspace(deps.runtimeOf(one.session.runtime), containerId).then(
    (bytes) => {
      if (bytes !== null) deps.measured(one.session.id, bytes);
    },
    () => undefined,
  );
};

const lookAt = async (deps: UsageMeterDeps, { session, askedPid }: Metered, containerId: string): Promise<UsageLook | null> => {
  const isGated = session.network === 'gate';
  const [told, traffic, idle] = await Promise.all([
    deps.runtimeOf(session.runtime).readCounters(containerId),
    isGated ? deps.trafficOf(session.id) : null,
    askedPid === null ? 0 : readIdleMemory(askedPid),
  ]);
  if (told === null) return null;
  const counters = { ...told, memoryBytes: told.memoryBytes === null ? null : Math.max(0, told.memoryBytes - idle) };
  const { receivedBytes, sentBytes } = counters;
  const own = receivedBytes === null || sentBytes === null ? null : { received: receivedBytes, sent: sentBytes };
  return { counters, traffic: session.network === 'unrestricted' ? own : traffic, atMs: deps.clock.monotonic() };
};

/** One sample of one session; null when there was nothing to measure. */
const measure = async (deps: UsageMeterDeps, one: Metered, isCalm: boolean): Promise<UsageSample | null> => {
  const { status, container_id: containerId } = one.session;
  if (status !== 'running' || containerId === null || one.isAsked) return null;
  one.isAsked = true;
  try {
    await knowLimits(deps, one);
    if (!isCalm) measureSeldom(deps, one, containerId);
    const look = await lookAt(deps, one, containerId);
    one.trouble = null;
    if (look === null) return null;
    const sample = sampleBetween(one.last, look, deps.clock.iso(), one.session.workspace_bytes ?? null);
    one.last = look;
    one.samples = keepRecent([...one.samples, sample], deps.clock.now());
    return sample;
  } catch (thrown) {
    one.trouble = (thrown as Error).message;
    one.last = null;
    return null;
  } finally {
    one.isAsked = false;
  }
};

/** What is to be forgotten when the session is another one than before. */
const settleMetered = (one: Metered, session: Session): void => {
  if (session.status !== one.session.status || session.container_id !== one.session.container_id) {
    one.last = null;
    one.knowing = null;
  }
  one.session = session;
};

/** Measures in rounds, as long as there is anybody to measure. */
const createRounds = (pace: number, measureAll: (ids: readonly string[]) => Promise<void>, onEnd: (id: string) => void) => {
  let timer: NodeJS.Timeout | null = null;
  const leases = createLeases({
    lastsMs: leaseMs,
    onBegin: (id) => {
      timer ??= setInterval(() => void measureAll(leases.keys()), pace).unref();
      void measureAll([id]);
      if (pace > everyMs) setTimeout(() => void measureAll([id]), secondLookMs).unref();
    },
    onEnd: (id) => {
      onEnd(id);
      if (leases.keys().length > 0 || timer === null) return;
      clearInterval(timer);
      timer = null;
    },
  });
  return leases;
};

/** Two paces: that of whoever looks at one session, and that of a list. */
const createPaces = (measureAll: (ids: readonly string[], isCalm: boolean) => Promise<void>, forget: (id: string) => void) => {
  const near = createRounds(everyMs, (ids) => measureAll(ids, false), forget);
  // Whoever is looked at closely is in the list with what is seen there.
  const far = createRounds(
    calmEveryMs,
    (ids) => {
      const looked = new Set(near.keys());
      return measureAll(
        ids.filter((id) => !looked.has(id)),
        true,
      );
    },
    (id) => {
      if (!near.keys().includes(id)) forget(id);
    },
  );
  return {
    renew: (id: string, isCalm: boolean): void => (isCalm ? far : near).renew(id),
    drop: (id: string): void => {
      for (const rounds of [near, far]) rounds.drop(id);
    },
    dropAll: (): void => {
      for (const rounds of [near, far]) rounds.dropAll();
    },
  };
};

/** Makes the meter of one host. */
export const createUsageMeter = (deps: UsageMeterDeps): UsageMeter => {
  const all = new Map<string, Metered>();
  const measureAll = async (ids: readonly string[], isCalm: boolean): Promise<void> => {
    const found = await Promise.all(
      ids.map(async (id) => {
        const one = all.get(id);
        const sample = one === undefined ? null : await measure(deps, one, isCalm);
        return sample === null ? [] : [{ ...sample, session_id: id }];
      }),
    );
    if (found.flat().length > 0) deps.tell(found.flat());
  };
  const forget = (id: string): void => {
    const one = all.get(id);
    // What was between two times of looking is no rate.
    if (one !== undefined) one.last = null;
  };
  const paces = createPaces(measureAll, forget);

  return {
    watch: async (sessions, isCalm = false) =>
      await Promise.all(
        sessions.map(async (session) => {
          const one = all.get(session.id) ?? meteredOf(session);
          settleMetered(one, session);
          one.samples = keepRecent(one.samples, deps.clock.now());
          all.set(session.id, one);
          paces.renew(session.id, isCalm);
          await knowLimits(deps, one);
          return usageOf(one);
        }),
      ),
    settle: (session) => {
      const one = all.get(session.id);
      if (one !== undefined) settleMetered(one, session);
    },
    removed: (id) => {
      paces.drop(id);
      all.delete(id);
    },
    close: paces.dropAll,
  };
};
