// The runtimes of this machine: found, probed, followed, and found again when they come back. The rest of the engine asks here.
import { homedir } from 'node:os';
import { SandlotError } from '../base/errors.ts';
import type { RuntimeProbe } from '../contract/model.ts';
import type { ContainerRuntime, RuntimeEvent, RuntimeInfo } from './container-runtime.ts';
import type { Candidate } from './discover.ts';
import { dockerConfigFolder, listCandidates } from './discover.ts';
import { readDockerContexts } from './docker-contexts.ts';
import type { DockerRuntime } from './docker-runtime.ts';
import { followRuntime, type Pause } from './follow-runtime.ts';
import { createOwnPodman, type OwnPodman } from './own-podman.ts';
import { lookAtSocket, nothingFound, probeCandidate } from './probe.ts';
import { createIdOf } from './runtime-ids.ts';

export interface RuntimesOptions {
  env: Record<string, string | undefined>;
  /** For the socket of a Podman service that we start ourselves. */
  runFolder: string;
  homeFolder?: string;
  uid?: number;
  /** false: never start a Podman service. */
  startPodman?: boolean;
  /** What was preferred before. */
  preferred?: string | null;
  /** The known sockets to look at besides what the user has named; tests give their own. */
  knownSockets?: (candidate: Candidate) => boolean;
  onChange: (probes: RuntimeProbe[]) => void;
  onEvent: (id: string, event: RuntimeEvent) => void;
  /** The runtime was away: what is known of its containers must be looked up again. */
  onReconnected: (id: string) => void;
  /** How often failed places are looked at again. */
  retryMs?: number;
  /** Wall clock in milliseconds: a jump is a machine that slept. */
  now?: () => number;
  /** How a lost runtime is waited for between two tries. */
  pause?: Pause;
}

export interface Runtimes {
  list: () => RuntimeProbe[];
  refresh: () => Promise<RuntimeProbe[]>;
  /** @throws runtime_not_found, runtime_unavailable with the probe's message */
  get: (id: string) => ContainerRuntime;
  /** What was preferred while it answers, else what the user's own settings name, else the first that answers. */
  defaultId: () => string | null;
  /** Takes this one for what says no runtime. @throws runtime_not_found, runtime_unavailable */
  prefer: (id: string) => RuntimeProbe[];
  /** As it was when the runtime was last connected. */
  info: (id: string) => Promise<RuntimeInfo>;
  close: () => Promise<void>;
}

