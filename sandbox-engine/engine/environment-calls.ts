// The calls about environments: check, decide by the rules, save, tell. Saving starts no compute.
// Source: SPEC.md 2.

import { SandlotError } from '../base/errors.ts';
import { bodyDigest } from '../base/idempotency.ts';
import type { CallArguments, CallOutput, EnvironmentPatch, UncheckedCreate, UncheckedPatch } from '../contract/calls.ts';
import type { Environment, EnvironmentView, SetupWarning } from '../contract/model.ts';
import { builtInPresets, presetsOf } from '../egress/presets.ts';
import { recipeDigest } from '../recipe/digest.ts';
import { editRecipe } from '../recipe/edit.ts';
import { parseEnvironmentChange, parseEnvironmentFile, positionInFile } from '../recipe/environment-file.ts';
import { parseRecipe } from '../recipe/parse.ts';
import type { ParsedRecipe } from '../recipe/read-recipe.ts';
import { applyPatch, createEnvironment } from '../registry/environment-rules.ts';
import { checkScript } from '../setup/script.ts';
import type { EnvironmentViews } from './environment-views.ts';
import { createFolderCalls } from './host-folders.ts';
import { findEnvironment, type HandlersOf, type House } from './house.ts';
import { createOfferedFileCalls } from './offered-files.ts';
import { type PolicySource, readPolicy } from './read-policy.ts';

type RecipeParts = Pick<EnvironmentPatch, 'recipe_yaml' | 'recipe' | 'session_start' | 'knowledge'>;

interface RecipeFields extends ParsedRecipe {
  recipeYaml: string;
  recipeDigest: string;
}

/** The recipe after an edit, as text and as what the text says. @throws recipe_invalid @throws invalid_request */
const readRecipe = (stored: string, { recipe_yaml: text, recipe, session_start, knowledge }: RecipeParts): RecipeFields => {
  const edits = {
    ...(recipe === undefined ? {} : { recipe }),
    ...(session_start === undefined ? {} : { session_start }),
    ...(knowledge === undefined ? {} : { knowledge }),
  };
  if (text !== undefined && Object.keys(edits).length > 0) {
    const key = Object.keys(edits)[0] ?? '';
    throw new SandlotError('invalid_request', `Give the recipe as "recipe_yaml" or as objects, not both: "${key}" came with it.`, {
      details: { path: `/${key}` },
      nextAction: `Leave out "${key}" and write it into recipe_yaml.`,
    });
  }
  const recipeYaml = text ?? (Object.keys(edits).length > 0 ? editRecipe(stored, edits) : stored);
  const parsed = parseRecipe(recipeYaml);
  return { ...parsed, recipeYaml, recipeDigest: recipeDigest(parsed.recipe) };
};

/** The setup script as it will be saved, with its warnings. @throws invalid_request when it is larger than 64 KiB */
const readSetup = (setup: EnvironmentPatch['setup']): { setup: Environment['setup']; warnings: SetupWarning[] } | undefined => {
  if (setup === undefined) return undefined;
  if (setup === null) return { setup: null, warnings: [] };
  const { script, warnings } = checkScript(setup.script);
  return { setup: script === '' ? null : { ...setup, script }, warnings };
};

interface Desk {
  house: House;
  views: EnvironmentViews;
}

const runtimeFor = ({ runtimes }: House, asked: string | undefined): string => {
  if (asked === undefined) return runtimes.defaultId() ?? 'docker';
  const known = runtimes.list().map((probe) => probe.id);
  if (known.includes(asked)) return asked;
  throw new SandlotError('runtime_not_found', `There is no runtime "${asked}". Known here: ${known.join(', ') || 'none'}.`, {
    details: { path: '/runtime' },
    nextAction: 'See what was found with: sandlot doctor',
  });
};

