// Sandboxes that stand ready: started, closed, empty, with no session. Each was made under an id that no session has yet; the session that
// takes it takes the id, so that names, labels, volume and gate are its own from the beginning, and what an ended host left behind is found
// like any other orphan. One is used only when it is, to the last word, the container that the launch would have made.
import { isSameJson } from '../base/canonical-json.ts';
import type { ContainerSpec } from '../container/container-runtime.ts';
import { openNetwork, type ReservedNetwork } from '../container/sandbox-network.ts';
import type { Session } from '../contract/model.ts';
import { startDesktop } from './desktop.ts';
import { firstNetwork, newSession } from './new-session.ts';
import { containerSpec } from './session-container.ts';
import type { LaunchPlan, SessionDeps } from './session-parts.ts';

/** A sandbox that a launch has taken; whoever claims it owns its container. */
export interface WarmSandbox {
  containerId: string;
  spec: ContainerSpec;
}

/** Which environments have one, and whether it is still what a launch would make: the same text means the same sandbox. */
export interface WarmPlace {
  environmentId: string;
  runtimeId: string;
  key: string;
}

export interface WarmSandboxes {
  /** Makes one and lets it stand ready. Does nothing where that must not be, or cannot be yet. @throws as a launch, and nothing is left of it */
  prepare: (plan: LaunchPlan, key: string) => Promise<void>;
  /** The id of one that stands ready for this launch, which then gets it alone; null where none does. */
  take: (plan: LaunchPlan) => string | null;
  /** What was made under this id and runs; once. What does not run any more is removed. */
  claim: (id: string) => Promise<WarmSandbox | null>;
  list: () => WarmPlace[];
  /** Their ids, those that are being made too: none of them is an orphan. */
  ids: () => ReadonlySet<string>;
  /** Removes those that nobody has taken. */
  drop: (isDropped: (place: WarmPlace) => boolean) => Promise<void>;
}

interface Standing extends WarmPlace, WarmSandbox {
  id: string;
  network: Session['network'];
}

/** Whether the container that stands is the one that is wanted. Pure. */
export const isWanted = (warm: WarmSandbox, spec: ContainerSpec): boolean => isSameJson(warm.spec, spec);

/** A folder of this machine, or the whole machine, is given to nobody before they are there. */
const mayStand = ({ environment, observe }: LaunchPlan): boolean =>
  environment.mounts.length === 0 && !environment.privileged && observe !== true;

const reserve = async ({ networks, newId }: SessionDeps, plan: LaunchPlan): Promise<ReservedNetwork | null> =>
  firstNetwork(plan) === 'unrestricted' ? { sandboxId: newId('ses'), join: openNetwork } : await networks.reserve(plan.runtimeId);

const specFor = async (deps: SessionDeps, plan: LaunchPlan, { sandboxId, join }: ReservedNetwork): Promise<ContainerSpec | null> => {
  const imageId = plan.image as string;
  const image = await deps.runtimeOf(plan.runtimeId).inspectImage(imageId);
  if (image === null) return null;
  return containerSpec(plan, newSession(deps.clock, plan, sandboxId), {
    image: { id: imageId, env: image.env },
    network: join,
    makeLabels: deps.makeLabels,
  });
};

/** Takes away all that stands under an id. */
const remove = async ({ runtimeOf, networks }: SessionDeps, { id, runtimeId, containerId, network }: Omit<Standing, 'spec' | 'key'>) => {
  const runtime = runtimeOf(runtimeId);
  await runtime.removeContainer(containerId);
  if (network !== 'unrestricted') await networks.close({ runtimeId, sandboxId: id, kind: 'session' });
  await runtime.removeVolume(`sandlot-${id}`);
};

/** Makes it; `begin` is told the id as soon as there is one. */
const make = async (deps: SessionDeps, plan: LaunchPlan, key: string, begin: (id: string) => void): Promise<Standing | null> => {
  const reserved = await reserve(deps, plan);
  if (reserved === null) return null;
  const { runtimeId, environment } = plan;
  const id = reserved.sandboxId;
  begin(id);
  const runtime = deps.runtimeOf(runtimeId);
  const place = { id, key, runtimeId, environmentId: environment.id, network: firstNetwork(plan) };
  let containerId = `sandlot-${id}`;
  try {
    const spec = await specFor(deps, plan, reserved);
    if (spec === null) throw new Error('the image is gone');
    containerId = await runtime.createContainer(spec);
    await runtime.startContainer(containerId);
    // What it lacks is said when a session takes it.
    if (environment.computer_use) await startDesktop(runtime, containerId).catch(() => undefined);
    return { ...place, spec, containerId };
  } catch (thrown) {
    await remove(deps, { ...place, containerId }).catch(() => undefined);
    throw thrown;
  }
};

/** Itself while it runs; one that does not is removed, with the volume: another sandbox's may be filled from another image. */
const lookAt = async ({ runtimeOf }: SessionDeps, found: Standing): Promise<WarmSandbox | null> => {
  const runtime = runtimeOf(found.runtimeId);
  if ((await runtime.inspectContainer(found.containerId))?.status === 'running') return found;
  await runtime.removeContainer(found.containerId);
  await runtime.removeVolume(`sandlot-${found.id}`);
  return null;
};

/** Makes the set of one host, empty. */
export const createWarmSandboxes = (deps: SessionDeps): WarmSandboxes => {
  const standing = new Map<string, Standing>();
  /** Taken by a launch, which claims it. */
  const taken = new Map<string, Standing>();
  const making = new Set<string>();

  return {
    prepare: async (plan, key) => {
      if (!mayStand(plan) || typeof plan.image !== 'string') return;
      let begun = '';
      try {
        const made = await make(deps, plan, key, (id) => {
          begun = id;
          making.add(id);
        });
        if (made !== null) standing.set(made.id, made);
      } finally {
        making.delete(begun);
      }
    },
    take: (plan) => {
      const network = firstNetwork(plan);
      const fits = (one: Standing) =>
        one.environmentId === plan.environment.id && one.runtimeId === plan.runtimeId && one.network === network && mayStand(plan);
      const found = [...standing.values()].find(fits);
      if (found === undefined) return null;
      standing.delete(found.id);
      taken.set(found.id, found);
      return found.id;
    },
    claim: async (id) => {
      const found = taken.get(id);
      taken.delete(id);
      return found === undefined ? null : await lookAt(deps, found);
    },
    list: () => [...standing.values()],
    ids: () => new Set([...standing.keys(), ...taken.keys(), ...making]),
    drop: async (isDropped) => {
      const dropped = [...standing.values()].filter(isDropped);
      for (const { id } of dropped) standing.delete(id);
      await Promise.all(
        dropped.map(async (one) => {
          making.add(one.id);
          // What cannot be removed now is an orphan from here on.
          await remove(deps, one).catch(() => undefined);
          making.delete(one.id);
        }),
      );
    },
  };
};
