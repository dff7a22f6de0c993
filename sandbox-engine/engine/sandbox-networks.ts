// Joins the gates with the policies: who stands behind a gate is listened to under exactly the policy that it was started with, and that
// is kept in a file beside its sockets, so that a restarted host decides as before. What cannot be read opens nothing.
// Source: SPEC.md 6 (Enforcement); NETWORK.md J05, J09, J11.
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { SandlotError } from '../base/errors.ts';
import type { NewId } from '../base/ids.ts';
import type { ContainerRuntime } from '../container/container-runtime.ts';
import type { MakeLabels } from '../container/labels.ts';
import { readExec } from '../container/read-exec.ts';
import type { NetworkOwner, NetworkRequest, OpenedNetwork, SandboxNetworks } from '../container/sandbox-network.ts';
import { sandboxUser } from '../container/sandbox-spec.ts';
import { type NetworkPolicy, networkPolicy, resolvedPreset, type Seal } from '../contract/model.ts';
import type { CarriedPlace } from '../egress/carried-door.ts';
import { canaryCommand, judgeCanary } from '../gate/canary.ts';
import { createGateImages } from '../gate/gate-image.ts';
import { createGatePlaces, type GatePlaces } from '../gate/gate-place.ts';
import type { GateWay } from '../gate/gate-ways.ts';
import { createGates, type Gates } from '../gate/gates.ts';
import { writeAtomically } from '../secrets/write-atomically.ts';
import type { CanaryWatch } from './canary-watch.ts';
import { createGateKeeper, type GateKeeper } from './keep-gates.ts';
import { createKeptNames, type KeptNames } from './kept-names.ts';
import type { PresetBook } from './preset-book.ts';
import type { PolicedSandbox, PolicyChange, SandboxPolicies } from './sandbox-policies.ts';

/** What a sandbox may reach, as it is kept over restarts. */
type KeptPolicy = Pick<PolicedSandbox, 'policy' | 'presets' | 'revision' | 'observe' | 'environmentId'>;

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

const unreadable = (cause: unknown): SandlotError =>
  new SandlotError('gate_failed', 'What this sandbox may reach was kept in a file that cannot be read, so nothing is opened for it.', {
    cause,
    nextAction: 'Launch a new session.',
  });

const readKept = async (file: string): Promise<KeptPolicy> => {
  try {
    const {
      environmentId,
      policy,
      presets,
      revision,
      observe = false,
    } = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
    if (typeof environmentId !== 'string' || !Number.isInteger(revision) || typeof observe !== 'boolean')
      throw new Error('a field is missing');
    const read = Object.entries(presets as object).map(([id, preset]) => [id, resolvedPreset.parse(preset)]);
    const asKept = { environmentId, presets: Object.fromEntries(read), revision: revision as number, observe };
    const kept = { ...asKept, policy: networkPolicy.parse(policy) };
    // Only a restricted sandbox has such a file: an open policy in it is damage.
    if (!('rules' in kept.policy)) throw new Error('the policy is open');
    return kept;
  } catch (cause) {
    throw unreadable(cause);
  }
};

const keep = (file: string, { environmentId, policy, presets, revision, observe }: KeptPolicy): Promise<void> =>
  writeAtomically(file, JSON.stringify({ environmentId, policy, presets, revision, observe }));

const closed: NetworkPolicy = { version: 'v1', rules: [] };

/** Ports that are caught for an observed sandbox where a kernel cannot catch all. */
const usualPorts = [22, 8080, 8443];

const portsOf = (policy: NetworkPolicy): number[] => ('rules' in policy ? policy.rules.flatMap(({ ports }) => ports ?? []) : []);

const isEmpty = (policy: NetworkPolicy): boolean => 'rules' in policy && policy.rules.length === 0;

/** What is kept of the sandboxes: their policies, and the addresses of their names. */
interface Keeping {
  policies: SandboxPolicies;
  places: GatePlaces;
  names: KeptNames;
}

/** Where the proxy is to listen for a sandbox. */
interface Listening {
  socketFolder: string;
  carried: CarriedPlace | undefined;
}

const listenUnder = async (
  { policies, places, names }: Keeping,
  sandboxId: string,
  { socketFolder, carried }: Listening,
  kept: KeptPolicy,
): Promise<void> => {
  const file = places.of(sandboxId).namesFile;
  const onName = (name: string, address: string) => names.add(file, name, address);
  const at = carried === undefined ? { socketFolder } : { socketFolder, carried };
  await policies.open({ sandboxId, ...at, ...kept, names: await names.read(file), onName });
};

