// What a new environment holds and what a change makes of a stored one: pure, no clock and no disk.
// Leaves the recipe, the setup script and the network policy to their rooms: the caller gives them as they will be saved. Source: SPEC.md 2.
import { isSameJson } from '../base/canonical-json.ts';
import { SandlotError } from '../base/errors.ts';
import type { EnvironmentCreate, EnvironmentPatch } from '../contract/calls.ts';
import type { Environment, Recipe, Resources, Setup, SetupWarning, Step } from '../contract/model.ts';
import { checkAccessChange, refusePrivilegedWithPolicy } from './access-rules.ts';
import { checkFields } from './environment-checks.ts';
import { slugFromName } from './slug.ts';

interface RecipeParts {
  recipeYaml: string;
  recipe: Recipe;
  sessionStart: Step[];
  knowledge: Environment['knowledge'];
  recipeDigest: string;
}

export interface CreateContext extends RecipeParts {
  id: string;
  /** ISO 8601 in UTC, ending in Z. */
  now: string;
  /** The runtime when the body names none. */
  defaultRuntime: string;
  setupWarnings: SetupWarning[];
}

/** The recipe's parts are given when the patch touches the recipe, the warnings when it touches the setup script. */
export interface PatchContext extends Partial<RecipeParts> {
  now: string;
  setupWarnings?: SetupWarning[];
}

const presets = {
  small: { size: 'small', cpus: 1, memory_gib: 2 },
  medium: { size: 'medium', cpus: 2, memory_gib: 4 },
  large: { size: 'large', cpus: null, memory_gib: null },
} as const;

const normaliseResources = (given: NonNullable<EnvironmentCreate['resources']>): Resources => {
  const gpu = given.gpu ?? false;
  if (given.size !== undefined && given.size !== 'custom') return { ...presets[given.size], gpu };
  return { size: 'custom', cpus: given.cpus, memory_gib: given.memory_gib, gpu };
};

/** An empty script is no setup at all. */
const normaliseSetup = (given: Setup | null): Setup | null => (given === null || given.script.trim() === '' ? null : given);

const defaults = () =>
  ({
    description: '',
    metadata: {},
    repo: null,
    setup: null,
    runbook: '',
    skills: [],
    env_vars: {},
    secrets: [],
    secret_files: [],
    mcp_servers: {},
    mounts: [],
    network_policy: { version: 'v1', rules: [] },
    privileged: false,
    computer_use: false,
    resources: { ...presets.medium, gpu: false },
    disk_gib: 20,
    idle_stop_seconds: 3600,
    retention_seconds: 604_800,
    live: false,
    warm: false,
  }) satisfies Partial<Environment>;

/** The fields that a body writes as they are: what is left out stays out. */
const plainFields = [
  'name',
  'description',
  'repo',
  'runbook',
  'skills',
  'env_vars',
  'secrets',
  'secret_files',
  'mcp_servers',
  'mounts',
  'network_policy',
  'privileged',
  'computer_use',
  'disk_gib',
  'idle_stop_seconds',
  'retention_seconds',
  'live',
  'warm',
] as const;

const writtenFields = (body: EnvironmentCreate | EnvironmentPatch): Partial<Environment> => {
  const plain = plainFields.filter((field) => body[field] !== undefined).map((field) => [field, body[field]]);
  return {
    ...(Object.fromEntries(plain) as Partial<Environment>),
    ...(body.setup === undefined ? {} : { setup: normaliseSetup(body.setup) }),
    ...(body.resources === undefined ? {} : { resources: normaliseResources(body.resources) }),
  };
};

const recipeFields = (parts: Partial<RecipeParts>): Partial<Environment> => ({
  ...(parts.recipeYaml === undefined ? {} : { recipe_yaml: parts.recipeYaml }),
  ...(parts.recipe === undefined ? {} : { recipe: parts.recipe }),
  ...(parts.sessionStart === undefined ? {} : { session_start: parts.sessionStart }),
  ...(parts.knowledge === undefined ? {} : { knowledge: parts.knowledge }),
  ...(parts.recipeDigest === undefined ? {} : { recipe_digest: parts.recipeDigest }),
});

/** A new environment with every field filled in; the store still makes the slug unique.
 *  @throws invalid_request */
export const createEnvironment = (body: EnvironmentCreate, context: CreateContext): Environment => {
  checkFields(body);
  const environment: Environment = {
    ...defaults(),
    ...writtenFields(body),
    id: context.id,
    slug: slugFromName(body.name),
    name: body.name,
    metadata: body.metadata ?? {},
    runtime: body.runtime ?? context.defaultRuntime,
    recipe_yaml: context.recipeYaml,
    recipe: context.recipe,
    session_start: context.sessionStart,
    knowledge: context.knowledge,
    setup_warnings: context.setupWarnings,
    revision: 1,
    recipe_digest: context.recipeDigest,
    created_at: context.now,
    updated_at: context.now,
    archived_at: null,
  };
  refusePrivilegedWithPolicy(environment);
  return environment;
};

/** Omitted keys stay, null removes one. */
const mergeMetadata = (stored: Record<string, string>, patch: Record<string, string | null>): Record<string, string> => {
  const merged = new Map<string, string | null>([...Object.entries(stored), ...Object.entries(patch)]);
  // From entries, because an assignment to the key "__proto__" would be lost.
  return Object.fromEntries([...merged].filter((entry): entry is [string, string] => entry[1] !== null));
};

const checkRevision = (stored: Environment, revision: number | undefined): void => {
  if (revision === undefined || revision === stored.revision) return;
  throw new SandlotError(
    'revision_conflict',
    `"${stored.name}" was changed by someone else: it is at revision ${stored.revision}, not ${revision}. Read it again and repeat the change.`,
    {
      details: { environment_id: stored.id, revision: stored.revision, expected_revision: revision },
      nextAction: 'Read the environment again.',
    },
  );
};

const accessOf = ({ network_policy, privileged }: Environment) => ({ network_policy, privileged });

/** Makes the changed environment and names the fields that differ now; without a difference it is the stored one, untouched.
 *  @throws invalid_request @throws revision_conflict @throws precondition_failed @throws precondition_required */
export const applyPatch = (
  stored: Environment,
  patch: EnvironmentPatch,
  context: PatchContext,
): { environment: Environment; changed: string[] } => {
  checkFields(patch);
  checkRevision(stored, patch.revision);
  const wanted: Environment = {
    ...stored,
    ...writtenFields(patch),
    ...recipeFields(context),
    ...(patch.metadata === undefined ? {} : { metadata: mergeMetadata(stored.metadata, patch.metadata) }),
  };
  checkAccessChange(accessOf(stored), accessOf(wanted), patch.expected_access);
  const changed = (Object.keys(wanted) as (keyof Environment)[]).filter((field) => !isSameJson(stored[field], wanted[field]));
  if (changed.length === 0) return { environment: stored, changed };
  const setupWarnings = context.setupWarnings ?? stored.setup_warnings;
  return {
    environment: { ...wanted, setup_warnings: setupWarnings, revision: stored.revision + 1, updated_at: context.now },
    changed,
  };
};