/** The body with its policy checked and in its one spelling. @throws invalid_request */
const withPolicy = <Body extends { network_policy?: unknown }>(body: Body, source: PolicySource) => {
  const { network_policy: given, ...others } = body;
  return { ...others, ...(given === undefined ? {} : { network_policy: readPolicy(given, source) }) };
};

const nameless = (): never => {
  throw new SandlotError('invalid_request', 'The environment has no name: the file says none, and is not called as one.', {
    details: { path: '/name' },
    nextAction: 'Write "name: ..." into the file, or give a name beside it.',
  });
};

/** Tells where in a file a value of the body stands. */
type Locate = PolicySource['locate'];
const inFile =
  (contents: string): NonNullable<Locate> =>
  (pointer) =>
    positionInFile(contents, pointer);

const make = (house: House, body: UncheckedCreate, locate: Locate): Environment => {
  const setup = readSetup(body.setup);
  return createEnvironment(
    {
      ...withPolicy(body, { stored: null, presets: builtInPresets(), ...(locate === undefined ? {} : { locate }) }),
      ...(setup === undefined ? {} : { setup: setup.setup }),
    },
    {
      ...readRecipe('', body),
      id: house.newId('env'),
      now: house.clock.iso(),
      defaultRuntime: runtimeFor(house, body.runtime),
      setupWarnings: setup?.warnings ?? [],
    },
  );
};

const insert = async (
  { house, views }: Desk,
  environment: Environment,
  once?: { scope: string; key: string; bodyDigest: string },
): Promise<EnvironmentView> => {
  const saved = await house.registry.environments.insert(environment, once);
  if (presetsOf(saved.network_policy).length > 0) await house.presets.keep(saved);
  views.tell(saved.id);
  return await views.of(saved);
};

const create = async (desk: Desk, body: UncheckedCreate, key: string | undefined, locate?: Locate): Promise<EnvironmentView> =>
  await insert(
    desk,
    make(desk.house, body, locate),
    key === undefined ? undefined : { scope: 'environments.create', key, bodyDigest: bodyDigest(body) },
  );

const save = async ({ house, views }: Desk, environment: Environment, expectedRevision: number): Promise<EnvironmentView> => {
  const saved = await house.registry.environments.replace(environment, expectedRevision);
  views.tell(saved.id);
  return await views.of(saved);
};

const recipeKeys = ['recipe_yaml', 'recipe', 'session_start', 'knowledge'] as const;

const update = async (desk: Desk, id: string, patch: UncheckedPatch, locate?: Locate): Promise<EnvironmentView> => {
  const stored = await findEnvironment(desk.house, id);
  const setup = readSetup(patch.setup);
  const presets = await desk.house.presets.of(stored);
  const source = { stored: stored.network_policy, presets, ...(locate === undefined ? {} : { locate }) };
  const { environment, changed } = applyPatch(
    stored,
    { ...withPolicy(patch, source), ...(setup === undefined ? {} : { setup: setup.setup }) },
    {
      now: desk.house.clock.iso(),
      ...(recipeKeys.some((key) => patch[key] !== undefined) ? readRecipe(stored.recipe_yaml, patch) : {}),
      ...(setup === undefined ? {} : { setupWarnings: setup.warnings }),
    },
  );
  if (changed.length === 0) return await desk.views.of(stored);
  const saved = await save(desk, environment, stored.revision);
  if (changed.includes('network_policy')) await desk.house.presets.keep(environment);
  return saved;
};

const updateFromFile = async (desk: Desk, asked: CallArguments<'environments.update_from_file'>): Promise<EnvironmentView> => {
  const { environment_id, contents, metadata, revision, expected_access } = asked;
  const { runtime, metadata: fromFile, ...fields } = parseEnvironmentChange(contents);
  const stored = await findEnvironment(desk.house, environment_id);
  if (runtime !== undefined && runtime !== stored.runtime) {
    throw new SandlotError(
      'invalid_request',
      `The file says runtime "${runtime}", but "${stored.name}" runs on "${stored.runtime}": the runtime is fixed when an environment is made.`,
      {
        details: { path: '/runtime' },
        nextAction: `Write "runtime: ${stored.runtime}" into the file, or make another environment from it.`,
      },
    );
  }
  const patch: UncheckedPatch = {
    ...fields,
    ...(fromFile === undefined && metadata === undefined ? {} : { metadata: { ...fromFile, ...metadata } }),
    ...(revision === undefined ? {} : { revision }),
    ...(expected_access === undefined ? {} : { expected_access }),
  };
  return await update(desk, environment_id, patch, inFile(contents));
};