/** Has the proxy listen for a sandbox that was there before, unless it does. */
const listenAgain = async (keeping: Keeping, sandboxId: string, at: Listening): Promise<void> => {
  const isThere = at.carried !== undefined || existsSync(join(at.socketFolder, 'proxy.sock'));
  if (keeping.policies.isListening(sandboxId, at.carried) && isThere) return;
  await listenUnder(keeping, sandboxId, at, await readKept(keeping.places.of(sandboxId).policyFile));
};

const openGate = async (deps: SandboxNetworksDeps, keeping: Keeping, gates: Gates, request: NetworkRequest): Promise<OpenedNetwork> => {
  const { environment, imageId, signal, sandboxId, observe } = request;
  // Behind a gate nothing is ever unrestricted: what is observed there is closed again when the observation ends.
  const policy = 'rules' in environment.network_policy ? environment.network_policy : closed;
  const presets = await deps.presets.ready(environment, imageId, signal);
  const kept: KeptPolicy = { environmentId: environment.id, policy, presets, revision: environment.revision, observe };
  const listen = async (socketFolder: string, carried?: CarriedPlace): Promise<void> => {
    await keep(keeping.places.of(sandboxId).policyFile, kept);
    await listenUnder(keeping, sandboxId, { socketFolder, carried }, kept);
  };
  const gate = await gates.open({ ...request, ports: [...portsOf(policy), ...(observe ? usualPorts : [])], listen });
  return { way: 'gate', over: gate.way, join: gate.join, proven: gate.proven };
};

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
    await keep(file, { ...kept, ...policy });
    return await policies.change(sandboxId, policy);
  };

interface Reopening {
  deps: SandboxNetworksDeps;
  keeping: Keeping;
  gates: Gates;
  change: EngineNetworks['change'];
}

const reopen = async (
  { deps, keeping, gates, change }: Reopening,
  { environment, imageId, signal, ...owner }: NetworkRequest,
): Promise<Awaited<ReturnType<SandboxNetworks['reopen']>>> => {
  const { environmentId, policy, presets, revision } = await readKept(keeping.places.of(owner.sandboxId).policyFile);
  const asked = 'rules' in environment.network_policy ? environment.network_policy : closed;
  const resolved = await deps.presets.ready(environment, imageId, signal);
  const sandboxNetwork = await gates.join(owner);
  await change(owner.sandboxId, { policy: asked, presets: resolved, revision: environment.revision, environmentId: environment.id });
  const undo = async () => void (await change(owner.sandboxId, { policy, presets, revision, environmentId }));
  return { join: sandboxNetwork, undo };
};

const forcedWay = ({ SANDLOT_GATES: said }: NodeJS.ProcessEnv): { forcedWay?: GateWay } =>
  said === 'tcp' || said === 'socket' ? { forcedWay: said } : {};

/** Makes the restricted networks of one host. */
export const createSandboxNetworks = (deps: SandboxNetworksDeps): EngineNetworks => {
  const { policies } = deps;
  const places = createGatePlaces({ folder: join(deps.dataFolder, 'gates'), shortFolder: join(deps.runFolder, 'gates') });
  const keeping: Keeping = { policies, places, names: createKeptNames() };
  const gates = createGates({ ...deps, ...forcedWay(deps.env), places, images: createGateImages(deps) });
  const keeper = createGateKeeper({ gates, policies, newId: deps.newId });
  const change = changeKept(keeping);
  const known = (owner: NetworkOwner) => ({
    ...owner,
    listen: (socketFolder: string, carried?: CarriedPlace) => listenAgain(keeping, owner.sandboxId, { socketFolder, carried }),
  });
  return {
    ensureImage: gates.ensureImage,
    ...keeper,
    open: async (request) => {
      const isClosed = isEmpty(request.environment.network_policy) && !request.observe;
      const nobodyNeeded = isClosed && !(await gates.hasImage(request.runtimeId));
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
    reopen: (request) => reopen({ deps, keeping, gates, change }, request),
    resume: (owner) => gates.resume(known(owner)),
    heal: async (owner, containerId) => {
      try {
        return await gates.heal(known(owner), containerId);
      } catch (thrown) {
        if (thrown instanceof SandlotError && thrown.code === 'gate_failed') return { state: 'cut_off', reason: thrown.message };
        throw thrown;
      }
    },
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
