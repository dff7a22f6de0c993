// The work of one build: base, fingerprint, a shared image or a new one, boot test. Knows nothing of queues.

import type { Clock } from '../base/clock.ts';
import type { ContainerRuntime } from '../container/container-runtime.ts';
import { labelKeys, type MakeLabels } from '../container/labels.ts';
import { packContext } from '../container/pack-context.ts';
import type { Build, BuildStep, Environment } from '../contract/model.ts';
import { compileRecipe } from '../recipe/compile.ts';
import { fingerprint } from '../recipe/digest.ts';
import { runtimeLayerVersion } from '../recipe/runtime-layer.ts';
import type { BuildStore } from '../registry/registry.ts';
import type { BaseImages, PreparedBase } from './base-image.ts';
import { bootTest } from './boot-test.ts';
import type { BuildLog } from './build-log.ts';
import { shareImage } from './build-record.ts';
import type { ImagePresence } from './image-presence.ts';
import type { ReadSandboxUser } from './sandbox-user.ts';

export interface MakeImageDeps {
  store: BuildStore;
  presence: ImagePresence;
  bases: BaseImages;
  runtimeOf: (id: string) => ContainerRuntime;
  /** The runtime's own architecture, as it was when it was last reached. */
  architectureOf: (id: string) => Promise<string>;
  makeLabels: MakeLabels;
  readSandboxUser: ReadSandboxUser;
  clock: Clock;
}

export interface BuildJob {
  build: Build;
  environment: Environment;
  log: BuildLog;
  noCache: boolean;
  signal: AbortSignal;
}

/** The tag under which a fingerprint's image is kept. */
const imageTag = (print: string): string => `sandlot/env:${print.slice(0, 24)}`;

/** The fingerprint of an environment's recipe on a base. */
export const fingerprintOf = async (deps: MakeImageDeps, environment: Environment, baseDigest: string): Promise<string> =>
  fingerprint({
    recipe: environment.recipe,
    baseDigest,
    runtimeLayerVersion,
    architecture: await deps.architectureOf(environment.runtime),
  });

// Instructions that Sandlot adds itself and that take no time: they are in the log, not among the steps.
const silent = new Set(['base', 'as root', 'sandbox user', 'labels']);

/** Each of these steps in its place before it is reached, so that it is known how many there are; one of several instructions is one. Pure. */
const stepsAhead = (known: readonly BuildStep[], names: readonly (string | null)[]): BuildStep[] =>
  names
    .filter((name, at) => name !== null && name !== names[at - 1])
    .map((name, at) => ({ index: known.length + at, name: name ?? '', status: 'waiting', started_at: null, duration_ms: null }));

/** They are one instruction: those that a runtime is given beside the Dockerfile cost Podman an image each. */
const labelsOf = ({ makeLabels }: MakeImageDeps, { build, environment }: BuildJob): Record<string, string> =>
  makeLabels('image', {
    environment: environment.id,
    environmentName: environment.name,
    build: build.id,
    fingerprint: build.fingerprint,
  });

const bake = async (deps: MakeImageDeps, job: BuildJob, base: PreparedBase): Promise<void> => {
  const { build, environment, log, noCache, signal } = job;
  const user = await deps.readSandboxUser(build, base.imageId);
  const compiled = compileRecipe({ recipe: environment.recipe, from: base.tag, user, labels: labelsOf(deps, job) });
  const shown = compiled.steps.map((step) => (silent.has(step) ? null : step));
  const runtime = deps.runtimeOf(build.runtime);
  log.finish('succeeded');
  build.steps.push(...stepsAhead(build.steps, shown));
  build.image_id = await runtime.buildImage({
    context: packContext(compiled),
    dockerfile: 'Dockerfile',
    tag: imageTag(build.fingerprint),
    // May be longer than a line of a Dockerfile.
    labels: { [labelKeys.recipe]: Buffer.from(environment.recipe_yaml).toString('base64') },
    buildArgs: compiled.buildArgs,
    noCache,
    onEvent: (event) => log.onBuildEvent(event, shown, compiled.instructions),
    signal,
  });
  log.finish('succeeded');
  // What the runtime did not tell of was done with the others.
  build.steps = build.steps.filter(({ status }) => status !== 'waiting').map((step, index) => ({ ...step, index }));
  deps.presence.notePresent(build.runtime, build.image_id);
};

/** How large the image is; `null` when the runtime cannot say so now. */
const sizeOf = async ({ runtimeOf }: MakeImageDeps, { runtime, image_id }: Build): Promise<number | null> =>
  image_id === null ? null : ((await runtimeOf(runtime).inspectImage(image_id))?.size ?? null);

const boot = async (deps: MakeImageDeps, { build, log, signal }: BuildJob): Promise<void> => {
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

/** Makes the image of a build, or shares one of the same fingerprint; the build's record says what came out. */
export const makeImage = async (deps: MakeImageDeps, job: BuildJob): Promise<void> => {
  const { build, environment, log, noCache, signal } = job;
  const base = await deps.bases.ensure({ runtime: deps.runtimeOf(build.runtime), base: build.base, log, signal });
  build.base_digest = base.digest;
  build.fingerprint = await fingerprintOf(deps, environment, base.digest);
  const shared = noCache ? null : await deps.store.findSucceeded(build.fingerprint, build.runtime);
  const isThere = shared?.image_id != null && (await deps.presence.of(build.runtime, shared.image_id)) === 'present';
  if (isThere && shared.boot_test?.passed === true) {
    log.line(`The same recipe on the same base was built before (${shared.id}): its image is shared.`);
    shareImage(build, shared, deps.clock.iso());
    return;
  }
  // A boot test may fail for the runtime's sake, which is not the image's fault: it is booted again.
  if (isThere) build.image_id = shared.image_id;
  else await bake(deps, job, base);
  [build.image_size] = await Promise.all([sizeOf(deps, build), boot(deps, job)]);
  build.status = 'succeeded';
};
