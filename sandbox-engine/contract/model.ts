// The nouns that cross the wire, as zod schemas; the TypeScript types come from them. Field names are those of SPEC.md.
// Times are ISO 8601 in UTC ending in Z; durations are milliseconds; sizes are bytes unless the name says GiB.
import { z } from 'zod';

const id = (prefix: string) => z.string().regex(new RegExp(`^${prefix}_[0-9a-z]{26}$`));
export const environmentId = id('env');
export const buildId = id('bld');
export const pinId = id('pin');
export const sessionId = id('ses');
export const terminalId = id('trm');
export const execId = id('exe');
export const setupRunId = id('run');
export const streamId = id('str');

export const isoTime = z.iso.datetime({ precision: 3 });
const milliseconds = z.number().nonnegative();

/** `sha256:` and 64 hex digits: an image id or a manifest digest. */
export const digest = z.string().regex(/^sha256:[0-9a-f]{64}$/);

const mapOf = <Value>(isValue: (value: unknown) => value is Value, wanted: string, jsonType: string | string[]) =>
  z
    .unknown()
    .superRefine((given, context) => {
      if (typeof given !== 'object' || given === null || Array.isArray(given)) {
        context.addIssue({ code: 'custom', message: 'must be a map of names to values' });
        return;
      }
      for (const [key, value] of Object.entries(given)) {
        if (!isValue(value)) context.addIssue({ code: 'custom', message: `must be ${wanted}`, path: [key] });
      }
    })
    .meta({ type: 'object', additionalProperties: { type: jsonType } }) as unknown as z.ZodType<
    Record<string, Value>,
    Record<string, Value>
  >;

const isString = (value: unknown): value is string => typeof value === 'string';
/** A map of strings that keeps every key; `z.record` would drop `__proto__` without a word. */
export const stringMap = mapOf(isString, 'a string', 'string');
/** The same for a patch, where `null` removes a key. */
export const stringMapPatch = mapOf((value): value is string | null => value === null || isString(value), 'a string or null', [
  'string',
  'null',
]);

// ---------------------------------------------------------------- recipe

/** Package lists per manager; all six are always present, empty means none. */
export const packageManagers = ['apt', 'cargo', 'gem', 'go', 'npm', 'pip'] as const;
export type PackageManager = (typeof packageManagers)[number];
export const packages = z.strictObject({
  apt: z.array(z.string()),
  cargo: z.array(z.string()),
  gem: z.array(z.string()),
  go: z.array(z.string()),
  npm: z.array(z.string()),
  pip: z.array(z.string()),
});
export type Packages = z.infer<typeof packages>;

export const step = z.strictObject({ name: z.string(), run: z.string() });
export type Step = z.infer<typeof step>;

export const knowledgeEntry = z.strictObject({ name: z.string(), contents: z.string() });

/** What is baked into an image; nothing else takes part in the fingerprint. Order of `env` is that of the source. */
export const recipe = z.strictObject({
  base: z.string(),
  env: stringMap,
  packages,
  initialize: z.array(step),
});
export type Recipe = z.infer<typeof recipe>;

// ---------------------------------------------------------------- environment

export const repo = z.strictObject({
  /** `owner/name`, a URL, or an absolute local folder. */
  source: z.string().min(1),
  branch: z.string().min(1).optional(),
  depth: z.number().int().positive().optional(),
  submodules: z.boolean().default(false),
  lfs: z.boolean().default(false),
  path: z
    .string()
    .regex(/^\/workspace(\/|$)/, 'must be /workspace or a folder below it')
    .default('/workspace/repo'),
});

export const setup = z.strictObject({
  /** At most 64 KiB in UTF-8 after CRLF became LF and the end was trimmed. */
  script: z.string(),
  timeout_seconds: z.number().int().min(10).max(3600).default(600),
});
export type Setup = z.infer<typeof setup>;

/** `small` 1 CPU 2 GiB, `medium` 2 CPUs 4 GiB, `large` all that the runtime has; `custom` names its numbers. */
export const resources = z.strictObject({
  size: z.enum(['small', 'medium', 'large', 'custom']),
  cpus: z.number().positive().nullable(),
  memory_gib: z.number().positive().nullable(),
  gpu: z.boolean(),
});
export type Resources = z.infer<typeof resources>;

export const mount = z.strictObject({
  source: z.string().startsWith('/'),
  target: z.string().startsWith('/'),
  read_only: z.boolean().default(true),
});

/** `{}` is unrestricted and the only spelling of it; `rules: []` blocks every destination. */
export const networkPolicy = z.union(
  [
    z.strictObject({}),
    z.strictObject({ version: z.literal('v1'), rules: z.array(z.record(z.string(), z.unknown())) }),
    // The forms stand in the error, because zod's own says only that none of them fits.
  ],
  'must be {} (unrestricted) or {"version": "v1", "rules": []} (no network)',
);
export type NetworkPolicy = z.infer<typeof networkPolicy>;

