// Joins the gates with the policies: who stands behind a gate is listened to under exactly the policy that it was started with, and that
// is kept in a file (kept-policy.ts), so that a restarted host decides as before.
// Source: SPEC.md 6 (Enforcement); NETWORK.md J05, J09, J11.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { SandlotError } from '../base/errors.ts';
import type { NewId } from '../base/ids.ts';
import type { ContainerRuntime } from '../container/container-runtime.ts';
import type { MakeLabels } from '../container/labels.ts';
import { readExec } from '../container/read-exec.ts';
import type { NetworkOwner, NetworkRequest, OpenedNetwork, SandboxNetworks } from '../container/sandbox-network.ts';
import { sandboxUser } from '../container/sandbox-spec.ts';
import type { NetworkPolicy, Seal } from '../contract/model.ts';
import type { CarriedPlace } from '../egress/carried-door.ts';
import { canaryCommand, judgeCanary } from '../gate/canary.ts';
import { createGateImages } from '../gate/gate-image.ts';
import { createGatePlaces } from '../gate/gate-place.ts';
import type { GateWay } from '../gate/gate-ways.ts';
import { createGates, type Gates } from '../gate/gates.ts';
import type { CanaryWatch } from './canary-watch.ts';
import { createGateKeeper, type GateKeeper } from './keep-gates.ts';
import { createKeptNames } from './kept-names.ts';
import { type KeptPolicy, keepPolicy, readKept, settlePolicy } from './kept-policy.ts';
import { caughtPorts, closedPolicy, type Keeping, listenAgain, listenUnder } from './listen-under.ts';
import { createGateMending } from './mend-gate.ts';
import type { PresetBook } from './preset-book.ts';
import { keptRequest, reopenNetwork } from './reopen-network.ts';
import type { PolicyChange, SandboxPolicies } from './sandbox-policies.ts';

export interface EngineNetworks extends SandboxNetworks, GateKeeper {
  /** Makes the gate's image beforehand. @throws build_failed @throws cancelled */
  ensureImage: Gates['ensureImage'];
  /** Puts another policy in force for a sandbox and keeps it; null when it is not up behind a gate. */
  change: (sandboxId: string, policy: PolicyChange) => Promise<{ closed: number } | null>;
}

export interface SandboxNetworksDeps {
  dataFolder: string;
  runFolder: string;
  runtimeOf: (id: string) => ContainerRuntime;
  makeLabels: MakeLabels;
  baseFor: (runtimeId: string, signal: AbortSignal, onLine: (line: string) => void) => Promise<string>;
  presets: Pick<PresetBook, 'ready'>;
  policies: SandboxPolicies;
  canaries: CanaryWatch;
  clock: Clock;
  newId: NewId;
  /** `SANDLOT_GATES=tcp` or `socket`: the way of all gates, for a runtime of which Sandlot thinks otherwise. */
  env: NodeJS.ProcessEnv;
}

const openGate = async (deps: SandboxNetworksDeps, keeping: Keeping, gates: Gates, request: NetworkRequest): Promise<OpenedNetwork> => {
  const { environment, imageId, signal, sandboxId, observe } = request;
  // Behind a gate nothing is ever unrestricted: what is observed there is closed again when the observation ends.
  const policy = 'rules' in environment.network_policy ? environment.network_policy : closedPolicy;
  const presets = await deps.presets.ready(environment, imageId, signal);
  const kept: KeptPolicy = { environmentId: environment.id, policy, presets, revision: environment.revision, observe };
  const listen = async (socketFolder: string, carried?: CarriedPlace): Promise<void> => {
    await keepPolicy(keeping.places.of(sandboxId).policyFile, kept);
    await listenUnder(keeping, sandboxId, { socketFolder, carried }, kept);
  };
  const gate = await gates.open({ ...request, ports: caughtPorts(policy, observe), listen });
  return { way: 'gate', over: gate.way, join: gate.join, proven: gate.proven };
};

const isEmpty = (policy: NetworkPolicy): boolean => 'rules' in policy && policy.rules.length === 0;

const canaryMs = 30_000;

