// The runtimes of this machine: found, probed, followed, and found again when they come back. The rest of the engine asks here.
import { homedir } from 'node:os';
import { SandlotError } from '../base/errors.ts';
import type { RuntimeProbe } from '../contract/model.ts';
import type { ContainerRuntime, RuntimeEvent, RuntimeInfo } from './container-runtime.ts';
import type { Candidate } from './discover.ts';
import { dockerConfigFolder, listCandidates } from './discover.ts';
import { readDockerContexts } from './docker-contexts.ts';
import type { DockerRuntime } from './docker-runtime.ts';
import { followRuntime } from './follow-runtime.ts';
import type { PodmanService } from './podman-service.ts';
import { startPodmanService } from './podman-service.ts';
import { lookAtSocket, nothingFound, probeCandidate } from './probe.ts';

export interface RuntimesOptions {
  env: Record<string, string | undefined>;
  /** For the socket of a Podman service that we start ourselves. */
  runFolder: string;
  homeFolder?: string;
  uid?: number;
  /** false: never start a Podman service. */
  startPodman?: boolean;
  /** The known sockets to look at besides what the user has named; tests give their own. */
  knownSockets?: (candidate: Candidate) => boolean;
  onChange: (probes: RuntimeProbe[]) => void;
  onEvent: (id: string, event: RuntimeEvent) => void;
  /** The runtime was away: what is known of its containers must be looked up again. */
  onReconnected: (id: string) => void;
  /** How often failed places are looked at again. */
  retryMs?: number;
}

export interface Runtimes {
  list: () => RuntimeProbe[];
  refresh: () => Promise<RuntimeProbe[]>;
  /** @throws runtime_not_found, runtime_unavailable with the probe's message */
  get: (id: string) => ContainerRuntime;
  /** What the user has chosen, else the first that answers. */
  defaultId: () => string | null;
  info: (id: string) => Promise<RuntimeInfo>;
  close: () => Promise<void>;
}

interface Entry {
  candidate: Candidate;
  probe: RuntimeProbe;
  runtime: DockerRuntime | null;
  unfollow: (() => void) | null;
}

const isThere = async (candidate: Candidate): Promise<boolean> => {
  if (candidate.isExplicit || candidate.target?.kind !== 'socket') return true;
  const seen = await lookAtSocket(candidate.target.socketPath);
  // An ordinary user cannot even look into root's Podman folder: that says nothing.
  return seen === 'present' || (seen === 'denied' && candidate.kind === 'docker');
};

// A machine that slept shows as a clock that jumped.
const jumpMs = 15_000;

