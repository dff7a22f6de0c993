// Every call a client can make: name -> input and output. IPC, WebSocket, HTTP and CLI are derived from this one table.
// Inputs are strict: an unknown key is an error that names it. `dispatch` is the one place that checks them.
import { z } from 'zod';
import {
  build,
  buildId,
  catalogBase,
  doctorReport,
  environmentId,
  environmentView,
  exec,
  execId,
  knowledgeEntry,
  logLine,
  mcpServer,
  mount,
  networkPolicy,
  packageManagers,
  pin,
  registryState,
  repo,
  runtimeProbe,
  session,
  sessionId,
  setup,
  setupRun,
  setupRunId,
  setupWarning,
  skill,
  step,
  streamId,
  stringMap,
  stringMapPatch,
  template,
  terminal,
  terminalId,
} from './model.ts';

const empty = z.strictObject({});
const done = z.strictObject({ ok: z.literal(true) });
const byEnvironment = z.strictObject({ environment_id: environmentId });
const bySession = z.strictObject({ session_id: sessionId });
const byTerminal = z.strictObject({ terminal_id: terminalId });
const bySetupRun = z.strictObject({ setup_run_id: setupRunId });
const cursor = z.string().min(1).optional();
const idempotencyKey = z.string().min(1).max(255).optional();

const packageLists = z.strictObject(
  Object.fromEntries(packageManagers.map((manager) => [manager, z.array(z.string()).optional()])) as Record<
    (typeof packageManagers)[number],
    z.ZodOptional<z.ZodArray<z.ZodString>>
  >,
);

/** The recipe as an object; omitted keys keep what is stored, a given list or map replaces its whole value. */
const recipePatch = z.strictObject({
  base: z.string().optional(),
  env: stringMap.optional(),
  packages: packageLists.optional(),
  initialize: z.array(step).optional(),
});

const resourcesInput = z.union(
  [
    // The numbers of a named size may come along, as they do when a stored value is sent back; the name decides.
    z.strictObject({
      size: z.enum(['small', 'medium', 'large']),
      cpus: z.number().positive().nullable().optional(),
      memory_gib: z.number().positive().nullable().optional(),
      gpu: z.boolean().optional(),
    }),
    z.strictObject({
      size: z.literal('custom').optional(),
      cpus: z.number().positive(),
      memory_gib: z.number().positive(),
      gpu: z.boolean().optional(),
    }),
  ],
  'must be {"size": "small"} (or medium, large), or {"cpus": 2, "memory_gib": 4}',
);

/** What may be written of an environment. Give the recipe as `recipe_yaml` or as objects, not both. */
const writable = {
  description: z.string(),
  repo: repo.nullable(),
  recipe_yaml: z.string(),
  recipe: recipePatch,
  session_start: z.array(step),
  knowledge: z.array(knowledgeEntry),
  setup: setup.nullable(),
  runbook: z.string(),
  skills: z.array(skill),
  env_vars: stringMap,
  secrets: z.array(z.string()),
  mcp_servers: z.record(z.string(), mcpServer),
  mounts: z.array(mount),
  network_policy: networkPolicy,
  privileged: z.boolean(),
  computer_use: z.boolean(),
  resources: resourcesInput,
  disk_gib: z.number().int().positive(),
  idle_stop_seconds: z.number().int().nonnegative(),
  retention_seconds: z.number().int().nonnegative(),
  live: z.boolean(),
} as const;

const partial = z.strictObject(writable).partial();
/** Characters, not UTF-16 units: an emoji counts as one. */
const name = z
  .string()
  .min(1)
  .refine((text) => Array.from(text).length <= 256, 'must have at most 256 characters');

export const environmentCreate = partial.extend({
  name,
  metadata: stringMap.optional(),
  runtime: z.string().optional(),
});
export type EnvironmentCreate = z.infer<typeof environmentCreate>;

const expectedAccess = z.strictObject({ network_policy: networkPolicy, privileged: z.boolean() });

export const environmentPatch = partial.extend({
  name: name.optional(),
  /** Merged: omitted keys stay, `null` removes one. */
  metadata: stringMapPatch.optional(),
  /** When given and not the stored one: 409 `revision_conflict`. */
  revision: z.number().int().positive().optional(),
  expected_access: expectedAccess.optional(),
});
export type EnvironmentPatch = z.infer<typeof environmentPatch>;

const size = z.strictObject({ cols: z.number().int().min(1).max(1000), rows: z.number().int().min(1).max(1000) });

