// Recipe -> image: queued, logged by step, cancellable; an unchanged recipe is answered from the registry without asking the runtime.
// Source: SPEC.md 3 (Build, fingerprint). Leaves pinning to pin.ts and the base to base-image.ts.
import type { Clock } from '../base/clock.ts';
import { SandlotError } from '../base/errors.ts';
import type { NewId } from '../base/ids.ts';
import type { ContainerRuntime } from '../container/container-runtime.ts';
import type { MakeLabels } from '../container/labels.ts';
import type { Build, Environment } from '../contract/model.ts';
import { compileRecipe } from '../recipe/compile.ts';
import { fingerprint } from '../recipe/digest.ts';
import { runtimeLayerVersion } from '../recipe/runtime-layer.ts';
import type { BuildStore } from '../registry/registry.ts';
import type { StreamStore } from '../stream/stream.ts';
import type { BaseImages } from './base-image.ts';
import { bootTest } from './boot-test.ts';
import { packContext } from './build-context.ts';
import { type BuildLog, createBuildLog } from './build-log.ts';
import { createBuildQueue } from './build-queue.ts';
import type { ImagePresence } from './image-presence.ts';

export interface BuildDeps {
  store: BuildStore;
  streams: StreamStore;
  presence: ImagePresence;
  bases: BaseImages;
  runtimeOf: (id: string) => ContainerRuntime;
  /** The runtime's own architecture, as it was when it was last reached. */
  architectureOf: (id: string) => Promise<string>;
  makeLabels: MakeLabels;
  newId: NewId;
  clock: Clock;
  emit: (build: Build) => void;
}