/** What `createRuntimes` keeps; the functions below act on it. */
interface State {
  options: RuntimesOptions;
  homeFolder: string;
  uid: number;
  entries: Map<string, Entry>;
  idOf: (candidate: Candidate) => string;
  /** All places that were looked at last. */
  tried: Candidate[];
  podman: OwnPodman;
  preferred: string | null;
  isClosed: boolean;
  /** The list as it was told last. */
  told: string;
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

const defaultIdOf = ({ entries, preferred }: State): string | null => {
  const all = [...entries.values()];
  const wished = all.find(({ probe }) => probe.id === preferred && probe.status === 'connected');
  const chosen = all.find(({ candidate }) => candidate.isChosen);
  const answering = (kind: string) => all.find(({ probe }) => probe.status === 'connected' && probe.kind === kind);
  return (wished ?? chosen ?? answering('docker') ?? answering('podman'))?.probe.id ?? null;
};

const listOf = (state: State): RuntimeProbe[] => {
  if (state.entries.size === 0) return [nothingFound(state.tried, state.podman.problem())];
  const main = defaultIdOf(state);
  return [...state.entries.values()].map(({ probe }) => ({ ...probe, is_default: probe.id === main }));
};

const tell = (state: State): void => {
  const list = listOf(state);
  const now = JSON.stringify(list);
  if (state.isClosed || now === state.told) return;
  state.told = now;
  state.options.onChange(list);
};

const reconnect = async (state: State, entry: Entry): Promise<boolean> => {
  const { id } = entry.probe;
  const found = await probeCandidate(id, entry.candidate);
  found.runtime?.close();
  if (found.probe.status !== 'connected') return false;
  entry.probe = found.probe;
  entry.runtime?.forgetInfo();
  tell(state);
  return true;
};

const follow = (state: State, entry: Entry, runtime: DockerRuntime, wasAway: boolean): void => {
  const { source, address } = entry.candidate;
  const { pause } = state.options;
  entry.unfollow?.();
  entry.unfollow = followRuntime(runtime, {
    wasAway,
    ...(pause === undefined ? {} : { pause }),
    onBack: () => state.options.onReconnected(entry.probe.id),
    onEvent: (event) => state.options.onEvent(entry.probe.id, event),
    onLost: () => {
      entry.probe = {
        ...entry.probe,
        status: 'reconnecting',
        message: `The connection to ${address} (from ${source}) ended; connecting again.`,
      };
      tell(state);
    },
    reconnect: () => reconnect(state, entry),
  });
};

const look = async (state: State, candidate: Candidate, isFirst: boolean): Promise<void> => {
  const id = state.idOf(candidate);
  if (state.entries.get(id)?.runtime) return;
  const { probe, runtime } = await probeCandidate(id, candidate);
  if (state.isClosed) {
    runtime?.close();
    return;
  }
  const entry: Entry = { candidate, probe, runtime, unfollow: null };
  state.entries.set(id, entry);
  if (runtime === null) return;
  follow(state, entry, runtime, !isFirst);
};

const withOwnPodman = async (state: State, there: Candidate[]): Promise<Candidate[]> => {
  if (there.some(({ kind }) => kind === 'podman') || state.options.startPodman === false || state.isClosed) return there;
  const own = await state.podman.place();
  return own === null ? there : [...there, own];
};

const discover = async (state: State): Promise<Candidate[]> => {
  const { options, homeFolder, uid } = state;
  const contexts = await readDockerContexts(dockerConfigFolder(options.env, homeFolder));
  const all = listCandidates({ env: options.env, homeFolder, uid, contexts });
  state.tried = all.filter((candidate) => candidate.isExplicit || (options.knownSockets?.(candidate) ?? true));
  const there: Candidate[] = [];
  for (const candidate of state.tried) if (await isThere(candidate)) there.push(candidate);
  return await withOwnPodman(state, there);
};

const sweep = async (state: State, isFirst: boolean): Promise<RuntimeProbe[]> => {
  const there = await discover(state);
  const wanted = new Set(there.map(state.idOf));
  for (const [id, entry] of state.entries) if (!wanted.has(id) && entry.runtime === null) state.entries.delete(id);
  await Promise.all(there.map((candidate) => look(state, candidate, isFirst)));
  tell(state);
  return listOf(state);
};

const find = ({ entries }: State, id: string): ContainerRuntime => {
  const entry = entries.get(id);
  if (entry === undefined) {
    const known = [...entries.keys()].join(', ') || 'none';
    throw new SandlotError('runtime_not_found', `There is no runtime "${id}". Found here: ${known}.`, { nextAction: 'sandlot doctor' });
  }
  const { runtime, probe } = entry;
  if (runtime !== null && probe.status === 'connected') return runtime;
  const code = probe.status === 'permission_denied' ? 'runtime_permission_denied' : 'runtime_unavailable';
  throw new SandlotError(code, probe.message, probe.fix === null ? {} : { nextAction: probe.fix });
};

// After a sleep the event streams may be dead without knowing it.
const startOver = (state: State): void => {
  for (const entry of state.entries.values()) {
    if (entry.runtime === null || entry.probe.status !== 'connected') continue;
    follow(state, entry, entry.runtime, true);
  }
};

const closeAll = async (state: State): Promise<void> => {
  state.isClosed = true;
  for (const { unfollow, runtime } of state.entries.values()) {
    unfollow?.();
    runtime?.close();
  }
  await state.podman.stop();
};

/** Looks for runtimes, then keeps the list true until `close`. */
export const createRuntimes = async (options: RuntimesOptions): Promise<Runtimes> => {
  const { homeFolder = homedir(), uid = process.getuid?.() ?? 0, retryMs = 5000, now = Date.now } = options;
  const idOf = createIdOf();
  const podman = createOwnPodman(options.env, options.runFolder);
  const { preferred = null } = options;
  const state: State = { options, homeFolder, uid, entries: new Map(), idOf, tried: [], podman, preferred, isClosed: false, told: '' };
  let running: Promise<RuntimeProbe[]> | null = null;
  const refresh = (isFirst = false): Promise<RuntimeProbe[]> => {
    running ??= sweep(state, isFirst).finally(() => {
      running = null;
    });
    return running;
  };
  let lastTick = now();
  const timer = setInterval(() => {
    if (now() - lastTick > retryMs + jumpMs) startOver(state);
    lastTick = now();
    // The next tick tries again.
    refresh().catch(() => undefined);
  }, retryMs);
  timer.unref();
  await refresh(true);
  return {
    list: () => listOf(state),
    refresh: () => refresh(),
    get: (id) => find(state, id),
    defaultId: () => defaultIdOf(state),
    prefer: (id) => {
      find(state, id);
      state.preferred = id;
      tell(state);
      return listOf(state);
    },
    info: async (id) => await find(state, id).info(),
    close: async () => {
      clearInterval(timer);
      await running?.catch(() => undefined);
      await closeAll(state);
    },
  };
};
