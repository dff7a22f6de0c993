// The calls about the images that Sandlot made: which are there, who needs them, and away with one that nobody does.
import { SandlotError } from '../base/errors.ts';
import { labelKeys } from '../container/labels.ts';
import type { Environment, OwnImage, Session } from '../contract/model.ts';
import type { ImageOfEnvironment } from '../registry/registry.ts';
import { allEnvironments } from './disk-subjects.ts';
import type { HandlersOf, House } from './house.ts';
import { freedBy, isUnused, neededImages, ownImages, removeOwnImage } from './own-images.ts';

type User = OwnImage['used_by'][number];

const kinds: Record<string, OwnImage['kind']> = { base: 'base', image: 'build', prepared: 'prepared', 'gate-image': 'gate' };

/** Asks the registry twice, however many environments there are. */
const usersOf = async ({ registry }: Pick<House, 'registry'>, environments: readonly Environment[], sessions: readonly Session[]) => {
  const users = new Map<string, User[]>();
  const add = (image: string | null | undefined, user: User): void => {
    if (image) users.set(image, [...(users.get(image) ?? []), user]);
  };
  const [pinned, prepared] = await Promise.all([registry.pins.pinnedImages(), registry.setupRuns.preparedImages()]);
  const known = new Map(environments.map(({ id, name }) => [id, name]));
  const named = (images: readonly ImageOfEnvironment[], how: User['how']): void => {
    for (const { environmentId, imageId } of images) {
      const name = known.get(environmentId);
      if (name !== undefined) add(imageId, { environment_id: environmentId, name, how });
    }
  };
  named(pinned, 'pinned');
  named(prepared, 'prepared');
  for (const session of sessions.filter(({ status }) => status !== 'ended')) {
    const environment_id = known.has(session.environment_id) ? session.environment_id : null;
    add(session.image_id, { environment_id, name: session.name, how: 'session' });
  }
  return users;
};

/** Those of one runtime, as they are listed. */
const listOf = async (house: House, runtime: string, users: Map<string, User[]>, needed: ReadonlySet<string>): Promise<OwnImage[]> => {
  const found = await ownImages(house, house.runtimes.get(runtime));
  const unused = found.filter((image) => isUnused(image, needed));
  const freed = await freedBy(house.runtimes.get(runtime), unused);
  return found.map((image) => ({
    ...{ id: image.id, runtime, tags: image.tags, size: image.size },
    created_at: new Date(image.createdAt).toISOString(),
    kind: kinds[image.labels[labelKeys.role] ?? ''] ?? 'other',
    used_by: users.get(image.id) ?? [],
    is_unused: unused.includes(image),
    frees_bytes: freed[unused.indexOf(image)] ?? null,
  }));
};

const listAll = async (house: House): Promise<{ images: OwnImage[]; away: string[] }> => {
  const [environments, sessions] = await Promise.all([allEnvironments(house), house.registry.sessions.list()]);
  const [users, needed] = await Promise.all([usersOf(house, environments, sessions), neededImages(house)]);
  const images: OwnImage[] = [];
  const away: string[] = [];
  for (const { id: runtimeId, status } of house.runtimes.list()) {
    if (status !== 'connected') continue;
    const found = await listOf(house, runtimeId, users, needed).catch(() => null);
    if (found === null) away.push(runtimeId);
    images.push(...(found ?? []));
  }
  return { images: images.sort((a, b) => b.size - a.size || a.id.localeCompare(b.id)), away };
};

const remove = async (house: House, runtimeId: string, imageId: string): Promise<void> => {
  const runtime = house.runtimeOf(runtimeId);
  const image = (await ownImages(house, runtime)).find(({ id }) => id === imageId);
  if (image === undefined) {
    throw new SandlotError('not_found', `Sandlot made no image ${imageId.slice(0, 19)} on ${runtimeId}.`, {
      nextAction: 'List them with: sandlot image list',
    });
  }
  if (!isUnused(image, await neededImages(house))) {
    throw new SandlotError('image_in_use', 'That image is needed: by a pin, a setup verdict, a session, or by Sandlot itself.', {
      nextAction: 'Unpin it, or delete the environment or the session that uses it, first.',
    });
  }
  await removeOwnImage(runtime, image);
};

/** Makes the handlers of `images.*`. */
export const createImageCalls = (house: House): HandlersOf<'images'> => ({
  'images.list': () => listAll(house),
  'images.remove': async ({ runtime, image_id }) => {
    await remove(house, runtime, image_id);
    return { ok: true };
  },
});
