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

/** The build ended without an image. `failedStep` is the step that ran. */
export const endWithoutImage = (build: Build, outcome: { thrown: unknown; cancelled: boolean; failedStep: string | null }): void => {
  build.status = outcome.cancelled ? 'cancelled' : 'failed';
  build.failed_step = outcome.cancelled ? null : outcome.failedStep;
  build.error = outcome.cancelled ? { code: 'cancelled', message: 'The build was cancelled.', next_action: null } : errorOf(outcome.thrown);
  if (build.error.next_action === null && build.failed_step !== null) {
    build.error.next_action = `Read the log of "${build.failed_step}", correct the recipe and build again.`;
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
