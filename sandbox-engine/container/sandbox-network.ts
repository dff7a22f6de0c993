// Which way a policy leads, what a sandbox's container needs for it, and what the workflows ask of whoever makes the ways (the engine).
// Source: SPEC.md 6; NETWORK.md 1.1: {} is the only open policy, and nothing is open by being empty, missing or odd.
import type { Environment, NetworkPolicy, Seal } from '../contract/model.ts';
import type { ContainerSpec, MountSpec } from './container-runtime.ts';

/** The part of a sandbox's container that decides what it can reach. */
export interface SandboxNetwork {
  network: ContainerSpec['network'];
  /** `NAME=value`; the environment's own variables come after them and win. */
  env: string[];
  mounts: MountSpec[];
  securityOpt: string[];
}

/** The runtime's ordinary network with nothing taken away. */
export const openNetwork: SandboxNetwork = { network: 'bridge', env: [], mounts: [], securityOpt: [] };

/** Which way a policy leads: exactly `{}` is the runtime's own network, all else is behind a gate. */
export const wayOf = (policy: NetworkPolicy): 'bridge' | 'gate' => {
  const isPlain = typeof policy === 'object' && policy !== null && !Array.isArray(policy);
  return isPlain && Reflect.ownKeys(policy).length === 0 ? 'bridge' : 'gate';
};

/** Whose network it is. */
export interface NetworkOwner {
  runtimeId: string;
  sandboxId: string;
  kind: 'session' | 'setup-run';
  /** The id of a gate that is gone, in whose place this one is made. */
  standsFor?: string;
}

export interface NetworkRequest extends NetworkOwner {
  /** Its policy is what the sandbox keeps. */
  environment: Environment;
  /** What the sandbox boots from; its tools are asked for their registries. */
  imageId: string;
  /** Everything public passes, and is written down; asked for by a person. */
  observe: boolean;
  /** Somebody wants to see what it tries: also where nothing can be reached it gets a gate, which is made if there is none yet. */
  isSeen?: boolean;
  signal: AbortSignal;
  onLine: (line: string) => void;
}

/** A network that is there for one sandbox. */
export interface OpenedNetwork {
  /** `none`: nothing to reach and nobody who sees what is tried. */
  way: 'gate' | 'none';
  /** Over which way its gate reaches the host. */
  over?: 'socket' | 'tcp';
  join: SandboxNetwork;
  /** No sandbox may be started before this resolves. @throws gate_failed */
  proven: Promise<unknown>;
}

/** A network that another sandbox joins, while the one before it is still there. */
export interface ReopenedNetwork {
  join: SandboxNetwork;
  undo: () => Promise<void>;
  done: () => Promise<void>;
}

/** A closed gate that stands ready for one sandbox alone, under the id that it has. */
export interface ReservedNetwork {
  sandboxId: string;
  join: SandboxNetwork;
}

/** How a running sandbox is connected. `cut_off`: nothing passes. */
export type Connection = { state: 'whole' | 'mended' } | { state: 'cut_off'; reason: string };

/** The restricted networks of one host. Only sandboxes whose policy leads there ask for them. */
export interface SandboxNetworks {
  /**
   * The id that a new session on this runtime is to have, so that it gets the gate that stands ready for it; null where none does. Only
   * one session gets it, and it must `open` or `close` under it.
   */
  takeReady: (runtimeId: string) => string | null;
  /** Makes a closed gate for a sandbox that will be started before it has a session, which then opens it under that id, or closes it;
   *  null where the gate's image would have to be made first. @throws gate_failed */
  reserve: (runtimeId: string) => Promise<ReservedNetwork | null>;
  /** What was made is removed again when it fails. @throws gate_failed @throws build_failed @throws cancelled */
  open: (request: NetworkRequest) => Promise<OpenedNetwork>;
  /** For a sandbox behind a gate: what joins it from now on, under the policy of another environment. Until `done`, which is for when the
   * sandbox `containerId` is gone, only what both policies allow passes, and a host that starts anew puts the former one back for that
   * sandbox. `undo` puts it back at once. @throws gate_failed */
  reopen: (request: NetworkRequest & { containerId: string }) => Promise<ReopenedNetwork>;
  /** Has a stopped sandbox started again by `start`, once its gate stands: the one that it joined, or another in its place. @throws gate_failed */
  resume: (owner: NetworkOwner, containerId: string, start: () => Promise<void>) => Promise<void>;
  /** For a sandbox that runs: looks, and mends what can be mended without touching it. */
  heal: (owner: NetworkOwner, containerId: string) => Promise<Connection>;
  /** Runs the canary inside a sandbox that has started, and judges it. */
  probe: (owner: NetworkOwner, containerId: string) => Promise<Seal>;
  /** The rules that the sandbox was opened with decide from now on, and are kept; what they do not allow is cut. @throws gate_failed */
  endObservation: (owner: NetworkOwner) => Promise<void>;
  /** After the sandbox was stopped, and before it is removed: nothing of it runs on. */
  rest: (owner: NetworkOwner) => Promise<void>;
  /** After the sandbox is gone; safe to repeat. */
  close: (owner: NetworkOwner) => Promise<void>;
  /** Removes what no sandbox needs any more. */
  removeOrphans: (runtimeId: string) => Promise<void>;
}
