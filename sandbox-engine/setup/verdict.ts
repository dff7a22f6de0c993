// Says what the setup runs of an environment prove about it now. Pure: the newest finished run, the run in flight and the key decide.
// Source: SPEC.md 5 (Verification) and 12 (which field made it stale).
import { createHash } from 'node:crypto';
import { canonicalJson } from '../base/canonical-json.ts';
import { counted } from '../base/counted.ts';
import { fieldWord } from '../base/field-words.ts';
import type { Environment, SetupRun, SetupVerification, VerdictKey } from '../contract/model.ts';

export interface VerdictInput {
  hasScript: boolean;
  /** The key of the environment as it is now. */
  key: VerdictKey;
  /** The newest manual or refresh run that succeeded or failed by itself, and was not observed. */
  newestFinished: SetupRun | null;
  /** A newer one that ended with its host: it is shown, and proves nothing. */
  interrupted: SetupRun | null;
  /** The manual or refresh run that has not ended. */
  inFlight: SetupRun | null;
  /** Whether the runtime still has the image of `newestFinished`. */
  preparedImagePresent: boolean;
}

const digest = (value: unknown): string => createHash('sha256').update(canonicalJson(value)).digest('hex').slice(0, 32);

/** What a verdict depends on. Name, description, metadata, idle stop, retention, computer use and what is injected are not in it. */
export const verdictKey = (environment: Environment, boot: { imageId: string; runtimeLayer: string }): VerdictKey => ({
  image_id: boot.imageId,
  runtime_layer: boot.runtimeLayer,
  recipe: environment.recipe_digest,
  setup: digest(environment.setup),
  env_vars: digest(environment.env_vars),
  network_policy: digest(environment.network_policy),
  resources: digest(environment.resources),
  mounts: digest(environment.mounts),
  privileged: String(environment.privileged),
  disk_gib: String(environment.disk_gib),
  runtime: environment.runtime,
  repo: digest(environment.repo),
});

/** Names of the fields that differ, in the order of the key. */
const staleFields = (then: VerdictKey, now: VerdictKey): string[] =>
  (Object.keys(now) as (keyof VerdictKey)[]).filter((field) => then[field] !== now[field]);

const summary = (run: SetupRun | null): SetupVerification['last_run'] =>
  run === null
    ? null
    : {
        id: run.id,
        status: run.status,
        phase: run.phase,
        exit_code: run.exit_code,
        failed_line: run.failed_line,
        failed_command: run.failed_command,
        stderr_tail: run.stderr_tail,
        hint: run.hint,
        failure_code: run.failure_code,
        next_action: run.next_action,
        finished_at: run.finished_at,
      };

type Told = Pick<SetupVerification, 'status' | 'stale' | 'label' | 'message' | 'can_start_sessions' | 'blocked'>;

const refused = (status: Told['status'], stale: boolean, label: Told['label'], message: string): Told => ({
  status,
  stale,
  label,
  message,
  can_start_sessions: false,
});

// A run that is still cleaning up stands in that phase already: what failed is the phase that says so.
const endedIn = (run: SetupRun): SetupRun['phase'] => run.phases.find((one) => one.status === 'failed')?.phase ?? run.phase;

/** True when the script passed and only its image is missing. */
const imageFailed = (run: SetupRun): boolean => run.status === 'failed' && run.exit_code === 0 && endedIn(run) === 'commit';

const failedMessage = (run: SetupRun): string => {
  if (endedIn(run) !== 'setup') return `The last setup run failed in its ${endedIn(run)} step. Test setup again.`;
  const where = run.failed_line === null ? '' : ` at line ${run.failed_line}`;
  return `The setup script failed${where}${run.exit_code === null ? '' : ` with exit code ${run.exit_code}`}.`;
};

const passed = 'The setup script passed on this configuration';

/** A script may live with it that it was kept from something: it has passed, and that is not the whole of it. */
const passedWith = ({ id, blocked_destinations: destinations = 0 }: SetupRun): Pick<Told, 'message' | 'blocked'> =>
  destinations === 0
    ? { message: `${passed}.` }
    : {
        message: `${passed}, but the network policy blocked ${counted(destinations, 'destination')} that it tried.`,
        blocked: { destinations, setup_run_id: id },
      };

const finishedVerdict = (run: SetupRun, stale: string[], imagePresent: boolean): Told => {
  const isStale = stale.length > 0;
  const changed = `Changed since the last setup run: ${stale.map(fieldWord).join(', ')}. Test setup again.`;
  if (run.status === 'failed') {
    if (isStale) return refused('failed', true, 'Failed', `${failedMessage(run)} ${changed}`);
    if (imageFailed(run)) return refused('failed', false, 'Image failed', 'Setup passed, but its reusable image failed.');
    return refused('failed', false, 'Failed', failedMessage(run));
  }
  if (isStale) return refused('verified', true, 'Stale', changed);
  if (!imagePresent) {
    return refused('verified', false, 'Image failed', 'Setup passed, but its reusable image is no longer there. Test setup again.');
  }
  return { status: 'verified', stale: false, label: 'Verified', can_start_sessions: true, ...passedWith(run) };
};

const decide = ({ hasScript, newestFinished, inFlight, preparedImagePresent }: VerdictInput, stale: string[]): Told => {
  if (!hasScript)
    return {
      status: 'not_applicable',
      stale: false,
      label: 'Ready',
      message: 'There is no setup script to test.',
      can_start_sessions: true,
    };
  const finished = newestFinished === null ? null : finishedVerdict(newestFinished, stale, preparedImagePresent);
  if (inFlight !== null) {
    if (finished?.status === 'verified' && !finished.stale && finished.can_start_sessions)
      return { ...finished, label: 'Re-testing', message: 'Verified; a new setup run is under way.' };
    return refused('running', false, 'Running', 'A setup run is under way.');
  }
  return finished ?? refused('never', false, 'Never', 'The setup script has not passed a test yet. Test setup.');
};

const interruptedMessage = 'The newest setup run was interrupted when Sandlot ended, so it proves nothing.';

/** The verdict on an environment. Cancelled runs are not in the input: they record nothing. */
export const verdict = (input: VerdictInput): SetupVerification => {
  const { newestFinished, interrupted, hasScript, key } = input;
  // An observed run proves nothing, so it neither makes a verdict nor takes one away.
  const inFlight = input.inFlight?.observed === true ? null : input.inFlight;
  const stale = newestFinished === null || !hasScript ? [] : staleFields(newestFinished.verdict_key, key);
  const told = decide({ ...input, inFlight }, stale);
  return {
    ...told,
    stale_fields: told.stale ? stale : [],
    prepared_image_id: told.can_start_sessions && hasScript ? (newestFinished?.prepared_image_id ?? null) : null,
    message: interrupted === null || inFlight !== null || !hasScript ? told.message : `${told.message} ${interruptedMessage}`,
    last_run: summary(inFlight ?? interrupted ?? newestFinished),
  };
};
