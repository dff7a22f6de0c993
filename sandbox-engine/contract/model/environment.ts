// An environment: its parts, what is stored, and what is computed beside it.
import { z } from 'zod';
import { imageState } from './build.ts';
import { buildId, environmentId, setupRunId } from './id.ts';
import { networkPolicy, policyWarning } from './network.ts';
import { knowledgeEntry, recipe, step } from './recipe.ts';
import { setupVerification, setupWarning } from './setup-run.ts';
import { stringMap } from './string-map.ts';
import { isoTime } from './time.ts';

/** A secret that logs git in to one host, over HTTPS, and nowhere else. */
export const repoLogin = z.strictObject({
  host: z.string().regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?$/, 'must be a host name in lower case, without https://'),
  secret: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of a secret'),
  /** What the host wants as the user beside the token; `oauth2` unless given. */
  user: z
    .string()
    .regex(/^[\w.@+-]{1,100}$/, 'must be a plain user name')
    .optional(),
});
export type RepoLogin = z.infer<typeof repoLogin>;

export const repo = z.strictObject({
  /** `owner/name`, a URL, or an absolute local folder. */
  source: z.string().min(1),
  branch: z.string().min(1).optional(),
  /** A commit or tag to stand on, without a branch. */
  commit: z.string().min(1).max(250).optional(),
  /** How a local folder is brought: `copy` as it is (unless said), `worktree` its commits alone, on a branch of the session's own. */
  mode: z.enum(['copy', 'worktree']).optional(),
  /** A copy leaves out what the folder's own `.gitignore` files say. */
  leave_ignored: z.boolean().optional(),
  logins: z.array(repoLogin).max(20).optional(),
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

/** A folder of instructions for agents: SKILL.md holds the contents, and the other files lie beside it. */
export const skill = z.strictObject({
  name: z.string(),
  contents: z.string(),
  files: z.array(z.strictObject({ path: z.string(), contents: z.string() })).optional(),
});
export const mcpServer = z.record(z.string(), z.unknown());

/** The fields that are stored as they are written. */
export const plainFields = {
  runbook: z.string(),
  skills: z.array(skill),
  env_vars: stringMap,
  /** Names of secrets that sessions get as variables. */
  secrets: z.array(z.string()),
  /** Names of secrets that sessions get as files: /run/secrets/NAME. */
  secret_files: z.array(z.string()),
  mcp_servers: z.record(z.string(), mcpServer),
  mounts: z.array(mount),
  network_policy: networkPolicy,
  privileged: z.boolean(),
  computer_use: z.boolean(),
  disk_gib: z.number().int().positive(),
  idle_stop_seconds: z.number().int().nonnegative(),
  retention_seconds: z.number().int().nonnegative(),
  live: z.boolean(),
  /** One sandbox of it stands ready while the host runs, so that a launch need not wait. */
  warm: z.boolean(),
} as const;

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
  ...plainFields,
  resources,
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
  /** What to know about the network policy, though it was saved: rules that are never reached, ways out, hosts that many share. */
  network_warnings: z.array(policyWarning),
});
export type EnvironmentView = z.infer<typeof environmentView>;
