// Setup: what its script check finds, its runs and their log lines, and the verdict.
import { z } from 'zod';
import { environmentId, sessionId, setupRunId, streamId } from './id.ts';
import { isoTime, milliseconds } from './time.ts';

export const verificationStatus = z.enum(['not_applicable', 'never', 'running', 'verified', 'failed']);

export const setupRunStatus = z.enum(['queued', 'provisioning', 'running', 'succeeded', 'failed', 'cancelled']);
export const setupPhases = ['provision', 'gpu_check', 'setup', 'profile', 'commit', 'cleanup'] as const;
export const setupPhase = z.enum(setupPhases);
export const setupRunKind = z.enum(['manual', 'refresh', 'session']);

/** A finding of the script check or of a failed run: what to do is one click away when `fix` is there. */
export const setupWarning = z.strictObject({
  code: z.string(),
  line: z.number().int().positive(),
  text: z.string(),
  reason: z.string(),
  /** The same line rewritten, when there is one right way to write it. */
  fix: z.string().nullable(),
});
export type SetupWarning = z.infer<typeof setupWarning>;

/** Everything a verdict depends on; `stale_fields` are the names of those that differ now. */
export const verdictKey = z.strictObject({
  /** Id of the pinned image, or `default` for the default base. */
  image_id: z.string(),
  /** Version of the runtime layer; when this alone differs, a `refresh` run mends it by itself. */
  runtime_layer: z.string(),
  recipe: z.string(),
  setup: z.string(),
  env_vars: z.string(),
  network_policy: z.string(),
  resources: z.string(),
  mounts: z.string(),
  privileged: z.string(),
  disk_gib: z.string(),
  runtime: z.string(),
  repo: z.string(),
});
export type VerdictKey = z.infer<typeof verdictKey>;

export const setupRun = z.strictObject({
  id: setupRunId,
  environment_id: environmentId,
  kind: setupRunKind,
  /** Everything public passed, so that it could be seen what the script reaches: it proves nothing and leaves no image. */
  observed: z.boolean(),
  session_id: sessionId.nullable(),
  status: setupRunStatus,
  phase: setupPhase,
  phases: z.array(
    z.strictObject({
      phase: setupPhase,
      started_at: isoTime,
      duration_ms: milliseconds.nullable(),
      status: z.enum(['running', 'succeeded', 'failed', 'skipped', 'cancelled']),
    }),
  ),
  /** The script as it was run, so that a later edit cannot move the line numbers. */
  script: z.string(),
  timeout_seconds: z.number().int(),
  verdict_key: verdictKey,
  exit_code: z.number().int().nullable(),
  failed_line: z.number().int().positive().nullable(),
  failed_command: z.string().nullable(),
  stderr_tail: z.string(),
  hint: z.string().nullable(),
  hint_code: z.string().nullable(),
  failure_code: z.string().nullable(),
  next_action: z.string().nullable(),
  /** Milliseconds spent per script line that was marked, in the order run; a line run n times appears once, summed. */
  line_times: z.array(z.strictObject({ line: z.number().int().positive(), duration_ms: milliseconds, count: z.number().int() })),
  truncated: z.boolean(),
  /** Destinations that the network policy kept the script from, each once; left out until the script has ended. */
  blocked_destinations: z.number().int().nonnegative().optional(),
  stream_id: streamId,
  /** The prepared image, when the commit succeeded. */
  prepared_image_id: z.string().nullable(),
  prepared_image_size: z.number().nullable(),
  runtime: z.string(),
  created_at: isoTime,
  started_at: isoTime.nullable(),
  finished_at: isoTime.nullable(),
});
export type SetupRun = z.infer<typeof setupRun>;

export const logStream = z.enum(['stdout', 'stderr', 'marker', 'system']);
export type LogStream = z.infer<typeof logStream>;

/** One line of a setup log. `seq` rises by one from 1; a marker's `line` is the script's own line number. */
export const logLine = z.strictObject({
  seq: z.number().int().positive(),
  at: isoTime,
  stream: logStream,
  text: z.string(),
  line: z.number().int().positive().nullable(),
});
export type LogLine = z.infer<typeof logLine>;

export const setupVerification = z.strictObject({
  status: verificationStatus,
  stale: z.boolean(),
  stale_fields: z.array(z.string()),
  /** What the Setup column reads. */
  label: z.enum(['Ready', 'Verified', 'Re-testing', 'Running', 'Failed', 'Stale', 'Never', 'Image failed']),
  message: z.string(),
  can_start_sessions: z.boolean(),
  prepared_image_id: z.string().nullable(),
  /** The run that it stands on passed, though the network policy kept its script from so many destinations; left out where it did not. */
  blocked: z.strictObject({ destinations: z.number().int().positive(), setup_run_id: setupRunId }).optional(),
  last_run: setupRun
    .pick({
      id: true,
      status: true,
      phase: true,
      exit_code: true,
      failed_line: true,
      failed_command: true,
      stderr_tail: true,
      hint: true,
      failure_code: true,
      next_action: true,
      finished_at: true,
    })
    .nullable(),
});
export type SetupVerification = z.infer<typeof setupVerification>;