const runCanary = async (deps: SandboxNetworksDeps, { runtimeId }: NetworkOwner, containerId: string): Promise<Seal> => {
  const nonce = `canary-${randomUUID()}`;
  const watch = deps.canaries.begin(nonce);
  try {
    const spec = { command: canaryCommand(nonce), user: sandboxUser, workdir: '/', stdin: false };
    const output = await readExec(deps.runtimeOf(runtimeId), containerId, spec, { signal: AbortSignal.timeout(canaryMs) });
    await deps.policies.flush();
    const probes = judgeCanary(nonce, output, watch.seen);
    return { at: deps.clock.iso(), passed: probes.filter(({ result }) => result === 'sealed').length, total: probes.length, probes };
  } finally {
    watch.end();
  }
};

const changeKept =
  ({ policies, places }: Keeping): EngineNetworks['change'] =>
  async (sandboxId, policy) => {
    const file = places.of(sandboxId).policyFile;
    const kept = await readKept(file);
    await keepPolicy(file, { ...kept, ...policy });
    return await policies.change(sandboxId, policy);
  };

const forcedWay = ({ SANDLOT_GATES: said }: NodeJS.ProcessEnv): { forcedWay?: GateWay } =>
  said === 'tcp' || said === 'socket' ? { forcedWay: said } : {};

/** What is done about a sandbox that was there before. */
const livingCalls = (
  deps: SandboxNetworksDeps,
  keeping: Keeping,
  gates: Gates,
  change: EngineNetworks['change'],
): Pick<EngineNetworks, 'reopen' | 'resume' | 'heal'> => {
  const mending = createGateMending({ runtimeOf: deps.runtimeOf, gates, requestOf: keptRequest(keeping) });
  /** Nobody is listened for before it is settled what the sandbox may reach, and that its gate is there. */
  const settle = async (owner: NetworkOwner, containerId: string): Promise<void> => {
    await settlePolicy(keeping.places.of(owner.sandboxId).policyFile, containerId);
    await mending.remake(owner, containerId);
  };
  const known = (owner: NetworkOwner) => ({
    ...owner,
    listen: (socketFolder: string, carried?: CarriedPlace) => listenAgain(keeping, owner.sandboxId, { socketFolder, carried }),
  });
  return {
    reopen: (request) => reopenNetwork({ presets: deps.presets, keeping, gates, mending, change }, request),
    resume: async (owner, containerId, start) => {
      await settle(owner, containerId);
      await gates.resume(known(owner));
      await mending.startBehind(owner, containerId, start);
    },
    heal: async (owner, containerId) => {
      try {
        await settle(owner, containerId);
        return await gates.heal(known(owner), containerId);
      } catch (thrown) {
        if (thrown instanceof SandlotError && thrown.code === 'gate_failed') return { state: 'cut_off', reason: thrown.message };
        throw thrown;
      }
    },
  };
};

/** Makes the restricted networks of one host. */
export const createSandboxNetworks = (deps: SandboxNetworksDeps): EngineNetworks => {
  const { policies } = deps;
  const places = createGatePlaces({ folder: join(deps.dataFolder, 'gates'), shortFolder: join(deps.runFolder, 'gates') });
  const keeping: Keeping = { policies, places, names: createKeptNames() };
  const gates = createGates({ ...deps, ...forcedWay(deps.env), places, images: createGateImages(deps) });
  const keeper = createGateKeeper({ gates, policies, newId: deps.newId });
  const change = changeKept(keeping);
  return {
    ensureImage: gates.ensureImage,
    ...keeper,
    open: async (request) => {
      const isClosed = isEmpty(request.environment.network_policy) && !request.observe;
      const nobodyNeeded = isClosed && request.isSeen !== true && !(await gates.hasImage(request.runtimeId));
      if (nobodyNeeded) return { way: 'none', join: await gates.none(request.runtimeId), proven: Promise.resolve() };
      try {
        const opened = await openGate(deps, keeping, gates, request);
        if (request.kind === 'session') keeper.refill(request.runtimeId);
        return opened;
      } catch (thrown) {
        await policies.close(request.sandboxId).catch(() => undefined);
        throw thrown;
      }
    },
    ...livingCalls(deps, keeping, gates, change),
    probe: (owner, containerId) => runCanary(deps, owner, containerId),
    rest: async (owner) => {
      await gates.rest(owner);
      await policies.close(owner.sandboxId);
    },
    close: async (owner) => {
      await policies.close(owner.sandboxId);
      await gates.close(owner);
    },
    endObservation: async ({ sandboxId }) => void (await change(sandboxId, { observe: false })),
    removeOrphans: gates.removeOrphans,
    change,
  };
};
