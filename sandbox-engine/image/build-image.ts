// Recipe -> image: queued, logged by step, cancellable; an unchanged recipe is answered from the registry without asking the runtime.
// Source: SPEC.md 3 (Build, fingerprint). Leaves pinning to pin.ts and the base to base-image.ts.
import { setTimeout as delay } from 'node:timers/promises';
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

/** What belongs to a build that succeeded (its pin): nobody is told of the success before it is done. Must not reject. */
export type WhenBuilt = (build: Build) => Promise<void>;

interface StartOptions {
  noCache: boolean;
  whenBuilt?: WhenBuilt | undefined;
}

export interface Builds {
  /** Answers at once: a queued build, or a finished one when the same recipe was built before and its image is still there; one under way where
   *  what belongs to its end takes longer. */
  start: (environment: Environment, options: StartOptions) => Promise<Build>;
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
  active: Map<string, ActiveBuild>;
}

interface ActiveBuild {
  build: Build;
  done: Promise<Build>;
  whenBuilt: WhenBuilt | undefined;
}

const isUnderWay = ({ status }: Build): boolean => status === 'queued' || status === 'running';

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

/** The end of a build: in the store, then what belongs to a success, then everybody hears of it. */
const conclude = async (deps: BuildDeps, build: Build, whenBuilt: WhenBuilt | undefined): Promise<void> => {
  if (build.status === 'succeeded' && whenBuilt !== undefined) {
    maskWords(build, deps.redactText);
    await deps.store.save(build);
    await whenBuilt(structuredClone(build));
  }
  await save(deps, build);
};

const answerFromEarlier = async (deps: BuildDeps, build: Build, earlier: Build, whenBuilt: WhenBuilt | undefined): Promise<Build> => {
  shareImage(build, earlier, deps.clock.iso());
  const stream = await deps.streams.create(build.stream_id, logOptions);
  await stream.append(Buffer.from(`Nothing changed since build ${earlier.id}: its image is used again.\n`));
  await stream.end();
  await conclude(deps, build, whenBuilt);
  return build;
};

/** How long an answer may wait for what belongs to a build that made nothing: to pin it may mean to search it for secrets. */
const momentMs = 300;

/** Answers the end where that is there in a moment, else the build as one that is under way. */
const answerSoon = async ({ deps, active }: Workshop, build: Build, earlier: Build, whenBuilt: WhenBuilt | undefined): Promise<Build> => {
  const begun: Build = { ...structuredClone(build), status: 'running', started_at: deps.clock.iso() };
  const done = answerFromEarlier(deps, build, earlier, whenBuilt).finally(() => active.delete(build.environment_id));
  done.catch(() => undefined);
  active.set(build.environment_id, { build, done, whenBuilt });
  const ended = await Promise.race([done, delay(momentMs, null, { ref: false })]);
  if (ended !== null) return ended;
  deps.emit(structuredClone(begun));
  return begun;
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
    endWithoutImage(build, {
      ...{ thrown, cancelled: signal.aborted, failedStep: log.current()?.name ?? null },
      lastWords: log.lastWords(),
    });
    // A failed step has said it in its own words already.
    if (build.error?.code !== 'build_failed') log.line(`\u001b[31m${build.error?.message ?? ''}\u001b[0m`);
  }
  closeSteps(build);
  build.finished_at = deps.clock.iso();
  await log.flush();
  // A log that the disk has no room for must not change what came out of the build.
  await stream.end().catch(() => undefined);
  await conclude(deps, build, active.get(build.environment_id)?.whenBuilt);
  active.delete(build.environment_id);
  return build;
};

/** Joins whoever asked before. One that is at its end already takes nothing more along. */
const join = (running: ActiveBuild, whenBuilt: WhenBuilt | undefined): Build => {
  if (isUnderWay(running.build)) running.whenBuilt ??= whenBuilt;
  else running.done.then(async (ended) => ended.status === 'succeeded' && (await whenBuilt?.(ended))).catch(() => undefined);
  return structuredClone(running.build);
};

const start = async (workshop: Workshop, environment: Environment, { noCache, whenBuilt }: StartOptions): Promise<Build> => {
  const { deps, queue, active } = workshop;
  deps.runtimeOf(environment.runtime);
  const running = active.get(environment.id);
  if (running !== undefined) return join(running, whenBuilt);
  const build = draftBuild(environment, deps.newId, deps.clock.iso());
  const earlier = noCache ? null : await findEarlier(deps, environment);
  const meanwhile = active.get(environment.id);
  if (meanwhile !== undefined) return join(meanwhile, whenBuilt);
  if (earlier !== null) return await answerSoon(workshop, build, earlier, whenBuilt);
  // Before anybody is told of it: a build that still waits can be followed already.
  const stream = await deps.streams.create(build.stream_id, logOptions);
  const other = active.get(environment.id);
  if (other !== undefined) {
    await deps.streams.remove(build.stream_id);
    return join(other, whenBuilt);
  }
  const done = new Promise<Build>((resolve, reject) => {
    // Begins in a later turn, when the build is saved and known as the active one.
    queue.add(environment.runtime, build.id, async (signal) => {
      await run(workshop, build, stream, environment, noCache, signal).then(resolve, reject);
    });
  });
  active.set(environment.id, { build, done, whenBuilt });
  const asked = structuredClone(build);
  await save(deps, asked);
  return asked;
};

const find = async ({ deps, active }: Workshop, buildId: string): Promise<Build> => {
  const here = [...active.values()].find((one) => one.build.id === buildId);
  if (here !== undefined) {
    // One that has just ended is told of as soon as all that belongs to it is done: whoever hears of it may launch.
    return isUnderWay(here.build) ? structuredClone(here.build) : await here.done;
  }
  const build = await deps.store.find(buildId);
  if (build === null) {
    throw new SandlotError('not_found', `There is no build "${buildId}".`, {
      nextAction: 'It may have gone with its environment. See which there are: sandlot env list',
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
    start: (environment, options) => start(workshop, environment, options),
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