export const skill = z.strictObject({ name: z.string(), contents: z.string() });
export const mcpServer = z.record(z.string(), z.unknown());

export const verificationStatus = z.enum(['not_applicable', 'never', 'running', 'verified', 'failed']);

// ---------------------------------------------------------------- setup runs

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

// ---------------------------------------------------------------- builds and pins

export const buildStatus = z.enum(['queued', 'running', 'succeeded', 'failed', 'cancelled']);

/** A step of a build, in order: `base`, `runtime layer`, then what the recipe names, then `boot test`. */
export const buildStep = z.strictObject({
  index: z.number().int().nonnegative(),
  name: z.string(),
  status: z.enum(['waiting', 'running', 'succeeded', 'failed', 'cached', 'cancelled']),
  started_at: isoTime.nullable(),
  duration_ms: milliseconds.nullable(),
});
export type BuildStep = z.infer<typeof buildStep>;

export const bootCheck = z.strictObject({ name: z.string(), passed: z.boolean(), message: z.string() });
export const bootTest = z.strictObject({ passed: z.boolean(), checks: z.array(bootCheck) });
export type BootTest = z.infer<typeof bootTest>;

export const build = z.strictObject({
  id: buildId,
  environment_id: environmentId,
  status: buildStatus,
  /** Hex SHA-256 over base digest, env, packages and initialize; the same fingerprint is built once and shared. */
  fingerprint: z.string(),
  /** That of the environment when the build was asked for. */
  recipe_digest: z.string(),
  recipe_yaml: z.string(),
  runtime: z.string(),
  base: z.string(),
  base_digest: z.string().nullable(),
  steps: z.array(buildStep),
  failed_step: z.string().nullable(),
  error: z.strictObject({ code: z.string(), message: z.string(), next_action: z.string().nullable() }).nullable(),
  image_id: z.string().nullable(),
  image_size: z.number().nullable(),
  boot_test: bootTest.nullable(),
  /** The earlier build whose image this one shares, when nothing had to be done. */
  reused_build_id: buildId.nullable(),
  stream_id: streamId,
  created_at: isoTime,
  started_at: isoTime.nullable(),
  finished_at: isoTime.nullable(),
});
export type Build = z.infer<typeof build>;

/** One line of the pin ledger; the newest `pinned` that was not followed by `unpinned` is the Active Image. */
export const pin = z.strictObject({
  id: pinId,
  environment_id: environmentId,
  action: z.enum(['pinned', 'unpinned', 'rejected']),
  build_id: buildId.nullable(),
  image_id: z.string().nullable(),
  fingerprint: z.string().nullable(),
  reason: z.string().nullable(),
  at: isoTime,
});
export type Pin = z.infer<typeof pin>;

/** What a session of this environment would boot from now, and why. */
export const imageState = z.strictObject({
  state: z.enum(['none', 'active', 'stale', 'missing']),
  build_id: buildId.nullable(),
  image_id: z.string().nullable(),
  message: z.string(),
});
export type ImageState = z.infer<typeof imageState>;

export const environment = z.strictObject({
  id: environmentId,
  slug: z.string(),
  name: z.string().min(1),
  description: z.string(),
  metadata: stringMap,
  repo: repo.nullable(),
  runtime: z.string(),
  /** The source text of the recipe: base, env, packages, initialize, session_start, knowledge. Comments are kept. */
  recipe_yaml: z.string(),
  recipe,
  session_start: z.array(step),
  knowledge: z.array(knowledgeEntry),
  setup: setup.nullable(),
  setup_warnings: z.array(setupWarning),
  runbook: z.string(),
  skills: z.array(skill),
  env_vars: stringMap,
  secrets: z.array(z.string()),
  mcp_servers: z.record(z.string(), mcpServer),
  mounts: z.array(mount),
  network_policy: networkPolicy,
  privileged: z.boolean(),
  computer_use: z.boolean(),
  resources,
  disk_gib: z.number().int().positive(),
  idle_stop_seconds: z.number().int().nonnegative(),
  retention_seconds: z.number().int().nonnegative(),
  live: z.boolean(),
  revision: z.number().int().positive(),
  /** Hex SHA-256 of the recipe alone (without the base digest): what decides whether a pin is stale. */
  recipe_digest: z.string(),
  created_at: isoTime,
  updated_at: isoTime,
  archived_at: isoTime.nullable(),
});
export type Environment = z.infer<typeof environment>;

/** An environment with what is computed beside it at the moment of asking. */
export const environmentView = environment.extend({
  setup_verification: setupVerification,
  active_setup_run_id: setupRunId.nullable(),
  image: imageState,
  active_build_id: buildId.nullable(),
});
export type EnvironmentView = z.infer<typeof environmentView>;

// ---------------------------------------------------------------- sessions

