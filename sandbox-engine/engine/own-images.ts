// The images that Sandlot made in a runtime, which of them nothing needs, and away with them.
import type { ContainerRuntime, ImageDetails } from '../container/container-runtime.ts';
import { labelKeys } from '../container/labels.ts';
import { freedBytes } from './disk-layers.ts';
import type { House } from './house.ts';

/** A tag that a person gave: then they want the image, whatever Sandlot thinks of it. */
const isForeign = (tag: string): boolean => !tag.startsWith('sandlot/');

/** Images that no environment names, made when they are needed. */
const madeByItself = new Set(['base', 'gate-image']);

/** Those that carry the labels of this data folder. */
export const ownImages = (house: Pick<House, 'homeId'>, runtime: ContainerRuntime): Promise<ImageDetails[]> =>
  runtime.listImages({ [labelKeys.managed]: 'true', [labelKeys.home]: house.homeId });

/** Ids of images that a pin, a verdict or a session still needs. */
export const neededImages = async ({ registry }: Pick<House, 'registry'>): Promise<Set<string>> => {
  const [pinned, prepared, sessions] = await Promise.all([
    registry.pins.pinnedImageIds(),
    registry.setupRuns.preparedImageIds(),
    registry.sessions.list(),
  ]);
  return new Set([...pinned, ...prepared, ...sessions.filter((one) => one.status !== 'ended').map((one) => one.image_id ?? '')]);
};

/** Whether it may go; `needed` is what `neededImages` said. */
export const isUnused = ({ id, labels, tags }: ImageDetails, needed: ReadonlySet<string>): boolean =>
  !needed.has(id) && !madeByItself.has(labels[labelKeys.role] ?? '') && !tags.some(isForeign);

/** By all its names, one after the other: a runtime takes an image away with its last one, and not by its id while it has several. */
export const removeOwnImage = async (runtime: ContainerRuntime, { id, tags }: ImageDetails): Promise<void> => {
  for (const name of tags.length === 0 ? [id] : tags) await runtime.removeImage(name);
};

/** What these images free, one after the other; null for all where the runtime does not tell. A layer stays as long as any image of the
 *  runtime has it, whoever made that: those on one base share its first layer. */
export const freedBy = async (
  runtime: Pick<ContainerRuntime, 'listImages' | 'imageSteps'>,
  going: readonly ImageDetails[],
): Promise<(number | null)[]> => {
  if (going.length === 0) return [];
  const read = async (images: readonly ImageDetails[]) =>
    await Promise.all(images.map(async ({ id, layers }) => ({ layers, steps: await runtime.imageSteps(id) })));
  const ids = new Set(going.map(({ id }) => id));
  const bases = new Set(going.map(({ layers }) => layers[0]));
  try {
    const staying = (await runtime.listImages({})).filter(({ id, layers }) => !ids.has(id) && bases.has(layers[0]));
    // One of others that went in this moment, or is broken, keeps nothing.
    const kept = (await Promise.all(staying.map((image) => read([image]).catch(() => [])))).flat();
    return freedBytes(await read(going), kept);
  } catch {
    // One of them went in this moment.
    return going.map(() => null);
  }
};
