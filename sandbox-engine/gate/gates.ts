// The gates of one host: open one before a sandbox starts, bring it back before a sandbox resumes, mend it while a sandbox lives,
// close it when the sandbox is gone. It knows containers and folders; who listens on the sockets, and what a policy says, it does not.
// Source: SPEC.md 6 (Enforcement); NETWORK.md 0 (L11).
import { SandlotError } from '../base/errors.ts';
import type { ContainerDetails, ContainerRuntime, ContainerSpec } from '../container/container-runtime.ts';
import type { MakeLabels } from '../container/labels.ts';
import type { SandboxNetwork } from '../container/sandbox-network.ts';
import {
  behindGate,
  type GateOwner,
  type GateSpec,
  gateName,
  gateSpec,
  seccompOption,
  standInName,
  standInSpec,
} from './gate-container.ts';
import type { GateImages } from './gate-image.ts';
import type { GatePlaces } from './gate-place.ts';
import { proveGate, testGate } from './prove-gate.ts';
import { removeGateOrphans } from './remove-orphans.ts';
import type { SelfTest } from './self-test.ts';

export interface GateDeps {
  runtimeOf: (id: string) => ContainerRuntime;
  makeLabels: MakeLabels;
  images: GateImages;
  places: GatePlaces;
}

export interface GateRequest extends GateOwner {
  hostname: string;
  /** Ports that the policy names, for kernels that cannot catch all. */
  ports: number[];
  /** Has the host listen in this folder; called before the gate is asked anything. */
  listen: (socketFolder: string) => Promise<void>;
  signal: AbortSignal;
  onLine: (line: string) => void;
  capture?: 'all' | 'ports';
}

export interface OpenGate {
  gateId: string;
  /** What the sandbox's container needs. */
  join: SandboxNetwork;
  /** Resolves when the gate has proven itself: no sandbox may be started before. @throws gate_failed */
  proven: Promise<SelfTest>;
}

/** How a sandbox that runs is connected. `cut_off`: nothing passes, until it is mended. */
export type GateState = 'whole' | 'mended' | 'cut_off';

/** A gate that stands already, and whose sandbox. */
export type KnownGate = GateOwner & Pick<GateRequest, 'listen'>;

export interface Gates {
  /** Whether a gate can be opened without making its image first. */
  hasImage: (runtimeId: string) => Promise<boolean>;
  /** @throws build_failed @throws cancelled */
  ensureImage: (runtimeId: string, signal: AbortSignal, onLine: (line: string) => void) => Promise<void>;
  /** A network with no way out and nobody behind it, under the same seccomp profile. */
  none: (runtimeId: string) => Promise<SandboxNetwork>;
  /** @throws gate_failed @throws build_failed @throws cancelled; what was made by then is removed again */
  open: (request: GateRequest) => Promise<OpenGate>;
  /** Before a stopped sandbox is started again. @throws gate_failed */
  resume: (gate: KnownGate) => Promise<void>;
  /** For a sandbox that runs: looks, and mends what can be mended without touching it. */
  heal: (gate: KnownGate, sandboxContainerId: string) => Promise<GateState>;
  /** After the sandbox is gone; safe to repeat. */
  close: (owner: GateOwner) => Promise<void>;
  /** With the sandbox stopped: what is not needed until it is resumed. */
  rest: (owner: GateOwner) => Promise<void>;
  /** Removes the gates of this data folder that no sandbox stands behind, and the images of older versions that no gate stands on. */
  removeOrphans: (runtimeId: string) => Promise<void>;
}

const isNoIpv6 = (thrown: unknown): boolean => thrown instanceof SandlotError && /disable_ipv6/.test(thrown.message);

/** Creates and starts; a kernel without IPv6 has no setting to switch it off by. */
const startGate = async (runtime: ContainerRuntime, gate: GateSpec): Promise<string> => {
  const begin = async (spec: ContainerSpec): Promise<string> => {
    const id = await runtime.createContainer(spec);
    try {
      await runtime.startContainer(id);
      return id;
    } catch (thrown) {
      await runtime.removeContainer(id).catch(() => undefined);
      throw thrown;
    }
  };
  try {
    return await begin(gateSpec(gate));
  } catch (thrown) {
    if (!isNoIpv6(thrown)) throw thrown;
    return await begin(gateSpec({ ...gate, withoutIpv6Setting: true }));
  }
};

const startedMs = (container: ContainerDetails): number => Date.parse(container.startedAt ?? '') || 0;

/** The container that keeps this sandbox's namespace: one that began later made, or joined, another one. */
const keeperOf = async (runtime: ContainerRuntime, sandboxId: string, sandbox: ContainerDetails): Promise<string | null> => {
  const [gate, standIn] = await Promise.all([gateName(sandboxId), standInName(sandboxId)].map((name) => runtime.inspectContainer(name)));
  if (gate?.status === 'running' && startedMs(gate) <= startedMs(sandbox)) return gate.id;
  if (standIn?.status === 'running' && startedMs(standIn) >= startedMs(sandbox)) return standIn.id;
  return null;
};

const isWhole = async (runtime: ContainerRuntime, keeper: string | null): Promise<boolean> =>
  keeper !== null && (await testGate(runtime, keeper).catch(() => null))?.passed === true;