export const calls = {
  'app.snapshot': {
    input: empty,
    output: z.strictObject({
      seq: z.number().int(),
      version: z.string(),
      data_folder: z.string(),
      registry: registryState,
      runtimes: z.array(runtimeProbe),
      environments: z.array(environmentView),
      environments_total: z.number().int(),
      sessions: z.array(session),
      terminals: z.array(terminal),
      builds: z.array(build),
      setup_runs: z.array(setupRun),
      bases: z.array(catalogBase),
    }),
  },
  'app.doctor': { input: empty, output: doctorReport },
  'app.shutdown': { input: z.strictObject({ stop_sessions: z.boolean() }), output: done },
  /** Removes what Sandlot made and nothing needs any more; `dry_run` only lists it. */
  'app.prune': {
    input: z.strictObject({ dry_run: z.boolean() }),
    output: z.strictObject({
      items: z.array(
        z.strictObject({
          kind: z.enum(['container', 'volume', 'image', 'network']),
          name: z.string(),
          runtime: z.string(),
          size: z.number().nullable(),
          reason: z.string(),
        }),
      ),
      removed: z.number().int(),
    }),
  },
  'runtimes.list': { input: empty, output: z.strictObject({ runtimes: z.array(runtimeProbe) }) },
  'runtimes.refresh': { input: empty, output: z.strictObject({ runtimes: z.array(runtimeProbe) }) },
  'registry.restore': { input: z.strictObject({ path: z.string() }), output: registryState },
  /** Environments that only the runtime's labels still know, after the registry was lost; `import` brings them back. */
  'registry.orphans': {
    input: z.strictObject({ import: z.boolean() }),
    output: z.strictObject({ environments: z.array(z.strictObject({ id: environmentId, name: z.string() })) }),
  },

  'templates.list': { input: empty, output: z.strictObject({ items: z.array(template) }) },
  'bases.list': { input: empty, output: z.strictObject({ bases: z.array(catalogBase) }) },

  'environments.create': {
    input: z.strictObject({ body: environmentCreate, idempotency_key: idempotencyKey }),
    output: environmentView,
  },
  /** An environment file: the keys of a recipe plus the fields of an environment, as YAML; a bare recipe is valid. */
  'environments.create_from_file': {
    input: z.strictObject({
      contents: z.string(),
      file_name: z.string().optional(),
      name: name.optional(),
      runtime: z.string().optional(),
      idempotency_key: idempotencyKey,
    }),
    output: environmentView,
  },
  'environments.get': { input: byEnvironment, output: environmentView },
  'environments.list': {
    input: z.strictObject({
      limit: z.number().int().min(1).max(100).optional(),
      cursor,
      include_archived: z.boolean().optional(),
      /** Matches name or id, any case. */
      search: z.string().optional(),
      metadata: stringMap.optional(),
    }),
    output: z.strictObject({ environments: z.array(environmentView), next_cursor: z.string().nullable(), total: z.number().int() }),
  },
  'environments.update': { input: z.strictObject({ environment_id: environmentId, patch: environmentPatch }), output: environmentView },
  /** Every field that the file names gets what the file says, `metadata` merged; fields it does not name stay. A file with any key of a
   *  recipe replaces the whole text of the recipe. `metadata` comes on top of the file's. */
  'environments.update_from_file': {
    input: z.strictObject({
      environment_id: environmentId,
      contents: z.string(),
      file_name: z.string().optional(),
      metadata: stringMapPatch.optional(),
      revision: z.number().int().positive().optional(),
      expected_access: expectedAccess.optional(),
    }),
    output: environmentView,
  },
  'environments.archive': { input: byEnvironment, output: environmentView },
  'environments.unarchive': { input: byEnvironment, output: environmentView },
  'environments.delete': { input: byEnvironment, output: done },
  'environments.duplicate': { input: z.strictObject({ environment_id: environmentId, name }), output: environmentView },
  /** Checks without saving; problems carry 1-based line and column. Answers the form's view of the text. */
  'recipes.check': {
    input: z.strictObject({ recipe_yaml: z.string() }),
    output: z.strictObject({
      problems: z.array(z.strictObject({ line: z.number().int(), column: z.number().int(), message: z.string(), path: z.string() })),
      parsed: z
        .strictObject({
          base: z.string(),
          env: stringMap,
          packages: z.record(z.string(), z.array(z.string())),
          initialize: z.array(step),
          session_start: z.array(step),
          knowledge: z.array(knowledgeEntry),
        })
        .nullable(),
      dockerfile: z.string().nullable(),
    }),
  },
  /** Writes a form's edit into the text and keeps comments, order and quoting of all else. */
  'recipes.edit': {
    input: z.strictObject({
      recipe_yaml: z.string(),
      recipe: recipePatch.optional(),
      session_start: z.array(step).optional(),
      knowledge: z.array(knowledgeEntry).optional(),
    }),
    output: z.strictObject({ recipe_yaml: z.string() }),
  },

  /** `pin: true` pins it when it has passed its boot test. `no_cache` builds even when the fingerprint is known. */
  'builds.start': {
    input: z.strictObject({ environment_id: environmentId, pin: z.boolean().optional(), no_cache: z.boolean().optional() }),
    output: build,
  },
  'builds.get': { input: z.strictObject({ build_id: buildId }), output: build },
  'builds.list': {
    input: z.strictObject({ environment_id: environmentId, limit: z.number().int().min(1).max(100).optional() }),
    output: z.strictObject({ builds: z.array(build) }),
  },
  'builds.cancel': { input: z.strictObject({ build_id: buildId }), output: build },
  'pins.create': { input: z.strictObject({ build_id: buildId }), output: pin },
  'pins.remove': { input: byEnvironment, output: pin },
  'pins.list': { input: byEnvironment, output: z.strictObject({ pins: z.array(pin) }) },

  'setup.check': {
    input: z.strictObject({ script: z.string() }),
    output: z.strictObject({ script: z.string(), size: z.number().int(), warnings: z.array(setupWarning) }),
  },
  'setup_runs.create': {
    input: z.strictObject({ environment_id: environmentId, idempotency_key: z.string().min(1).max(255) }),
    output: setupRun,
  },
  'setup_runs.get': { input: z.strictObject({ setup_run_id: setupRunId, wait_seconds: z.number().min(0).optional() }), output: setupRun },
  'setup_runs.list': {
    input: z.strictObject({ environment_id: environmentId, limit: z.number().int().min(1).max(50).optional() }),
    output: z.strictObject({ setup_runs: z.array(setupRun) }),
  },
  'setup_runs.cancel': { input: bySetupRun, output: setupRun },
  'setup_runs.logs': {
    input: z.strictObject({
      setup_run_id: setupRunId,
      after: z.number().int().nonnegative().optional(),
      limit: z.number().int().min(1).max(2000).optional(),
      wait_seconds: z.number().min(0).optional(),
    }),
    output: z.strictObject({
      lines: z.array(logLine),
      next_after: z.number().int(),
      truncated: z.boolean(),
      status: setupRun.shape.status,
    }),
  },
  /** The same setup on every connected runtime, one after the other, as one matrix. */
  'setup_runs.parity': {
    input: z.strictObject({ environment_id: environmentId, runtimes: z.array(z.string()).min(1).optional() }),
    output: z.strictObject({
      rows: z.array(
        z.strictObject({
          runtime: z.string(),
          status: setupRun.shape.status,
          exit_code: z.number().int().nullable(),
          failed_line: z.number().int().nullable(),
          duration_ms: z.number(),
          image_size: z.number().nullable(),
          message: z.string().nullable(),
        }),
      ),
      first_difference: z.strictObject({ index: z.number().int(), lines: z.record(z.string(), z.string().nullable()) }).nullable(),
    }),
  },

  'sessions.launch': {
    input: z.strictObject({ environment_id: environmentId, name: z.string().min(1).max(256).optional() }),
    output: session,
  },
  'sessions.get': { input: bySession, output: session },
  'sessions.list': {
    input: z.strictObject({ environment_id: environmentId.optional() }),
    output: z.strictObject({ sessions: z.array(session) }),
  },
  'sessions.stop': { input: bySession, output: session },
  'sessions.resume': { input: bySession, output: session },
  'sessions.restart': { input: bySession, output: session },
  'sessions.delete': { input: bySession, output: done },
  'terminals.open': {
    input: z.strictObject({ session_id: sessionId, cols: size.shape.cols, rows: size.shape.rows, title: z.string().max(200).optional() }),
    output: terminal,
  },
  /** `data` is base64. */
  'terminals.write': { input: z.strictObject({ terminal_id: terminalId, data: z.string() }), output: done },
  'terminals.resize': { input: byTerminal.extend(size.shape), output: done },
  'terminals.close': { input: byTerminal, output: done },
  'terminals.list': { input: bySession, output: z.strictObject({ terminals: z.array(terminal) }) },
  'execs.start': {
    input: z.strictObject({ session_id: sessionId, command: z.array(z.string()).min(1), workdir: z.string().optional() }),
    output: exec,
  },
  'execs.get': { input: z.strictObject({ exec_id: execId, wait_seconds: z.number().min(0).optional() }), output: exec },
  'execs.kill': { input: z.strictObject({ exec_id: execId }), output: done },

  /** `data` is base64 of the bytes from `from` on, at most `max_bytes`; `start` is the oldest offset still kept. */
  'stream.read': {
    input: z.strictObject({
      stream_id: streamId,
      from: z.number().int().nonnegative(),
      max_bytes: z.number().int().min(1).max(4_194_304).optional(),
    }),
    output: z.strictObject({
      data: z.string(),
      from: z.number().int(),
      next: z.number().int(),
      start: z.number().int(),
      size: z.number().int(),
      ended: z.boolean(),
    }),
  },
} as const;

export type CallTable = typeof calls;
export type CallName = keyof CallTable;
/** What a client sends (defaults may be left out). */
export type CallInput<N extends CallName> = z.input<CallTable[N]['input']>;
/** What a handler gets (defaults filled in). */
export type CallArguments<N extends CallName> = z.output<CallTable[N]['input']>;
export type CallOutput<N extends CallName> = z.infer<CallTable[N]['output']>;
