// Finds gates that nobody stands behind: their sandbox is gone, and no host that lives is about to start one.
import { isAlive } from '../base/process-identity.ts';
import type { ContainerRuntime, ContainerSummary } from '../container/container-runtime.ts';
import { labelKeys, type MakeLabels } from '../container/labels.ts';
import type { GatePlaces } from './gate-place.ts';

interface OrphanDeps {
  runtimeOf: (id: string) => ContainerRuntime;
  makeLabels: MakeLabels;
  places: GatePlaces;
}

/** Whom a container belongs to: a session or a setup run. */
const sandboxOf = ({ labels }: Pick<ContainerSummary, 'labels'>): string => labels[labelKeys.session] ?? labels[labelKeys.setupRun] ?? '';

const isGate = ({ labels }: ContainerSummary): boolean => labels[labelKeys.role] === 'gate';

/** The volumes of carriers whose gates are gone; a runtime keeps what is in use. */
const removeUnusedVolumes = async (runtime: ContainerRuntime, mine: Record<string, string>): Promise<void> => {
  const home = mine[labelKeys.home] ?? '-';
  const gates = { [labelKeys.managed]: 'true', [labelKeys.home]: home, [labelKeys.role]: 'gate' };
  const [volumes, containers] = await Promise.all([runtime.listVolumes(gates), runtime.listContainers(gates)]);
  const used = new Set(containers.map(sandboxOf));
  for (const { name, labels } of volumes) if (!used.has(sandboxOf({ labels }))) await runtime.removeVolume(name).catch(() => undefined);
};

/** Removes the network of the carriers: a runtime keeps what is in use, and it is made again when it is needed. */
export const removeCarrierNetwork = async (runtime: ContainerRuntime, makeLabels: MakeLabels): Promise<void> => {
  const mine = makeLabels('gate');
  const wanted = { [labelKeys.home]: mine[labelKeys.home] ?? '-', [labelKeys.role]: 'gate' };
  for (const { id } of await runtime.listNetworks(wanted)) await runtime.removeNetwork(id).catch(() => undefined);
};

/** Removes them. Told by the runtime itself and not by the registry, so that a registry that was lost cuts nobody off. */
export const removeGateOrphans = async (deps: OrphanDeps, runtimeId: string, opened: ReadonlySet<string>): Promise<void> => {
  const runtime = deps.runtimeOf(runtimeId);
  const mine = deps.makeLabels('gate');
  const ours = mine[labelKeys.owner] ?? '';
  const found = await runtime.listContainers({ [labelKeys.managed]: 'true', [labelKeys.home]: mine[labelKeys.home] ?? '-' });
  const sandboxes = new Set(found.filter((container) => !isGate(container)).map(sandboxOf));
  for (const gate of found.filter(isGate)) {
    const sandboxId = sandboxOf(gate);
    const owner = gate.labels[labelKeys.owner] ?? '';
    const isNeeded = sandboxes.has(sandboxId) || opened.has(sandboxId) || (owner !== ours && (await isAlive(owner)));
    if (isNeeded) continue;
    await runtime.removeContainer(gate.id);
    await deps.places.remove(sandboxId);
  }
  await removeUnusedVolumes(runtime, mine);
  if (opened.size === 0) await removeCarrierNetwork(runtime, deps.makeLabels);
};
