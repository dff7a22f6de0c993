// The gates of one host: open one before a sandbox starts, bring it back before a sandbox resumes, mend it while a sandbox lives,
// close it when the sandbox is gone. It knows containers and folders; who listens on the sockets, and what a policy says, it does not.
// Source: SPEC.md 6 (Enforcement); NETWORK.md 0 (L11).
import { SandlotError } from '../base/errors.ts';
import { createTurns } from '../base/take-turns.ts';
import type { ContainerDetails } from '../container/container-runtime.ts';
import type { Connection, NetworkOwner, SandboxNetwork } from '../container/sandbox-network.ts';
import { sandboxName } from '../container/sandbox-spec.ts';
import { type Carriers, createCarriers } from './carriers.ts';
import { behindGate, gateName, seccompOption, standInName } from './gate-container.ts';
import { createGateWays, type GateWay, wayOfGate } from './gate-ways.ts';
import { healGate, isBehind } from './heal-gate.ts';
import { adopt, type GateRequest, type KnownGate, type OpenGate, type OpeningDeps, open } from './open-gate.ts';
import { proveGate } from './prove-gate.ts';
import { createReadyGates } from './ready-gates.ts';
import { removeCarrierNetwork, removeGateOrphans } from './remove-orphans.ts';
import { createStartGate, removeByName } from './start-gate.ts';

export interface GateDeps extends Pick<OpeningDeps, 'runtimeOf' | 'makeLabels' | 'images' | 'places'> {
  /** The way of all gates, whatever is known of the runtime. */
  forcedWay?: GateWay;
}

