// The gates of one host: open one before a sandbox starts, bring it back before a sandbox resumes, mend it while a sandbox lives,
// close it when the sandbox is gone. It knows containers and folders; who listens on the sockets, and what a policy says, it does not.
// Source: SPEC.md 6 (Enforcement); NETWORK.md 0 (L11).
import { SandlotError } from '../base/errors.ts';
import { createTurns } from '../base/take-turns.ts';
import type { ContainerRuntime, ContainerSpec } from '../container/container-runtime.ts';
import type { MakeLabels } from '../container/labels.ts';
import type { Connection, NetworkOwner, SandboxNetwork } from '../container/sandbox-network.ts';
import { sandboxHostname } from '../container/sandbox-spec.ts';
import { behindGate, type GateSpec, gateName, gateSpec, seccompOption, standInName } from './gate-container.ts';
import type { GateImages } from './gate-image.ts';
import type { GatePlaces } from './gate-place.ts';
import { healGate } from './heal-gate.ts';
import { proveGate } from './prove-gate.ts';
import { removeGateOrphans } from './remove-orphans.ts';
import type { SelfTest } from './self-test.ts';

export interface GateDeps {
  runtimeOf: (id: string) => ContainerRuntime;
  makeLabels: MakeLabels;
  images: GateImages;
  places: GatePlaces;
}

/** A gate, and how to have the host listen for it: called before the gate is asked anything. */
export interface KnownGate extends NetworkOwner {
  listen: (socketFolder: string) => Promise<void>;
}

export interface GateRequest extends KnownGate {
  /** Ports that the policy names, for kernels that cannot catch all. */
  ports: number[];
  signal: AbortSignal;
  onLine: (line: string) => void;
  /** As where addresses cannot be translated. */
  capture?: 'all' | 'ports';
}

export interface OpenGate {
  gateId: string;
  /** What the sandbox's container needs. */
  join: SandboxNetwork;
  /** Resolves when the gate has proven itself: no sandbox may be started before. @throws gate_failed */
  proven: Promise<SelfTest>;
}

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
  heal: (gate: KnownGate, sandboxContainerId: string) => Promise<Connection>;
  /** After the sandbox was stopped, and before it is removed: a runtime may want what joined its network to go first. */
  rest: (owner: NetworkOwner) => Promise<void>;
  /** After the sandbox is gone; safe to repeat. */
  close: (owner: NetworkOwner) => Promise<void>;
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

const removeByName = async (runtime: ContainerRuntime, name: string): Promise<void> => {
  const found = await runtime.inspectContainer(name);
  if (found !== null) await runtime.removeContainer(found.id);
};

const resume = async (deps: GateDeps, gate: KnownGate): Promise<void> => {
  const runtime = deps.runtimeOf(gate.runtimeId);
  const found = await runtime.inspectContainer(gateName(gate.sandboxId));
  if (found === null) {
    throw new SandlotError('gate_failed', 'The gate of this sandbox was removed outside Sandlot, so the sandbox cannot be started again.', {
      nextAction: 'Launch a new session.',
    });
  }
  const place = await deps.places.make(gate.sandboxId);
  await gate.listen(place.socketFolder);
  await removeByName(runtime, standInName(gate.sandboxId));
  await runtime.startContainer(found.id);
  await proveGate(runtime, found.id);
};

const open = async (deps: GateDeps, request: GateRequest): Promise<OpenGate> => {
  const { runtimeId, sandboxId, signal, ports, capture = 'all' } = request;
  const runtime = deps.runtimeOf(runtimeId);
  const imageId = await deps.images.ensure(runtimeId, signal, request.onLine);
  const place = await deps.places.make(sandboxId);
  await request.listen(place.socketFolder);
  signal.throwIfAborted();
  const gateId = await startGate(runtime, {
    ...{ owner: request, imageId, runtimeKind: runtime.kind, place, makeLabels: deps.makeLabels },
    ...{ hostname: sandboxHostname(sandboxId), ports, capture },
  });
  const proven = proveGate(runtime, gateId);
  // Whoever waits for it hears of it; nobody else need.
  proven.catch(() => undefined);
  return { gateId, join: behindGate(gateId, place, runtime.kind), proven };
};

const rest = async (deps: GateDeps, { runtimeId, sandboxId }: NetworkOwner): Promise<void> => {
  const runtime = deps.runtimeOf(runtimeId);
  await removeByName(runtime, standInName(sandboxId));
  const gate = await runtime.inspectContainer(gateName(sandboxId));
  if (gate?.status === 'running') await runtime.stopContainer(gate.id, 1);
};

/** Makes the gates of one host. */
export const createGates = (deps: GateDeps): Gates => {
  // An event, a restarted host and a person may all want the same gate mended, or gone.
  const inTurn = createTurns();
  // Those of this host that are not closed yet: their sandboxes may be about to be made.
  const opened = new Set<string>();
  const close = async ({ runtimeId, sandboxId }: NetworkOwner): Promise<void> => {
    const runtime = deps.runtimeOf(runtimeId);
    await removeByName(runtime, standInName(sandboxId));
    await removeByName(runtime, gateName(sandboxId));
    await deps.places.remove(sandboxId);
    opened.delete(sandboxId);
  };
  const openOrClose = async (request: GateRequest): Promise<OpenGate> => {
    opened.add(request.sandboxId);
    try {
      return await open(deps, request);
    } catch (thrown) {
      await close(request).catch(() => undefined);
      throw thrown;
    }
  };
  return {
    hasImage: async (runtimeId) => (await deps.images.find(runtimeId)) !== null,
    ensureImage: async (...request) => void (await deps.images.ensure(...request)),
    none: async (runtimeId) => {
      const file = await deps.places.makeProfile();
      return { network: 'none', env: [], mounts: [], securityOpt: [seccompOption(deps.runtimeOf(runtimeId).kind, file)] };
    },
    open: (request) => inTurn(request.sandboxId, () => openOrClose(request)),
    resume: (gate) => inTurn(gate.sandboxId, () => resume(deps, gate)),
    heal: (gate, sandboxContainerId) =>
      inTurn(gate.sandboxId, async () => {
        const place = await deps.places.make(gate.sandboxId);
        await gate.listen(place.socketFolder);
        return await healGate(deps, gate, sandboxContainerId);
      }),
    rest: (owner) => inTurn(owner.sandboxId, () => rest(deps, owner)),
    close: (owner) => inTurn(owner.sandboxId, () => close(owner)),
    removeOrphans: async (runtimeId) => {
      await removeGateOrphans(deps, runtimeId, opened);
      await deps.images.removeOlder(runtimeId);
    },
  };
};
