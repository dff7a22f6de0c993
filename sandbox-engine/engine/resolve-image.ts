// Which image a session or a setup run boots from, and why. A bad build never bricks an environment: it falls back and says so.
// Source: SPEC.md 3 (Pin), 5 (a session may start when ...).
import { SandlotError } from '../base/errors.ts';
import type { EnvironmentView, Session } from '../contract/model.ts';
import { emptyRecipeDigest } from '../recipe/digest.ts';

/** What to boot; `imageId` null is the default base, which may have to be made first. */
export interface BootImage {
  imageId: string | null;
  source: Session['image_source'];
  /** A sentence for a banner, when the recipe is not what is running. */
  fallback: string | null;
}

/** The image under a setup run: the Active Image, else the default base. */
export const activeOrDefault = (view: EnvironmentView): BootImage => {
  if (view.image.state === 'active') return { imageId: view.image.image_id, source: 'active', fallback: null };
  if (view.image.state === 'none' && view.recipe_digest === emptyRecipeDigest) return { imageId: null, source: 'default', fallback: null };
  const why = {
    none: 'Nothing is pinned yet',
    stale: 'The recipe changed since the pinned build',
    missing: 'The pinned image is missing from the runtime',
    active: '',
  }[view.image.state];
  return {
    imageId: null,
    source: 'default',
    fallback: `${why}: this runs on the default base, without the recipe. Build the recipe and pin the build.`,
  };
};

/** What has failed fails again as long as nobody has mended it. */
const wayToVerified = ({
  id,
  active_setup_run_id: active,
  setup_verification: { status, stale, last_run: last },
}: EnvironmentView): string => {
  if (active !== null) return `Wait for setup run ${active}: sandlot setup logs ${active} --follow`;
  const test = `sandlot setup run ${id} --wait`;
  if (status !== 'failed' || stale || last === null) return `Run the setup script: ${test}`;
  return `Read why: sandlot setup logs ${last.id}. Mend the script, then run it: ${test}`;
};

/** The image of a new session. @throws environment_not_verified with `details.next_action` */
export const sessionImage = (view: EnvironmentView): BootImage => {
  const { setup_verification: verification } = view;
  if (verification.status === 'not_applicable') return activeOrDefault(view);
  if (!verification.can_start_sessions) {
    throw new SandlotError('environment_not_verified', `"${view.name}" cannot start sessions: ${verification.message}`, {
      nextAction: wayToVerified(view),
      details: {
        next_action: view.active_setup_run_id === null ? 'setup_runs.create' : 'setup_runs.get',
        setup_run_id: view.active_setup_run_id,
        status: verification.status,
        stale: verification.stale,
        stale_fields: verification.stale_fields,
      },
    });
  }
  return { imageId: verification.prepared_image_id, source: 'prepared', fallback: null };
};
