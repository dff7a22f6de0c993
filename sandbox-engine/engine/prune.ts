// Lists and removes what Sandlot made in a runtime and nothing needs any more. Only what carries the labels of this data folder.
import type { ContainerRuntime } from '../container/container-runtime.ts';
import { labelKeys } from '../container/labels.ts';
import type { CallOutput } from '../contract/calls.ts';
import type { House } from './house.ts';
import { freedBy, isUnused, neededImages, ownImages, removeOwnImage } from './own-images.ts';

type PruneItem = CallOutput<'app.prune'>['items'][number];

interface LeftOver {
  item: PruneItem;
  remove: () => Promise<void>;
}

const unusedImages = async (house: House, runtime: ContainerRuntime): Promise<LeftOver[]> => {
  const needed = await neededImages(house);
  const ours = await ownImages(house, runtime);
  const unused = ours.filter((image) => isUnused(image, needed));
  const sizes = await freedBy(runtime, unused);
  return unused.map((image, at) => ({
    item: {
      kind: 'image',
      name: image.tags[0] ?? image.id,
      ...{ runtime: runtime.id, size: sizes[at] ?? null, reason: 'no pin, verdict or session uses it' },
    },
    remove: () => removeOwnImage(runtime, image),
  }));
};

const measureMs = 30_000;

/** Asks for sizes only where there is something to say; a runtime that takes too long is not waited for. */
const volumeSizes = async (runtime: ContainerRuntime, count: number): Promise<Map<string, number | null>> => {
  if (count === 0) return new Map();
  const { volumes } = await runtime.readDiskUse(AbortSignal.timeout(measureMs)).catch(() => ({ volumes: [] }));
  return new Map(volumes.map(({ name, bytes }) => [name, bytes]));
};

const unusedVolumes = async ({ registry, homeId, sessions }: House, runtime: ContainerRuntime): Promise<LeftOver[]> => {
  // Of every session that is listed, whatever became of its container: only deleting it takes its workspace.
  const used = (await registry.sessions.list()).map((one) => one.volume);
  const kept = new Set([...used, ...[...sessions.warm.ids()].map((id) => `sandlot-${id}`)]);
  const ours = await runtime.listVolumes({ [labelKeys.managed]: 'true', [labelKeys.home]: homeId });
  // Those of gates go with their gates.
  const unused = ours.filter(({ name, labels }) => !kept.has(name) && labels[labelKeys.role] !== 'gate');
  const sizes = await volumeSizes(runtime, unused.length);
  return unused.map(({ name }) => ({
    item: { kind: 'volume', name, runtime: runtime.id, size: sizes.get(name) ?? null, reason: 'its session is gone' },
    remove: () => runtime.removeVolume(name),
  }));
};

/** Containers of sessions that the registry does not know, which happens after it was lost. */
const unknownSessions = async ({ registry, homeId, sessions }: House, runtime: ContainerRuntime): Promise<LeftOver[]> => {
  const known = new Set([...(await registry.sessions.list()).map((one) => one.id), ...sessions.warm.ids()]);
  const ours = await runtime.listContainers({ [labelKeys.managed]: 'true', [labelKeys.home]: homeId, [labelKeys.role]: 'session' });
  return ours
    .filter((container) => !known.has(container.labels[labelKeys.session] ?? ''))
    .map(({ name }) => ({
      item: { kind: 'container', name, runtime: runtime.id, size: null, reason: 'no session here knows it' },
      remove: () => runtime.removeContainer(name),
    }));
};

const isRemoved = async ({ remove }: LeftOver): Promise<boolean> => {
  try {
    await remove();
    return true;
  } catch {
    // Something outside Sandlot uses it: it stays, and the count says so.
    return false;
  }
};

/** Finds left-overs on every connected runtime, and removes them unless `dryRun`. */
export const prune = async (house: House, dryRun: boolean): Promise<CallOutput<'app.prune'>> => {
  const items: PruneItem[] = [];
  let removed = 0;
  for (const probe of house.runtimes.list().filter((one) => one.status === 'connected')) {
    const runtime = house.runtimes.get(probe.id);
    const found = [
      ...(await unknownSessions(house, runtime)),
      ...(await unusedVolumes(house, runtime)),
      ...(await unusedImages(house, runtime)),
    ];
    items.push(...found.map(({ item }) => item));
    if (dryRun) continue;
    for (const one of found) if (await isRemoved(one)) removed += 1;
    await house.networks.removeOrphans(probe.id);
  }
  return { items, removed };
};
