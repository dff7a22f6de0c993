// Recipe -> image: queued, logged by step, cancellable; an unchanged recipe is answered from the registry without asking the runtime.
// Source: SPEC.md 3 (Build, fingerprint). Leaves pinning to pin.ts and the base to base-image.ts.
import { SandlotError } from '../base/errors.ts';
import type { NewId } from '../base/ids.ts';
import type { Build, Environment } from '../contract/model.ts';
import type { StreamStore, StreamWriter } from '../stream/stream.ts';
import { createBuildLog } from './build-log.ts';
import { type BuildQueue, createBuildQueue } from './build-queue.ts';
import { closeSteps, draftBuild, endAbandoned, endWithoutImage, shareImage } from './build-record.ts';
import { fingerprintOf, type MakeImageDeps, makeImage } from './make-image.ts';
import { createSandboxUsers } from './sandbox-user.ts';

export interface BuildDeps extends Omit<MakeImageDeps, 'readSandboxUser'> {
  streams: StreamStore;
  newId: NewId;
  emit: (build: Build) => void;
  /** Masks secrets in what a runtime says; the log masks by itself. */
  redactText: (text: string) => string;
}

export interface Builds {
  /** Answers at once: a queued build, or a finished one when the same recipe was built before and its image is still there. */
  start: (environment: Environment, options: { noCache: boolean }) => Promise<Build>;
  /** @throws not_found @throws build_finished */
  cancel: (buildId: string) => Promise<Build>;
  /** As it is now, with the steps of a running one. @throws not_found */
  get: (buildId: string) => Promise<Build>;
  /** Resolves with the build once it is finished. @throws not_found */
  finished: (buildId: string) => Promise<Build>;
  /** The unfinished build of an environment. */
  activeOf: (environmentId: string) => string | null;
  /** Ends, as failed, the builds that an earlier host left unfinished. */
  recover: () => Promise<void>;
  close: () => Promise<void>;
}

type WorkshopDeps = BuildDeps & MakeImageDeps;

interface Workshop {
  deps: WorkshopDeps;
  queue: BuildQueue;
  /** By environment: one unfinished build each. */
  active: Map<string, { build: Build; done: Promise<Build> }>;
}

const logOptions = { keep: 'head', maxBytes: 16 * 1024 * 1024 } as const;

/** Masks what came from a runtime or a sandbox in a build's record. */
const maskWords = (build: Build, redactText: (text: string) => string): void => {
  if (build.error !== null) build.error.message = redactText(build.error.message);
  for (const check of build.boot_test?.checks ?? []) check.message = redactText(check.message);
};

const save = async ({ store, emit, redactText }: BuildDeps, build: Build): Promise<void> => {
  maskWords(build, redactText);
  await store.save(build);
  emit(structuredClone(build));
};

/** An earlier build of this very recipe whose image passed its boot test and is still there; found without asking the runtime when that
 * is known. A boot test that failed may have failed for the runtime's sake, so it is run again. */
const findEarlier = async (deps: WorkshopDeps, environment: Environment): Promise<Build | null> => {
  const builds = await deps.store.listByEnvironment(environment.id, 20);
  const same = builds.find(
    (one) =>
      one.status === 'succeeded' &&
      one.boot_test?.passed === true &&
      one.recipe_digest === environment.recipe_digest &&
      one.runtime === environment.runtime,
  );
  if (same?.base_digest == null || same.image_id === null) return null;
  if ((await fingerprintOf(deps, environment, same.base_digest)) !== same.fingerprint) return null;
  return (await deps.presence.of(same.runtime, same.image_id)) === 'present' ? same : null;
};

const answerFromEarlier = async (deps: BuildDeps, build: Build, earlier: Build): Promise<Build> => {
  shareImage(build, earlier, deps.clock.iso());
  const stream = await deps.streams.create(build.stream_id, logOptions);
  await stream.append(Buffer.from(`Nothing changed since build ${earlier.id}: its image is used again.\n`));
  await stream.end();
  await save(deps, build);
  return build;
};

