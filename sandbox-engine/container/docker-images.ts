// Images on one daemon: find, list, pull, import, tag, remove, save, load. Building and committing are elsewhere.

import { SandlotError } from '../base/errors.ts';
import type { ContainerRuntime, ImageDetails } from './container-runtime.ts';
import type { DockerConnection } from './docker-connection.ts';
import { statusOf } from './docker-errors.ts';
import { familiarReference, possibleReferences, qualifyReference, splitTag } from './image-reference.ts';
import { readProgress } from './progress-records.ts';
import { whileOthersGo } from './while-others-go.ts';

type ImageCalls = Pick<
  ContainerRuntime,
  'inspectImage' | 'listImages' | 'pullImage' | 'importImage' | 'tagImage' | 'removeImage' | 'saveImage' | 'loadImage'
>;

interface ImageConfigAnswer {
  User?: string;
  Env?: string[] | null;
  Entrypoint?: string[] | null;
  Cmd?: string[] | null;
  WorkingDir?: string;
  Labels?: Record<string, string> | null;
}

interface ImageAnswer {
  Id: string;
  RepoTags?: string[] | null;
  RepoDigests?: string[] | null;
  Architecture?: string;
  Os?: string;
  Size?: number;
  Created?: string;
  Config?: ImageConfigAnswer | null;
  RootFS?: { Layers?: string[] | null };
}

const configOf = (config: ImageConfigAnswer): Pick<ImageDetails, 'user' | 'env' | 'entrypoint' | 'cmd' | 'workdir' | 'labels'> => ({
  user: config.User ?? '',
  env: config.Env ?? [],
  entrypoint: config.Entrypoint ?? null,
  cmd: config.Cmd ?? null,
  workdir: config.WorkingDir ?? '',
  labels: config.Labels ?? {},
});

const withPrefix = (id: string): string => (id.startsWith('sha256:') ? id : `sha256:${id}`);

// Podman makes up a digest for images that never were in a registry, always under a name that is filed here only.
const isRegistryDigest = (digest: string): boolean => !digest.startsWith('localhost/') && !digest.startsWith('<none>');

const detailsOf = (answer: ImageAnswer, isPodman: boolean): ImageDetails => ({
  id: withPrefix(answer.Id),
  tags: (answer.RepoTags ?? []).filter((tag) => tag !== '<none>:<none>').map((tag) => familiarReference(tag, isPodman)),
  repoDigests: (answer.RepoDigests ?? []).filter(isRegistryDigest),
  architecture: answer.Architecture ?? '',
  os: answer.Os ?? '',
  size: answer.Size ?? 0,
  createdAt: answer.Created ?? '',
  layers: answer.RootFS?.Layers ?? [],
  ...configOf(answer.Config ?? {}),
});

/** Label filters as the daemon wants them; a value of '' matches any value. */
export const labelFilters = (labels: Record<string, string>): string =>
  JSON.stringify({ label: Object.entries(labels).map(([key, value]) => (value === '' ? key : `${key}=${value}`)) });

/** Whether an object really carries the labels: Podman takes several label filters of a volume as "any of them".
 * Whoever removes what a list names must not rely on the daemon alone. */
export const carriesLabels = (carried: Record<string, string> | null | undefined, wanted: Record<string, string>): boolean =>
  Object.entries(wanted).every(([key, value]) => {
    const found = carried?.[key];
    return found !== undefined && (value === '' || found === value);
  });

const pathOf = (reference: string): string => `/images/${reference.split('/').map(encodeURIComponent).join('/')}`;

/** Answers null where the daemon says 404. */
export const orNull = async <T>(call: Promise<T>): Promise<T | null> => {
  try {
    return await call;
  } catch (thrown) {
    if (statusOf(thrown) === 404) return null;
    throw thrown;
  }
};

/** Finds an image under any of the names that the runtime may have filed it. */
export const findImage = async (connection: DockerConnection, reference: string): Promise<ImageDetails | null> => {
  for (const name of possibleReferences(reference, connection.isPodman)) {
    const what = `inspect image ${reference}`;
    const ask = () => orNull(connection.json<ImageAnswer>({ what, method: 'GET', path: `${pathOf(name)}/json` }));
    const answer = await whileOthersGo(connection, ask);
    if (answer !== null) return detailsOf(answer, connection.isPodman);
  }
  return null;
};