const removeByName = async (runtime: ContainerRuntime, name: string): Promise<void> => {
  const found = await runtime.inspectContainer(name);
  if (found !== null) await runtime.removeContainer(found.id);
};

/** Puts a stand-in beside the sandbox: its namespace still has route and rules, only the relay is missing. */
const standIn = async (deps: GateDeps, gate: KnownGate, sandboxContainerId: string): Promise<GateState> => {
  const runtime = deps.runtimeOf(gate.runtimeId);
  const imageId = await deps.images.find(gate.runtimeId);
  if (imageId === null) return 'cut_off';
  await removeByName(runtime, standInName(gate.sandboxId));
  const spec = standInSpec(
    {
      owner: gate,
      imageId,
      runtimeKind: runtime.kind,
      place: deps.places.of(gate.sandboxId),
      makeLabels: deps.makeLabels,
      hostname: '',
      ports: [],
    },
    sandboxContainerId,
  );
  const id = await runtime.createContainer(spec);
  await runtime.startContainer(id);
  if (await isWhole(runtime, id)) return 'mended';
  await runtime.removeContainer(id);
  return 'cut_off';
};

const heal = async (deps: GateDeps, gate: KnownGate, sandboxContainerId: string): Promise<GateState> => {
  const runtime = deps.runtimeOf(gate.runtimeId);
  const place = await deps.places.make(gate.sandboxId);
  await gate.listen(place.socketFolder);
  const sandbox = await runtime.inspectContainer(sandboxContainerId);
  if (sandbox?.status !== 'running') return 'cut_off';
  const keeper = await keeperOf(runtime, gate.sandboxId, sandbox);
  if (await isWhole(runtime, keeper)) return 'whole';
  return await standIn(deps, gate, sandboxContainerId);
};

const resume = async (deps: GateDeps, gate: KnownGate): Promise<void> => {
  const runtime = deps.runtimeOf(gate.runtimeId);
  const found = await runtime.inspectContainer(gateName(gate.sandboxId));
  if (found === null) {
    throw new SandlotError('gate_failed', 'The gate of this sandbox was removed outside Sandlot, so the sandbox cannot be started again.', {
      nextAction: 'Its workspace is still there: download it, or launch a new session.',
    });
  }
  const place = await deps.places.make(gate.sandboxId);
  await gate.listen(place.socketFolder);
  await removeByName(runtime, standInName(gate.sandboxId));
  await runtime.startContainer(found.id);
  await proveGate(runtime, found.id);
};

const open = async (deps: GateDeps, request: GateRequest): Promise<OpenGate> => {
  const { runtimeId, sandboxId, signal } = request;
  const runtime = deps.runtimeOf(runtimeId);
  const imageId = await deps.images.ensure(runtimeId, signal, request.onLine);
  const place = await deps.places.make(sandboxId);
  await request.listen(place.socketFolder);
  signal.throwIfAborted();
  const gateId = await startGate(runtime, {
    owner: request,
    imageId,
    runtimeKind: runtime.kind,
    place,
    makeLabels: deps.makeLabels,
    hostname: request.hostname,
    ports: request.ports,
    ...(request.capture === undefined ? {} : { capture: request.capture }),
  });
  const proven = proveGate(runtime, gateId);
  // Whoever waits for it hears of it; nobody else need.
  proven.catch(() => undefined);
  return { gateId, join: behindGate(gateId, place, runtime.kind), proven };
};

/** Makes the gates of one host. */
export const createGates = (deps: GateDeps): Gates => {
  // Those of this host that are not closed yet: their sandboxes may be about to be made.
  const opened = new Set<string>();
  const close = async ({ runtimeId, sandboxId }: GateOwner): Promise<void> => {
    const runtime = deps.runtimeOf(runtimeId);
    await removeByName(runtime, standInName(sandboxId));
    await removeByName(runtime, gateName(sandboxId));
    await deps.places.remove(sandboxId);
    opened.delete(sandboxId);
  };
  return {
    hasImage: async (runtimeId) => (await deps.images.find(runtimeId)) !== null,
    ensureImage: async (...request) => void (await deps.images.ensure(...request)),
    none: async (runtimeId) => {
      const file = await deps.places.makeProfile();
      return { network: 'none', env: [], mounts: [], securityOpt: [seccompOption(deps.runtimeOf(runtimeId).kind, file)] };
    },
    open: async (request) => {
      opened.add(request.sandboxId);
      try {
        return await open(deps, request);
      } catch (thrown) {
        await close(request).catch(() => undefined);
        throw thrown;
      }
    },
    resume: (gate) => resume(deps, gate),
    heal: (gate, sandboxContainerId) => heal(deps, gate, sandboxContainerId),
    close,
    rest: async ({ runtimeId, sandboxId }) => {
      const runtime = deps.runtimeOf(runtimeId);
      await removeByName(runtime, standInName(sandboxId));
      const gate = await runtime.inspectContainer(gateName(sandboxId));
      if (gate?.status === 'running') await runtime.stopContainer(gate.id, 1);
    },
    removeOrphans: async (runtimeId) => {
      await removeGateOrphans(deps, runtimeId, opened);
      await deps.images.removeOlder(runtimeId);
    },
  };
};