const run = async (
  { deps, active }: Workshop,
  build: Build,
  stream: StreamWriter,
  environment: Environment,
  noCache: boolean,
  signal: AbortSignal,
): Promise<Build> => {
  const log = createBuildLog({ build, stream, clock: deps.clock, changed: (one) => deps.emit(structuredClone(one)) });
  try {
    signal.throwIfAborted();
    build.status = 'running';
    build.started_at = deps.clock.iso();
    await save(deps, build);
    await makeImage(deps, { build, environment, log, noCache, signal });
  } catch (thrown) {
    log.finish(signal.aborted ? 'cancelled' : 'failed');
    endWithoutImage(build, { thrown, cancelled: signal.aborted, failedStep: log.current()?.name ?? null });
    // A failed step has said it in its own words already.
    if (build.error?.code !== 'build_failed') log.line(`\u001b[31m${build.error?.message ?? ''}\u001b[0m`);
  }
  closeSteps(build);
  build.finished_at = deps.clock.iso();
  await log.flush();
  // A log that the disk has no room for must not change what came out of the build.
  await stream.end().catch(() => undefined);
  active.delete(build.environment_id);
  await save(deps, build);
  return build;
};

const start = async (workshop: Workshop, environment: Environment, noCache: boolean): Promise<Build> => {
  const { deps, queue, active } = workshop;
  deps.runtimeOf(environment.runtime);
  const running = active.get(environment.id);
  if (running !== undefined) return structuredClone(running.build);
  const build = draftBuild(environment, deps.newId, deps.clock.iso());
  const earlier = noCache ? null : await findEarlier(deps, environment);
  if (earlier !== null) return await answerFromEarlier(deps, build, earlier);
  // Before anybody is told of it: a build that still waits can be followed already.
  const stream = await deps.streams.create(build.stream_id, logOptions);
  const other = active.get(environment.id);
  if (other !== undefined) {
    await deps.streams.remove(build.stream_id);
    return structuredClone(other.build);
  }
  const done = new Promise<Build>((resolve, reject) => {
    // Begins in a later turn, when the build is saved and known as the active one.
    queue.add(environment.runtime, build.id, async (signal) => {
      await run(workshop, build, stream, environment, noCache, signal).then(resolve, reject);
    });
  });
  active.set(environment.id, { build, done });
  const asked = structuredClone(build);
  await save(deps, asked);
  return asked;
};

const find = async ({ deps, active }: Workshop, buildId: string): Promise<Build> => {
  const here = [...active.values()].find((one) => one.build.id === buildId);
  if (here !== undefined) {
    // One that has just ended is told of as soon as it is saved: whoever hears of it may pin it.
    const isUnderWay = here.build.status === 'queued' || here.build.status === 'running';
    return isUnderWay ? structuredClone(here.build) : await here.done;
  }
  const build = await deps.store.find(buildId);
  if (build === null) {
    throw new SandlotError('not_found', `There is no build "${buildId}".`, {
      nextAction: 'List the builds of the environment with: sandlot builds ENV',
    });
  }
  return build;
};

const cancel = async (workshop: Workshop, buildId: string): Promise<Build> => {
  const build = await find(workshop, buildId);
  const running = workshop.active.get(build.environment_id);
  if (running?.build.id !== buildId || !workshop.queue.cancel(buildId)) {
    throw new SandlotError('build_finished', `Build ${buildId} is already ${build.status}.`);
  }
  return await running.done;
};

const recover = async ({ deps }: Workshop): Promise<void> => {
  for (const build of await deps.store.listUnfinished()) {
    endAbandoned(build, deps.clock);
    await save(deps, build);
  }
};

/** Makes the builder of one host. */
export const createBuilds = (deps: BuildDeps): Builds => {
  const workshop: Workshop = { deps: { ...deps, readSandboxUser: createSandboxUsers(deps) }, queue: createBuildQueue(), active: new Map() };
  return {
    start: (environment, { noCache }) => start(workshop, environment, noCache),
    cancel: (buildId) => cancel(workshop, buildId),
    get: (buildId) => find(workshop, buildId),
    finished: async (buildId) => {
      for (const one of workshop.active.values()) if (one.build.id === buildId) return await one.done;
      return await find(workshop, buildId);
    },
    activeOf: (environmentId) => workshop.active.get(environmentId)?.build.id ?? null,
    recover: () => recover(workshop),
    close: () => workshop.queue.close(),
  };
};
