// What a build is before, when it can share an image, and when it went wrong: pure changes of one record.
import type { Clock } from '../base/clock.ts';
import { SandlotError } from '../base/errors.ts';
import type { NewId } from '../base/ids.ts';
import type { Build, Environment } from '../contract/model.ts';

/** A queued build of the environment as it is now. */
export const draftBuild = (environment: Environment, newId: NewId, now: string): Build => ({
  id: newId('bld'),
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
  stream_id: newId('str'),
  created_at: now,
  started_at: null,
  finished_at: null,
});

/** The build takes the image of an earlier one and is done. */
export const shareImage = (build: Build, earlier: Build, now: string): void => {
  build.fingerprint = earlier.fingerprint;
  build.base_digest = earlier.base_digest;
  build.image_id = earlier.image_id;
  build.image_size = earlier.image_size;
  build.boot_test = earlier.boot_test;
  build.reused_build_id = earlier.reused_build_id ?? earlier.id;
  build.status = 'succeeded';
  build.started_at ??= now;
  build.finished_at = now;
};

const errorOf = (thrown: unknown): NonNullable<Build['error']> =>
  thrown instanceof SandlotError
    ? { code: thrown.code, message: thrown.message, next_action: thrown.nextAction }
    : { code: 'internal', message: thrown instanceof Error ? thrown.message : String(thrown), next_action: null };

/** Runtimes repeat the whole command of a step that failed; what is worth saying of it is its exit code. Null where it is something else.
 * Source: BuildKit ("executor failed running [...]: exit code: N", "did not complete successfully: exit code: N"), the classic builder ("returned
 * a non-zero code: N"), Buildah ("while running runtime: exit status N"). */
export const stepFailure = (message: string): string | null => {
  const exit = /(?:exit code|exit status|non-zero code):? (\d+)\s*$/.exec(message)?.[1];
  const isCommand = /executor failed running|did not complete successfully|returned a non-zero code|while running runtime/.test(message);
  return exit !== undefined && isCommand ? `its command ended with exit code ${exit}` : null;
};

interface Outcome {
  thrown: unknown;
  cancelled: boolean;
  /** The step that ran. */
  failedStep: string | null;
  /** The last few lines that it printed. */
  lastWords: string | null;
}

/** The build ended without an image. */
export const endWithoutImage = (build: Build, outcome: Outcome): void => {
  build.status = outcome.cancelled ? 'cancelled' : 'failed';
  build.failed_step = outcome.cancelled ? null : outcome.failedStep;
  build.error = outcome.cancelled ? { code: 'cancelled', message: 'The build was cancelled.', next_action: null } : errorOf(outcome.thrown);
  const failure = build.failed_step === null ? null : stepFailure(build.error.message);
  if (failure !== null) build.error.message = outcome.lastWords === null ? `${failure}.` : `${failure}: ${outcome.lastWords}`;
  if (build.error.next_action === null && build.failed_step !== null) {
    build.error.next_action = 'Read its log, correct the recipe and build again.';
  }
  build.image_id = null;
};

/** The build was left behind by a host that ended. */
export const endAbandoned = (build: Build, clock: Clock): void => {
  build.status = 'failed';
  build.error = {
    code: 'cancelled',
    message: 'Sandlot ended while this build ran.',
    next_action: 'Build again: finished steps are cached.',
  };
  build.failed_step = build.steps.find((step) => step.status === 'running')?.name ?? null;
  closeSteps(build);
  build.finished_at = clock.iso();
};

/** Steps that never came to an end are cancelled. */
export const closeSteps = (build: Build): void => {
  for (const step of build.steps) if (step.status === 'running' || step.status === 'waiting') step.status = 'cancelled';
};