export const sessionStatus = z.enum(['starting', 'running', 'stopped', 'failed', 'ended']);
export const sessionStep = z.strictObject({
  name: z.string(),
  status: z.enum(['running', 'succeeded', 'failed']),
  started_at: isoTime,
  duration_ms: milliseconds.nullable(),
  /** The newest line of a step that takes its time, while it runs. */
  message: z.string().optional(),
});
export const session = z.strictObject({
  id: sessionId,
  environment_id: environmentId,
  environment_name: z.string(),
  environment_revision: z.number().int(),
  name: z.string(),
  status: sessionStatus,
  /** Why it is stopped, failed or ended when that was not asked for; shown as it is. */
  message: z.string().nullable(),
  runtime: z.string(),
  container_id: z.string().nullable(),
  volume: z.string(),
  image_id: z.string().nullable(),
  image_source: z.enum(['prepared', 'active', 'default']),
  /** A sentence when the session runs on the default base although a recipe is there; the app shows it as a banner. */
  fallback: z.string().nullable(),
  network: z.enum(['unrestricted', 'none']),
  steps: z.array(sessionStep),
  start_script: z.strictObject({
    status: z.enum(['none', 'running', 'succeeded', 'failed']),
    exit_code: z.number().int().nullable(),
    stream_id: streamId.nullable(),
  }),
  created_at: isoTime,
  started_at: isoTime.nullable(),
  stopped_at: isoTime.nullable(),
  ended_at: isoTime.nullable(),
});
export type Session = z.infer<typeof session>;

export const terminal = z.strictObject({
  id: terminalId,
  session_id: sessionId,
  title: z.string(),
  status: z.enum(['running', 'exited', 'lost']),
  exit_code: z.number().int().nullable(),
  cols: z.number().int().positive(),
  rows: z.number().int().positive(),
  stream_id: streamId,
  created_at: isoTime,
  ended_at: isoTime.nullable(),
});
export type Terminal = z.infer<typeof terminal>;

/** A command run without a terminal; its two streams are pulled like any other. */
export const exec = z.strictObject({
  id: execId,
  session_id: sessionId,
  command: z.array(z.string()),
  status: z.enum(['running', 'exited', 'lost']),
  exit_code: z.number().int().nullable(),
  stdout_stream_id: streamId,
  stderr_stream_id: streamId,
});
export type Exec = z.infer<typeof exec>;

// ---------------------------------------------------------------- runtimes

/** One place where a runtime was looked for, and what was found there. */
export const runtimeProbe = z.strictObject({
  id: z.string(),
  kind: z.enum(['docker', 'podman', 'unknown']),
  /** `unix:///var/run/docker.sock`, `tcp://127.0.0.1:2375`. */
  address: z.string(),
  /** Why this place was looked at: `DOCKER_HOST`, `context "colima"`, `default socket`, ... */
  source: z.string(),
  status: z.enum([
    'connected',
    'reconnecting',
    'unreachable',
    'permission_denied',
    'not_running',
    'absent',
    'too_old',
    'unsupported',
    'unreadable',
  ]),
  message: z.string(),
  /** The exact command that mends it, when there is one. */
  fix: z.string().nullable(),
  rootless: z.boolean(),
  version: z.string().nullable(),
  api_version: z.string().nullable(),
  min_api_version: z.string().nullable(),
  architecture: z.string().nullable(),
  cpus: z.number().nullable(),
  memory_bytes: z.number().nullable(),
  is_default: z.boolean(),
});
export type RuntimeProbe = z.infer<typeof runtimeProbe>;

export const doctorCheck = z.strictObject({
  name: z.string(),
  status: z.enum(['ok', 'warning', 'failed']),
  message: z.string(),
  fix: z.string().nullable(),
});
export const doctorReport = z.strictObject({
  ok: z.boolean(),
  runtimes: z.array(runtimeProbe),
  checks: z.array(doctorCheck),
});
export type DoctorReport = z.infer<typeof doctorReport>;

export const registryState = z.strictObject({
  status: z.enum(['ok', 'read_only', 'recovered', 'damaged']),
  message: z.string(),
  /** Where a damaged file was put aside. */
  kept_aside: z.string().nullable(),
  /** Backups that can be restored, newest first. */
  backups: z.array(z.strictObject({ path: z.string(), at: isoTime, size: z.number() })),
});
export type RegistryState = z.infer<typeof registryState>;

// ---------------------------------------------------------------- templates and bases

export const catalogBase = z.strictObject({
  name: z.string(),
  summary: z.string(),
  reference: z.string(),
  bootstrappable: z.boolean(),
});
export type CatalogBase = z.infer<typeof catalogBase>;

export const template = z.strictObject({
  id: z.string(),
  revision: z.number().int().positive(),
  name: z.string(),
  summary: z.string(),
  /** A body that `environments.create` takes as it is. */
  definition: z.record(z.string(), z.unknown()),
});
export type Template = z.infer<typeof template>;
