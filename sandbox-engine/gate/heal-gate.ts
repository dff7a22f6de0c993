// A sandbox that runs: is its gate the one that it joined, and does it work? If not, a stand-in takes its place beside the sandbox.
// Source: NETWORK.md 0 (L11): a gate that is started again owns another namespace, and the sandbox stays in the old one, cut off.
import type { ContainerDetails, ContainerRuntime } from '../container/container-runtime.ts';
import { labelKeys, type MakeLabels } from '../container/labels.ts';
import type { Connection, NetworkOwner } from '../container/sandbox-network.ts';
import { gateName, standInName, standInSpec } from './gate-container.ts';
import type { GatePlaces } from './gate-place.ts';
import { volumeFor, wayOfGate } from './gate-ways.ts';
import { testGate } from './prove-gate.ts';

interface HealDeps {
  runtimeOf: (id: string) => ContainerRuntime;
  makeLabels: MakeLabels;
  places: GatePlaces;
}

const startedMs = (container: ContainerDetails): number => Date.parse(container.startedAt ?? '') || 0;

/** The container that keeps this sandbox's namespace: a gate that began later made another one, a stand-in that began earlier joined one. */
const keeperOf = (gate: ContainerDetails | null, standIn: ContainerDetails | null, sandbox: ContainerDetails): string | null => {
  if (gate?.status === 'running' && startedMs(gate) <= startedMs(sandbox)) return gate.id;
  if (standIn?.status === 'running' && startedMs(standIn) >= startedMs(sandbox)) return standIn.id;
  return null;
};

/** Why nothing passes; null when all is well. */
const troubleOf = async (runtime: ContainerRuntime, gateId: string): Promise<string | null> => {
  try {
    const failed = (await testGate(runtime, gateId)).checks.filter(({ passed }) => !passed);
    return failed.length === 0 ? null : failed.map(({ name, message }) => `${name}: ${message}`).join('; ');
  } catch (thrown) {
    return (thrown as Error).message;
  }
};

/** Whether a sandbox stands behind this very gate, or behind one in whose place Sandlot made it, and the gate before nothing else: somebody
 *  may have made either anew, or renamed it. */
export const isBehind = (sandbox: ContainerDetails, gate: ContainerDetails): boolean =>
  gate.networkMode === 'none' && [gate.id, gate.labels[labelKeys.standsFor]].some((id) => id && sandbox.networkMode === `container:${id}`);

const cutOff = (reason: string): Connection => ({ state: 'cut_off', reason });

/** Puts a stand-in beside the sandbox: its namespace still has route and rules, only the relay is missing. */
const standIn = async (deps: HealDeps, owner: NetworkOwner, gate: ContainerDetails, sandboxId: string): Promise<Connection> => {
  const runtime = deps.runtimeOf(owner.runtimeId);
  const place = deps.places.of(owner.sandboxId);
  // The very image that the gate was made of, whatever version there is by now.
  const asked = { owner, imageId: gate.imageId, runtimeKind: runtime.kind, place, makeLabels: deps.makeLabels, hostname: '', ports: [] };
  const volume = volumeFor(wayOfGate(gate), owner.sandboxId);
  const id = await runtime.createContainer(standInSpec({ ...asked, ...volume }, sandboxId));
  await runtime.startContainer(id);
  const trouble = await troubleOf(runtime, id);
  if (trouble === null) return { state: 'mended' };
  await runtime.removeContainer(id);
  return cutOff(trouble);
};

/** Looks, and mends what can be mended without touching the sandbox; the host listens already. */
export const healGate = async (deps: HealDeps, owner: NetworkOwner, containerId: string): Promise<Connection> => {
  const runtime = deps.runtimeOf(owner.runtimeId);
  const names = [containerId, gateName(owner.sandboxId), standInName(owner.sandboxId)];
  const [sandbox = null, gate = null, former = null] = await Promise.all(names.map((name) => runtime.inspectContainer(name)));
  if (sandbox?.status !== 'running') return cutOff('the sandbox does not run');
  if (gate === null) return cutOff('its gate was removed or renamed outside Sandlot');
  if (!isBehind(sandbox, gate)) return cutOff('its container or its gate was made anew outside Sandlot');
  const keeper = keeperOf(gate, former, sandbox);
  if (keeper !== null) {
    const trouble = await troubleOf(runtime, keeper);
    return trouble === null ? { state: 'whole' } : cutOff(trouble);
  }
  if (former !== null) await runtime.removeContainer(former.id);
  return await standIn(deps, owner, gate, containerId);
};