export interface Builds {
  /** Answers at once: a queued build, or a finished one when the same fingerprint was built before and its image is still there. */
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

const logBytes = 16 * 1024 * 1024;

/** The tag under which a fingerprint's image is kept. */
export const imageTag = (print: string): string => `sandlot/env:${print.slice(0, 24)}`;

const failureOf = (thrown: unknown): NonNullable<Build['error']> =>
  thrown instanceof SandlotError
    ? { code: thrown.code, message: thrown.message, next_action: thrown.nextAction }
    : { code: 'internal', message: thrown instanceof Error ? thrown.message : String(thrown), next_action: null };

/** Makes the builder of one host. */
export const createBuilds = (deps: BuildDeps): Builds => {
  const { store, streams, presence, clock, emit } = deps;
  const queue = createBuildQueue();
  const active = new Map<string, { build: Build; done: Promise<Build> }>();

  const changed = (build: Build): void => emit(structuredClone(build));

  const save = async (build: Build): Promise<void> => {
    await store.save(build);
    changed(build);
  };

  const draft = (environment: Environment): Build => ({
    id: deps.newId('bld'),
    environment_id: environment.id,
    status: 'queued',
    fingerprint: '',
    recipe_digest: environment.recipe_digest,
    recipe_yaml: environment.recipe_yaml,
    runtime: environment.runtime,
    base: environment.recipe.base,
    base_digest: null,
    steps: [],
    failed_step: null,
    error: null,
    image_id: null,
    image_size: null,
    boot_test: null,
    reused_build_id: null,
    stream_id: deps.newId('str'),
    created_at: clock.iso(),
    started_at: null,
    finished_at: null,
  });

  /** An earlier build of this very recipe whose image is still there; found without asking the runtime when that is known. */
  const findEarlier = async (environment: Environment): Promise<Build | null> => {
    const builds = await store.listByEnvironment(environment.id, 20);
    const same = builds.find(
      (one) => one.status === 'succeeded' && one.recipe_digest === environment.recipe_digest && one.runtime === environment.runtime,
    );
    if (same?.base_digest == null || same.image_id === null) return null;
    const architecture = await deps.architectureOf(environment.runtime);
    const print = fingerprint({ recipe: environment.recipe, baseDigest: same.base_digest, runtimeLayerVersion, architecture });
    if (print !== same.fingerprint) return null;
    return (await presence.of(same.runtime, same.image_id)) === 'present' ? same : null;
  };

  const reuse = (build: Build, earlier: Build): void => {
    build.fingerprint = earlier.fingerprint;
    build.base_digest = earlier.base_digest;
    build.image_id = earlier.image_id;
    build.image_size = earlier.image_size;
    build.boot_test = earlier.boot_test;
    build.reused_build_id = earlier.reused_build_id ?? earlier.id;
    build.status = 'succeeded';
    build.started_at ??= clock.iso();
    build.finished_at = clock.iso();
  };

  const bakeRecipe = async (
    build: Build,
    environment: Environment,
    from: string,
    log: BuildLog,
    noCache: boolean,
    signal: AbortSignal,
  ): Promise<void> => {
    const compiled = compileRecipe({ recipe: environment.recipe, from });
    const runtime = deps.runtimeOf(environment.runtime);
    build.image_id = await runtime.buildImage({
      context: packContext(compiled),
      dockerfile: 'Dockerfile',
      tag: imageTag(build.fingerprint),
      labels: deps.makeLabels('image', {
        environment: environment.id,
        environmentName: environment.name,
        build: build.id,
        fingerprint: build.fingerprint,
        recipe: Buffer.from(environment.recipe_yaml).toString('base64'),
      }),
      buildArgs: compiled.buildArgs,
      noCache,
      onEvent: (event) => log.onBuildEvent(event, compiled.steps),
      signal,
    });
    log.finish('succeeded');
    presence.notePresent(environment.runtime, build.image_id);
    build.image_size = (await runtime.inspectImage(build.image_id))?.size ?? null;
  };

  const runBootTest = async (build: Build, log: BuildLog, signal: AbortSignal): Promise<void> => {
    log.begin('Boot test');
    build.boot_test = await bootTest({
      runtime: deps.runtimeOf(build.runtime),
      imageId: build.image_id ?? '',
      name: `sandlot-boot-${build.id.replace('_', '-')}`,
      labels: deps.makeLabels('boot-test', { build: build.id }),
      signal,
    });
    for (const check of build.boot_test.checks) log.line(`${check.passed ? '✓' : '✗'} ${check.name}: ${check.message}`);
    log.finish(build.boot_test.passed ? 'succeeded' : 'failed');
  };

  const work = async (build: Build, environment: Environment, log: BuildLog, noCache: boolean, signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted();
    build.status = 'running';
    build.started_at = clock.iso();
    await save(build);
    const base = await deps.bases.ensure({ runtime: deps.runtimeOf(build.runtime), base: build.base, log, signal });
    const architecture = await deps.architectureOf(build.runtime);
    build.base_digest = base.digest;
    build.fingerprint = fingerprint({ recipe: environment.recipe, baseDigest: base.digest, runtimeLayerVersion, architecture });
    const shared = noCache ? null : await store.findSucceeded(build.fingerprint, build.runtime);
    if (shared?.image_id != null && (await presence.of(build.runtime, shared.image_id)) === 'present') {
      log.line(`The same recipe on the same base was built before (${shared.id}): its image is shared.`);
      reuse(build, shared);
      return;
    }
    await bakeRecipe(build, environment, base.tag, log, noCache, signal);
    await runBootTest(build, log, signal);
    build.status = 'succeeded';
  };

  const settle = (build: Build, log: BuildLog, thrown: unknown, cancelled: boolean): void => {
    const status = cancelled ? 'cancelled' : 'failed';
    log.finish(status);
    build.status = status;
    build.failed_step = cancelled ? null : (log.current()?.name ?? null);
    build.error = failureOf(thrown);
    if (cancelled) build.error = { code: 'cancelled', message: 'The build was cancelled.', next_action: null };
    build.image_id = null;
    log.line(`\u001b[31m${build.error.message}\u001b[0m`);
  };

  const run = async (build: Build, environment: Environment, noCache: boolean, signal: AbortSignal): Promise<Build> => {
    const stream = await streams.create(build.stream_id, { keep: 'head', maxBytes: logBytes });
    const log = createBuildLog({ build, stream, clock, changed });
    try {
      await work(build, environment, log, noCache, signal);
    } catch (thrown) {
      settle(build, log, thrown, signal.aborted);
    }
    for (const step of build.steps) if (step.status === 'waiting') step.status = 'cancelled';
    build.finished_at = clock.iso();
    await log.flush();
    await stream.end().catch(() => undefined);
    active.delete(build.environment_id);
    await save(build);
    return build;
  };

  const find = async (buildId: string): Promise<Build> => {
    for (const { build } of active.values()) if (build.id === buildId) return structuredClone(build);
    const build = await store.find(buildId);
    if (build === null) {
      throw new SandlotError('not_found', `There is no build "${buildId}".`, {
        nextAction: 'List the builds of the environment with: sandlot builds ENV',
      });
    }
    return build;
  };

  return {
    get: find,
    start: async (environment, { noCache }) => {
      deps.runtimeOf(environment.runtime);
      const running = active.get(environment.id);
      if (running !== undefined) return structuredClone(running.build);
      const build = draft(environment);
      const earlier = noCache ? null : await findEarlier(environment);
      if (earlier !== null) {
        reuse(build, earlier);
        const stream = await streams.create(build.stream_id, { keep: 'head', maxBytes: logBytes });
        await stream.append(Buffer.from(`Nothing changed since build ${earlier.id}: its image is used again.\n`));
        await stream.end();
        await save(build);
        return build;
      }
      await save(build);
      const done = new Promise<Build>((resolve, reject) => {
        queue.add(environment.runtime, build.id, (signal) => run(build, environment, noCache, signal).then(resolve, reject));
      });
      active.set(environment.id, { build, done });
      return structuredClone(build);
    },
    cancel: async (buildId) => {
      const build = await find(buildId);
      const running = active.get(build.environment_id);
      if (running?.build.id !== buildId || !queue.cancel(buildId)) {
        throw new SandlotError('build_finished', `Build ${buildId} is already ${build.status}.`);
      }
      return await running.done;
    },
    finished: async (buildId) => {
      for (const one of active.values()) if (one.build.id === buildId) return await one.done;
      return await find(buildId);
    },
    activeOf: (environmentId) => active.get(environmentId)?.build.id ?? null,
    recover: async () => {
      for (const build of await store.listUnfinished()) {
        build.status = 'failed';
        build.error = {
          code: 'cancelled',
          message: 'Sandlot ended while this build ran.',
          next_action: 'Build again: finished steps are cached.',
        };
        build.failed_step = build.steps.find((step) => step.status === 'running')?.name ?? null;
        for (const step of build.steps) if (step.status === 'running' || step.status === 'waiting') step.status = 'cancelled';
        build.finished_at = clock.iso();
        await save(build);
      }
    },
    close: () => queue.close(),
  };
};