const setArchived = async (desk: Desk, id: string, at: string | null): Promise<EnvironmentView> => {
  const stored = await findEnvironment(desk.house, id);
  if ((stored.archived_at === null) === (at === null)) return await desk.views.of(stored);
  const changed = { ...stored, archived_at: at, updated_at: desk.house.clock.iso(), revision: stored.revision + 1 };
  return await save(desk, changed, stored.revision);
};

const list = async ({ house, views }: Desk, asked: CallArguments<'environments.list'>): Promise<CallOutput<'environments.list'>> => {
  const { limit, cursor, include_archived, search, metadata } = asked;
  const page = await house.registry.environments.list({
    limit: limit ?? 100,
    includeArchived: include_archived ?? false,
    ...(cursor === undefined ? {} : { cursor }),
    ...(search === undefined ? {} : { search }),
    ...(metadata === undefined ? {} : { metadata }),
  });
  return { environments: await Promise.all(page.environments.map(views.of)), next_cursor: page.nextCursor, total: page.total };
};

const duplicate = async (desk: Desk, id: string, name: string): Promise<EnvironmentView> => {
  const source = await findEnvironment(desk.house, id);
  const now = desk.house.clock.iso();
  return await insert(desk, {
    ...source,
    id: desk.house.newId('env'),
    name,
    revision: 1,
    created_at: now,
    updated_at: now,
    archived_at: null,
  });
};

const remove = async ({ house }: Desk, id: string): Promise<{ ok: true }> => {
  await findEnvironment(house, id);
  await house.registry.environments.remove(id);
  house.bus.emit('environment.removed', { id });
  const build = house.builds.activeOf(id);
  // One that ends in this moment cannot be cancelled any more.
  await Promise.all([house.setupRuns.endOf(id), build === null ? null : house.builds.cancel(build).catch(() => undefined)]);
  return { ok: true };
};

/** Makes the handlers of `environments.*`. */
export const createEnvironmentCalls = (house: House, views: EnvironmentViews): HandlersOf<'environments'> => {
  const desk: Desk = { house, views };
  return {
    ...createFolderCalls(house),
    ...createOfferedFileCalls(),
    'environments.create': ({ body, idempotency_key }) => create(desk, body, idempotency_key),
    'environments.create_from_file': async ({ contents, file_name, name, metadata, runtime, idempotency_key }) => {
      const { name: said, ...body } = parseEnvironmentFile(contents, file_name);
      const marked = metadata === undefined ? body : { ...body, metadata: { ...body.metadata, ...metadata } };
      const named = { ...marked, name: name ?? said ?? nameless(), ...(runtime === undefined ? {} : { runtime }) };
      return await create(desk, named, idempotency_key, inFile(contents));
    },
    'environments.get': async ({ environment_id }) => await views.of(await findEnvironment(house, environment_id)),
    'environments.list': (asked) => list(desk, asked),
    'environments.update': ({ environment_id, patch }) => update(desk, environment_id, patch),
    'environments.update_from_file': (asked) => updateFromFile(desk, asked),
    'environments.archive': ({ environment_id }) => setArchived(desk, environment_id, house.clock.iso()),
    'environments.unarchive': ({ environment_id }) => setArchived(desk, environment_id, null),
    'environments.delete': ({ environment_id }) => remove(desk, environment_id),
    'environments.duplicate': ({ environment_id, name }) => duplicate(desk, environment_id, name),
  };
};
