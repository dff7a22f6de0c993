// Builds an image on one daemon: BuildKit where it is embedded and works, else the classic builder. Cancelling cuts the connection,
// which stops the build on the daemon. What the records mean is build-progress.ts's business.
import { setImmediate as yieldToEvents } from 'node:timers/promises';
import { extract } from 'tar-stream';
import { SandlotError } from '../base/errors.ts';
import type { BuildProgress } from './build-progress.ts';
import { createBuildProgress } from './build-progress.ts';
import type { BuildRequest } from './container-runtime.ts';
import type { DaemonRequest, DockerConnection } from './docker-connection.ts';
import { errorFromWords, statusOf } from './docker-errors.ts';
import { findImage } from './docker-images.ts';
import type { DaemonFacts } from './docker-info.ts';
import { instructionsOf } from './dockerfile-steps.ts';
import { readJsonLines } from './json-lines.ts';
import type { ProgressRecord } from './progress-records.ts';
import { readAll } from './read-all.ts';
import { whileOthersGo } from './while-others-go.ts';

const plainName = (name: string): string => name.replace(/^\.\//, '');

/** The text of one file of a tar; empty when it is not there. */
const readFromTar = async (tar: Buffer, name: string): Promise<string> => {
  const entries = extract();
  entries.end(tar);
  let text = '';
  for await (const entry of entries) {
    if (plainName(entry.header.name) === plainName(name)) text = (await readAll(entry)).toString('utf8');
    else entry.resume();
  }
  return text;
};

const queryOf = (request: BuildRequest, useBuildKit: boolean): NonNullable<DaemonRequest['query']> => ({
  t: request.tag,
  dockerfile: request.dockerfile,
  labels: JSON.stringify(request.labels),
  ...(request.buildArgs === undefined ? {} : { buildargs: JSON.stringify(request.buildArgs) }),
  nocache: request.noCache ?? false,
  rm: true,
  forcerm: true,
  ...(useBuildKit ? { version: '2' } : {}),
});

const cancelled = (request: BuildRequest, cause?: unknown): SandlotError =>
  new SandlotError('cancelled', `The build of ${request.tag} was cancelled.`, cause === undefined ? {} : { cause });

/** Feeds the records as they come; answers whether the connection was cut. */
const follow = async (body: AsyncIterable<Buffer>, progress: BuildProgress): Promise<boolean> => {
  try {
    for await (const record of readJsonLines<ProgressRecord>(body)) {
      progress.push(record);
      if (progress.failure() !== null) break;
    }
    return false;
  } catch {
    // Reset: what had come so far is told, and the missing image says the rest.
    return true;
  }
};

const outcome = (request: BuildRequest, progress: BuildProgress): void => {
  const words = progress.failure();
  if (words !== null) {
    const error = errorFromWords(`build ${request.tag}`, words);
    throw error.code === 'disk_full' ? error : new SandlotError('build_failed', words, { details: { tag: request.tag } });
  }
  if (progress.hasImage()) return;
  throw new SandlotError(
    'build_failed',
    `The build of ${request.tag} failed: the runtime closed the connection before the image was there.`,
    {
      details: { tag: request.tag },
      nextAction: 'Look whether the runtime is running (`sandlot doctor`), then build again.',
    },
  );
};

const buildOnce = async (connection: DockerConnection, request: BuildRequest, upload: Buffer, useBuildKit: boolean): Promise<void> => {
  const body = await connection.stream({
    what: `build ${request.tag}`,
    method: 'POST',
    path: '/build',
    query: queryOf(request, useBuildKit),
    upload,
    signal: request.signal,
  });
  const instructions = instructionsOf(await readFromTar(upload, request.dockerfile));
  const progress = createBuildProgress({ instructions, onEvent: request.onEvent, monotonicMs: () => performance.now() });
  const cut = await follow(body, progress);
  progress.end(cut || progress.failure() !== null || !progress.hasImage() || request.signal.aborted);
  if (request.signal.aborted) throw cancelled(request);
  await yieldToEvents();
  outcome(request, progress);
};

// A daemon may embed BuildKit and still not let it work: switched off, or wanting a client session for what is missing.
const buildKitRefused = (thrown: unknown): boolean =>
  thrown instanceof SandlotError &&
  ((statusOf(thrown) !== null && /buildkit|version 2|builder version/i.test(thrown.message)) || /no active session/i.test(thrown.message));

/** Builds and answers the id of the image that carries the tag then. @throws build_failed with the daemon's words, disk_full, cancelled. */
export const buildImage = async (connection: DockerConnection, facts: DaemonFacts, request: BuildRequest): Promise<string> => {
  // Kept whole, because a second builder may have to read it again; a context holds our own few files only.
  const upload = await readAll(request.context);
  if (request.signal.aborted) throw cancelled(request);
  try {
    let tries = 0;
    const build = (): Promise<void> => {
      if (tries > 0) request.onEvent({ kind: 'again' });
      tries += 1;
      return buildOnce(connection, request, upload, facts.hasBuildKit);
    };
    await whileOthersGo(connection, build, request.signal);
  } catch (thrown) {
    if (!facts.hasBuildKit || !buildKitRefused(thrown)) throw thrown;
    await buildOnce(connection, request, upload, false);
  }
  const image = await findImage(connection, request.tag);
  if (image !== null) return image.id;
  throw new SandlotError('build_failed', `The build of ${request.tag} ended, but the runtime has no image of that name.`);
};
