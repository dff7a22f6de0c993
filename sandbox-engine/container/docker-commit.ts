// Makes an image of a container. Where the caller gives the whole environment, the config is exchanged afterwards: `commit` on either
// runtime mixes the container's own variables in, and Dockerfile words cannot carry every byte.
import { SandlotError } from '../base/errors.ts';
import type { CommitRequest } from './container-runtime.ts';
import type { DockerConnection } from './docker-connection.ts';
import { findImage } from './docker-images.ts';
import type { RawImage } from './image-config.ts';
import { assertComplete, bareArchive, configDocument, exchangeConfig, loadArchive } from './image-config.ts';
import { splitTag } from './image-reference.ts';
import { whileOthersGo } from './while-others-go.ts';

const removeTag = (connection: DockerConnection, tag: string): Promise<unknown> =>
  connection.json({ what: `remove image ${tag}`, method: 'DELETE', path: `/images/${tag}` }).catch(() => undefined);

/** Gives up waiting when it is cancelled. A runtime goes on with a commit that nobody waits for: what comes of it is undone then. */
const orGivenUp = async <T>(work: Promise<T>, signal: AbortSignal | undefined, undo: () => Promise<unknown>): Promise<T> => {
  let giveUp = (): void => undefined;
  const cancelled = new Promise<never>((_, reject) => {
    giveUp = () => reject(new SandlotError('cancelled', 'Storing the container as an image was cancelled.'));
    if (signal?.aborted === true) giveUp();
    signal?.addEventListener('abort', giveUp, { once: true });
  });
  try {
    return await Promise.race([work, cancelled]);
  } catch (thrown) {
    if (signal?.aborted === true) work.then(undo, () => undefined);
    throw thrown;
  } finally {
    signal?.removeEventListener('abort', giveUp);
  }
};

const commitPlain = async (connection: DockerConnection, request: CommitRequest, tag: string): Promise<string> => {
  const query = {
    container: request.containerId,
    ...splitTag(tag),
    comment: '',
    author: '',
    pause: request.pause ?? true,
    changes: request.changes,
  };
  const what = `store container ${request.containerId.slice(0, 12)} as an image`;
  const commit = () => connection.json<{ Id: string }>({ what, method: 'POST', path: '/commit', query, body: {} });
  const committing = whileOthersGo(connection, commit, request.signal);
  const answer = await orGivenUp(committing, request.signal, () => removeTag(connection, tag));
  return answer.Id.startsWith('sha256:') ? answer.Id : `sha256:${answer.Id}`;
};

const isOurs = (thrown: unknown): boolean => thrown instanceof SandlotError && (thrown.code === 'cancelled' || thrown.code === 'disk_full');

const exchange = async (connection: DockerConnection, request: CommitRequest, id: string): Promise<void> => {
  const ask = () => connection.json<RawImage>({ what: `inspect image ${id}`, method: 'GET', path: `/images/${id}/json` });
  const image = await whileOthersGo(connection, ask);
  assertComplete(image);
  const labels = { ...(image.Config?.Labels as Record<string, string> | undefined), ...request.labels };
  const document = configDocument(image, { ...(request.env === undefined ? {} : { Env: request.env }), Labels: labels });
  const layerCount = image.RootFS?.Layers?.length ?? 0;
  try {
    await loadArchive(connection, bareArchive(document, request.tag, layerCount, connection.isPodman ? 'empty' : 'none'), request.signal);
  } catch (thrown) {
    if (isOurs(thrown)) throw thrown;
    // Docker over containerd wants every layer in the archive.
    const saved = await connection.stream({ what: `read image ${id}`, method: 'GET', path: `/images/${id}/get` });
    await loadArchive(connection, exchangeConfig(saved, document, request.tag), request.signal);
  }
};

/** Commits and answers the id of the image that carries the tag then. @throws disk_full, cancelled */
export const commitContainer = async (connection: DockerConnection, request: CommitRequest): Promise<string> => {
  const needsExchange = request.env !== undefined || request.labels !== undefined;
  // The raw image gets a name of its own: an image without one could be pruned under our hands.
  const rawTag = `${splitTag(request.tag).repo}:raw-${request.containerId.slice(0, 12)}`;
  const id = await commitPlain(connection, request, needsExchange ? rawTag : request.tag);
  if (needsExchange) {
    try {
      await exchange(connection, request, id);
    } finally {
      await removeTag(connection, rawTag);
    }
  }
  const image = await findImage(connection, request.tag);
  if (image !== null) return image.id;
  throw new SandlotError('runtime_error', `The container was stored as ${request.tag}, but the runtime has no image of that name.`);
};
