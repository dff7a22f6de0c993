// The calls about environments: check, decide by the rules, save, tell. Saving starts no compute.
// Source: SPEC.md 2.

import { SandlotError } from '../base/errors.ts';
import { bodyDigest } from '../base/idempotency.ts';
import type { EnvironmentCreate, EnvironmentPatch } from '../contract/calls.ts';
import type { Environment, EnvironmentView, SetupWarning } from '../contract/model.ts';
import { recipeDigest } from '../recipe/digest.ts';
import { editRecipe } from '../recipe/edit.ts';
import { parseEnvironmentFile } from '../recipe/environment-file.ts';
import { type ParsedRecipe, parseRecipe } from '../recipe/parse.ts';
import { templates } from '../recipe/templates.ts';
import { applyPatch, createEnvironment } from '../registry/environment-rules.ts';
import { checkScript } from '../setup/script.ts';
import type { EnvironmentViews } from './environment-views.ts';
import type { HandlersOf, House } from './house.ts';

type RecipeParts = Pick<EnvironmentPatch, 'recipe_yaml' | 'recipe' | 'session_start' | 'knowledge'>;

interface RecipeFields extends ParsedRecipe {
  recipeYaml: string;
  recipeDigest: string;
}

/** The recipe after an edit, as text and as what the text says. @throws recipe_invalid @throws invalid_request */
const readRecipe = (stored: string, parts: RecipeParts): RecipeFields => {
  const { recipe_yaml: text, ...objects } = parts;
  const edits = Object.fromEntries(Object.entries(objects).filter(([, value]) => value !== undefined));
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

/** Makes the handlers of `environments.*`, `templates.*`. */
export const createEnvironmentCalls = (house: House, views: EnvironmentViews): HandlersOf<'environments' | 'templates'> => {
  const { registry, clock, newId } = house;
  const store = registry.environments;

  const find = async (id: string): Promise<Environment> => {
    const environment = await store.find(id);
    if (environment === null) {
      throw new SandlotError('not_found', `There is no environment "${id}".`, { nextAction: 'List them with: sandlot env list' });
    }
    return environment;
  };

  const runtimeFor = (asked: string | undefined): string => {
    if (asked === undefined) return house.runtimes.defaultId() ?? 'docker';
    const known = house.runtimes.list().map((probe) => probe.id);
    if (known.includes(asked)) return asked;
    throw new SandlotError('runtime_not_found', `There is no runtime "${asked}". Known here: ${known.join(', ') || 'none'}.`, {
      details: { path: '/runtime' },
      nextAction: 'See what was found with: sandlot doctor',
    });
  };

  const make = (body: EnvironmentCreate): Environment => {
    const recipe = readRecipe('', body);
    const setup = readSetup(body.setup);
    return createEnvironment(
      { ...body, ...(setup === undefined ? {} : { setup: setup.setup }) },
      {
        id: newId('env'),
        now: clock.iso(),
        defaultRuntime: runtimeFor(body.runtime),
        recipeYaml: recipe.recipeYaml,
        recipe: recipe.recipe,
        sessionStart: recipe.sessionStart,
        knowledge: recipe.knowledge,
        recipeDigest: recipe.recipeDigest,
        setupWarnings: setup?.warnings ?? [],
      },
    );
  };

  const create = async (body: EnvironmentCreate, key: string | undefined): Promise<EnvironmentView> => {
    const once = key === undefined ? undefined : { scope: 'environments.create', key, bodyDigest: bodyDigest(body) };
    const environment = await store.insert(make(body), once);
    views.tell(environment.id);
    return await views.of(environment);
  };

  const save = async (environment: Environment, expectedRevision: number): Promise<EnvironmentView> => {
    const saved = await store.replace(environment, expectedRevision);
    views.tell(saved.id);
    return await views.of(saved);
  };

  const update = async (id: string, patch: EnvironmentPatch): Promise<EnvironmentView> => {
    const stored = await find(id);
    const touchesRecipe = ['recipe_yaml', 'recipe', 'session_start', 'knowledge'].some((key) => key in patch);
    const setup = readSetup(patch.setup);
    const { environment, changed } = applyPatch(
      stored,
      { ...patch, ...(setup === undefined ? {} : { setup: setup.setup }) },
      {
        now: clock.iso(),
        ...(touchesRecipe ? readRecipe(stored.recipe_yaml, patch) : {}),
        ...(setup === undefined ? {} : { setupWarnings: setup.warnings }),
      },
    );
    if (changed.length === 0) return await views.of(stored);
    return await save(environment, stored.revision);
  };

  const setArchived = async (id: string, at: string | null): Promise<EnvironmentView> => {
    const stored = await find(id);
    if ((stored.archived_at === null) === (at === null)) return await views.of(stored);
    return await save({ ...stored, archived_at: at, updated_at: clock.iso(), revision: stored.revision + 1 }, stored.revision);
  };

  return {
    'templates.list': async () => ({ items: [...templates] }),
    'environments.create': ({ body, idempotency_key }) => create(body, idempotency_key),
    'environments.create_from_file': ({ contents, file_name, name, runtime, idempotency_key }) =>
      create(
        {
          ...parseEnvironmentFile(contents, file_name),
          ...(name === undefined ? {} : { name }),
          ...(runtime === undefined ? {} : { runtime }),
        },
        idempotency_key,
      ),
    'environments.get': async ({ environment_id }) => await views.of(await find(environment_id)),
    'environments.list': async ({ limit, cursor, include_archived, search, metadata }) => {
      const page = await store.list({
        limit: limit ?? 100,
        includeArchived: include_archived ?? false,
        ...(cursor === undefined ? {} : { cursor }),
        ...(search === undefined ? {} : { search }),
        ...(metadata === undefined ? {} : { metadata }),
      });
      return { environments: await Promise.all(page.environments.map(views.of)), next_cursor: page.nextCursor, total: page.total };
    },
    'environments.update': ({ environment_id, patch }) => update(environment_id, patch),
    'environments.archive': ({ environment_id }) => setArchived(environment_id, clock.iso()),
    'environments.unarchive': ({ environment_id }) => setArchived(environment_id, null),
    'environments.delete': async ({ environment_id }) => {
      await find(environment_id);
      await store.remove(environment_id);
      house.bus.emit('environment.removed', { id: environment_id });
      return { ok: true };
    },
    'environments.duplicate': async ({ environment_id, name }) => {
      const source = await find(environment_id);
      const now = clock.iso();
      const copy = await store.insert({
        ...source,
        id: newId('env'),
        name,
        revision: 1,
        created_at: now,
        updated_at: now,
        archived_at: null,
      });
      views.tell(copy.id);
      return await views.of(copy);
    },
  };
};