const pullImage = async (connection: DockerConnection, request: Parameters<ContainerRuntime['pullImage']>[0]): Promise<ImageDetails> => {
  const name = qualifyReference(request.reference);
  const what = `pull ${name}`;
  const body = await connection.stream({
    what,
    method: 'POST',
    path: '/images/create',
    query: { fromImage: name, platform: request.platform },
    signal: request.signal,
    ...(request.auth === undefined ? {} : { auth: request.auth }),
  });
  for await (const record of readProgress(body, connection, what, request.signal)) {
    const line = [record.id, record.status ?? record.stream, record.progress]
      .filter((part) => part)
      .join(' ')
      .trim();
    if (line !== '') request.onProgress(line);
  }
  const image = await findImage(connection, name);
  if (image === null)
    throw new SandlotError('runtime_error', `Could not ${what}: the runtime closed the connection before the image was there.`);
  return image;
};

const importImage = async (
  connection: DockerConnection,
  ...[tar, reference, changes, signal]: Parameters<ContainerRuntime['importImage']>
): Promise<string> => {
  const what = `import ${reference}`;
  const { repo, tag } = splitTag(reference);
  // In one word: Podman reads no `tag` here.
  const query = { fromSrc: '-', repo: `${repo}:${tag}`, changes };
  const body = await connection.stream({ what, method: 'POST', path: '/images/create', query, upload: tar, signal });
  for await (const _ of readProgress(body, connection, what, signal));
  const image = await findImage(connection, reference);
  if (image === null)
    throw new SandlotError('runtime_error', `Could not ${what}: the runtime closed the connection before the image was there.`);
  return image.id;
};

const removeImage = async (connection: DockerConnection, reference: string, force: boolean): Promise<void> => {
  for (const name of possibleReferences(reference, connection.isPodman)) {
    const call = connection.json({ what: `remove image ${reference}`, method: 'DELETE', path: pathOf(name), query: { force } });
    if ((await orNull(call.then(() => true))) !== null) return;
  }
};

const loadImage = async (connection: DockerConnection, ...[tar, signal]: Parameters<ContainerRuntime['loadImage']>): Promise<void> => {
  const what = 'load an image';
  const body = await connection.stream({ what, method: 'POST', path: '/images/load', query: { quiet: true }, upload: tar, signal });
  for await (const _ of readProgress(body, connection, what, signal));
};

const listRows = (connection: DockerConnection, query: Record<string, string>): Promise<{ Id: string }[]> =>
  whileOthersGo(connection, () => connection.json({ what: 'list images', method: 'GET', path: '/images/json', query }));

const listImages = async (connection: DockerConnection, labels: Record<string, string>): Promise<ImageDetails[]> => {
  // Podman 4.3 finds no image at all when two labels are asked for: the last one narrows, the rest is looked at here.
  const query = { filters: labelFilters(Object.fromEntries(Object.entries(labels).slice(-1))) };
  const rows = await listRows(connection, query);
  const ids = [...new Set(rows.map((row) => withPrefix(row.Id)))];
  const images = await Promise.all(ids.map((id) => findImage(connection, id)));
  return images.filter((image) => image !== null).filter((image) => carriesLabels(image.labels, labels));
};

/** The image calls of the port. */
export const createImageCalls = (connection: DockerConnection): ImageCalls => ({
  inspectImage: (reference) => findImage(connection, reference),
  listImages: (labels) => listImages(connection, labels),
  pullImage: (request) => pullImage(connection, request),
  importImage: (...request) => importImage(connection, ...request),
  tagImage: async (idOrReference, tag) => {
    const found = await findImage(connection, idOrReference);
    if (found === null) throw new SandlotError('image_missing', `Cannot tag ${idOrReference}: there is no such image.`);
    await connection.json({
      what: `tag ${idOrReference} as ${tag}`,
      method: 'POST',
      path: `${pathOf(found.id)}/tag`,
      query: splitTag(tag),
    });
  },
  removeImage: (reference, options = {}) => removeImage(connection, reference, options.force ?? false),
  saveImage: async (reference) => {
    const name = (await findImage(connection, reference))?.tags.includes(familiarReference(reference, connection.isPodman))
      ? reference
      : undefined;
    return connection.stream({ what: `save image ${reference}`, method: 'GET', path: `${pathOf(name ?? reference)}/get` });
  },
  loadImage: (...request) => loadImage(connection, ...request),
});