/** Looks for runtimes, then keeps the list true until `close`. */
export const createRuntimes = async (options: RuntimesOptions): Promise<Runtimes> => {
  const { env, runFolder, homeFolder = homedir(), uid = process.getuid?.() ?? 0, retryMs = 5000 } = options;
  const entries = new Map<string, Entry>();
  const ids = new Map<string, string>();
  let tried: Candidate[] = [];
  let service: PodmanService | null = null;
  let closed = false;
  let running: Promise<RuntimeProbe[]> | null = null;

  // An id stays with its address for as long as we live.
  const idOf = (candidate: Candidate): string => {
    const key = candidate.address || candidate.source;
    const known = ids.get(key);
    if (known !== undefined) return known;
    const taken = new Set(ids.values());
    const names = [candidate.kind, candidate.name, ...Array.from({ length: 50 }, (_, n) => `${candidate.name}-${n + 2}`)];
    const safe = names.map((name) => name.toLowerCase().replace(/[^a-z0-9_.-]+/g, '-'));
    const id = safe.find((name) => !taken.has(name)) ?? key;
    ids.set(key, id);
    return id;
  };

  const defaultId = (): string | null => {
    const all = [...entries.values()];
    const chosen = all.find(({ candidate }) => candidate.isChosen);
    const answering = (kind: string) => all.find(({ probe }) => probe.status === 'connected' && probe.kind === kind);
    return (chosen ?? answering('docker') ?? answering('podman'))?.probe.id ?? null;
  };

  const list = (): RuntimeProbe[] => {
    if (entries.size === 0) return [nothingFound(tried)];
    const main = defaultId();
    return [...entries.values()].map(({ probe }) => ({ ...probe, is_default: probe.id === main }));
  };

  let told = '';
  const tell = (): void => {
    const now = JSON.stringify(list());
    if (closed || now === told) return;
    told = now;
    options.onChange(list());
  };

  const follow = (entry: Entry, runtime: DockerRuntime): void => {
    const { id } = entry.probe;
    entry.unfollow = followRuntime(runtime, {
      onEvent: (event) => options.onEvent(id, event),
      onLost: () => {
        const { source, address } = entry.candidate;
        entry.probe = {
          ...entry.probe,
          status: 'reconnecting',
          message: `The connection to ${address} (from ${source}) ended; connecting again.`,
        };
        tell();
      },
      reconnect: async () => {
        const found = await probeCandidate(id, entry.candidate);
        found.runtime?.close();
        if (found.probe.status !== 'connected') return false;
        entry.probe = found.probe;
        tell();
        options.onReconnected(id);
        return true;
      },
    });
  };

  const look = async (candidate: Candidate, isFirst: boolean): Promise<void> => {
    const id = idOf(candidate);
    const before = entries.get(id);
    if (before?.runtime) return;
    const { probe, runtime } = await probeCandidate(id, candidate);
    if (closed) return runtime?.close();
    const entry: Entry = { candidate, probe, runtime, unfollow: null };
    entries.set(id, entry);
    if (runtime === null) return;
    follow(entry, runtime);
    if (!isFirst) options.onReconnected(id);
  };

  const discover = async (): Promise<Candidate[]> => {
    const contexts = await readDockerContexts(dockerConfigFolder(env, homeFolder));
    tried = listCandidates({ env, homeFolder, uid, contexts }).filter(
      (candidate) => candidate.isExplicit || (options.knownSockets?.(candidate) ?? true),
    );
    const there: Candidate[] = [];
    for (const candidate of tried) if (await isThere(candidate)) there.push(candidate);
    return await withOwnPodman(there);
  };

  const withOwnPodman = async (there: Candidate[]): Promise<Candidate[]> => {
    if (there.some(({ kind }) => kind === 'podman') || options.startPodman === false || closed) return there;
    service ??= await startPodmanService(env, runFolder);
    if (service === null) return there;
    const { socketPath } = service;
    const address = `unix://${socketPath}`;
    const target = { kind: 'socket', address, socketPath } as const;
    const source = 'started by Sandlot';
    return [
      ...there,
      { kind: 'podman', name: 'podman', address, source, target, problem: null, tlsFolder: null, isExplicit: false, isChosen: false },
    ];
  };

  const sweep = async (isFirst: boolean): Promise<RuntimeProbe[]> => {
    const there = await discover();
    for (const candidate of there) idOf(candidate);
    const wanted = new Set(there.map(idOf));
    for (const [id, entry] of entries) if (!wanted.has(id) && entry.runtime === null) entries.delete(id);
    await Promise.all(there.map((candidate) => look(candidate, isFirst)));
    tell();
    return list();
  };

  const refresh = (isFirst = false): Promise<RuntimeProbe[]> => {
    running ??= sweep(isFirst).finally(() => {
      running = null;
    });
    return running;
  };

  const find = (id: string): Entry => {
    const entry = entries.get(id);
    if (entry !== undefined) return entry;
    const known = [...entries.keys()].join(', ') || 'none';
    throw new SandlotError('runtime_not_found', `There is no runtime "${id}". Found here: ${known}.`, { nextAction: 'sandlot doctor' });
  };

  const get = (id: string): ContainerRuntime => {
    const { runtime, probe } = find(id);
    if (runtime !== null && probe.status === 'connected') return runtime;
    const options = probe.fix === null ? {} : { nextAction: probe.fix };
    throw new SandlotError(
      probe.status === 'permission_denied' ? 'runtime_permission_denied' : 'runtime_unavailable',
      probe.message,
      options,
    );
  };

  let lastTick = Date.now();
  const timer = setInterval(() => {
    const slept = Date.now() - lastTick > retryMs + jumpMs;
    lastTick = Date.now();
    // After a sleep the event streams may be dead without knowing it.
    if (slept) for (const entry of entries.values()) if (entry.runtime && entry.unfollow) restartFollowing(entry, entry.runtime);
    // The next tick tries again.
    refresh().catch(() => undefined);
  }, retryMs);
  timer.unref();

  const restartFollowing = (entry: Entry, runtime: DockerRuntime): void => {
    entry.unfollow?.();
    follow(entry, runtime);
    options.onReconnected(entry.probe.id);
  };

  await refresh(true);
  return {
    list,
    refresh: () => refresh(),
    get,
    defaultId,
    info: async (id) => await get(id).info(),
    close: async () => {
      closed = true;
      clearInterval(timer);
      for (const { unfollow, runtime } of entries.values()) {
        unfollow?.();
        runtime?.close();
      }
      await service?.stop();
    },
  };
};