interface Rooms extends OpeningDeps {
  carriers: Carriers;
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
  /** Opens one and lets it stand ready, for a sandbox that will have this id, and answers what that needs; `isReserved`: it has one
   *  already, and is offered to no other. @throws as `open`, and nothing is left of it */
  prepare: (request: GateRequest, isReserved?: boolean) => Promise<SandboxNetwork>;
  hasReady: (runtimeId: string) => boolean;
  /** The id under which a gate stands ready, for one sandbox alone, which `open` then gives that gate; null where none does. */
  takeReady: (runtimeId: string) => string | null;
  /** Closes those that no sandbox stands behind. */
  closeReady: () => Promise<void>;
  /** What another sandbox needs to stand behind a gate that runs. @throws gate_failed */
  join: (owner: NetworkOwner) => Promise<SandboxNetwork>;
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

const notItsGate = (what: string): SandlotError =>
  new SandlotError('gate_failed', `${what} outside Sandlot, so the sandbox cannot be started again.`, {
    nextAction: 'Launch a new session.',
  });

/** Has the host listen for a gate that stands, over the way that it was made for. */
const listenFor = async (deps: Rooms, gate: KnownGate, { imageId, ...found }: ContainerDetails): Promise<void> => {
  const place = await deps.places.make(gate.sandboxId);
  await deps.ways.listen({ ...gate, way: wayOfGate({ imageId, ...found }), imageId }, place.socketFolder);
};

const resume = async (deps: Rooms, gate: KnownGate): Promise<void> => {
  const runtime = deps.runtimeOf(gate.runtimeId);
  const names = [gateName(gate.sandboxId), sandboxName(gate.sandboxId)];
  const [found = null, sandbox = null] = await Promise.all(names.map((name) => runtime.inspectContainer(name)));
  if (found === null) throw notItsGate('The gate of this sandbox was removed or renamed');
  if (sandbox !== null && !isBehind(sandbox, found)) throw notItsGate('The container of this sandbox or its gate was made anew');
  await listenFor(deps, gate, found);
  await removeByName(runtime, standInName(gate.sandboxId));
  await runtime.startContainer(found.id);
  await proveGate(runtime, found.id);
};

const join = async (deps: Rooms, { runtimeId, sandboxId }: NetworkOwner): Promise<SandboxNetwork> => {
  const runtime = deps.runtimeOf(runtimeId);
  const gate = await runtime.inspectContainer(gateName(sandboxId));
  if (gate?.status !== 'running') throw notItsGate('The gate of this sandbox was stopped');
  return behindGate(gate.id, await deps.places.make(sandboxId), runtime.kind);
};

const rest = async (deps: Rooms, { runtimeId, sandboxId }: NetworkOwner): Promise<void> => {
  const runtime = deps.runtimeOf(runtimeId);
  await removeByName(runtime, standInName(sandboxId));
  const gate = await runtime.inspectContainer(gateName(sandboxId));
  if (gate?.status === 'running') await runtime.stopContainer(gate.id, 1);
  // It holds nothing, and is made anew.
  if (gate !== null && wayOfGate(gate) === 'tcp') await deps.carriers.remove({ runtimeId, sandboxId, kind: 'session' });
};

/** What opens gates and what closes them, and which of them are open. */
const createOpening = (deps: Rooms) => {
  // Those of this host that are not closed yet: their sandboxes may be about to be made.
  const opened = new Set<string>();
  const ready = createReadyGates();
  const close = async (owner: NetworkOwner): Promise<void> => {
    const { runtimeId, sandboxId } = owner;
    const runtime = deps.runtimeOf(runtimeId);
    ready.claim(sandboxId);
    await removeByName(runtime, standInName(sandboxId));
    const gate = await runtime.inspectContainer(gateName(sandboxId));
    if (gate !== null) await runtime.removeContainer(gate.id);
    if (gate === null || wayOfGate(gate) === 'tcp') await deps.carriers.close(owner);
    await deps.places.remove(sandboxId);
    opened.delete(sandboxId);
  };
  /** Closes what was begun when the work fails. */
  const orClose = async <T>(owner: NetworkOwner, work: () => Promise<T>): Promise<T> => {
    opened.add(owner.sandboxId);
    try {
      return await work();
    } catch (thrown) {
      await close(owner).catch(() => undefined);
      throw thrown;
    }
  };
  const openGate = (request: GateRequest): Promise<OpenGate> =>
    orClose(request, async () => {
      const made = ready.claim(request.sandboxId);
      return (made === null ? null : await adopt(deps, request, made)) ?? (await open(deps, request));
    });
  const prepare = (request: GateRequest, isReserved: boolean): Promise<SandboxNetwork> =>
    orClose(request, async () => {
      const { runtimeId, sandboxId, kind } = request;
      const { gateId, way, join, proven } = await open(deps, request);
      const test = await proven;
      const { startedAt = null, imageId = '' } = (await deps.runtimeOf(runtimeId).inspectContainer(gateId)) ?? {};
      ready.put({ runtimeId, sandboxId, kind }, { gateId, way, imageId, startedAt, test }, isReserved);
      return join;
    });
  return { opened, ready, close, openGate, prepare };
};

/** Makes the gates of one host. */
export const createGates = (given: GateDeps): Gates => {
  const carriers = createCarriers(given);
  const { runtimeOf, forcedWay } = given;
  const deps: Rooms = {
    ...given,
    carriers,
    startGate: createStartGate(),
    ways: createGateWays({ runtimeOf, carriers, ...(forcedWay === undefined ? {} : { forced: forcedWay }) }),
  };
  // An event, a restarted host and a person may all want the same gate mended, or gone.
  const inTurn = createTurns();
  const { opened, ready, close, openGate, prepare } = createOpening(deps);
  return {
    hasImage: async (runtimeId) => (await deps.images.find(runtimeId)) !== null,
    ensureImage: async (...request) => void (await deps.images.ensure(...request)),
    none: async (runtimeId) => {
      const file = await deps.places.makeProfile();
      return { network: 'none', env: [], mounts: [], securityOpt: [seccompOption(deps.runtimeOf(runtimeId).kind, file)] };
    },
    open: (request) => inTurn(request.sandboxId, () => openGate(request)),
    prepare: (request, isReserved) => inTurn(request.sandboxId, () => prepare(request, isReserved ?? false)),
    hasReady: ready.has,
    takeReady: ready.take,
    closeReady: async () => {
      const left = ready.left();
      await Promise.allSettled(left.map((owner) => inTurn(owner.sandboxId, () => close(owner))));
      const runtimes = [...new Set(left.map(({ runtimeId }) => runtimeId))];
      await Promise.allSettled(runtimes.map((id) => removeCarrierNetwork(deps.runtimeOf(id), deps.makeLabels)));
    },
    join: (owner) => inTurn(owner.sandboxId, () => join(deps, owner)),
    resume: (gate) => inTurn(gate.sandboxId, () => resume(deps, gate)),
    heal: (gate, sandboxContainerId) =>
      inTurn(gate.sandboxId, async () => {
        const found = await deps.runtimeOf(gate.runtimeId).inspectContainer(gateName(gate.sandboxId));
        if (found !== null) await listenFor(deps, gate, found);
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
