// The calls about recipes, bases, builds and pins.
import type { Build } from '../contract/model.ts';
import { catalog } from '../recipe/catalog.ts';
import { compileRecipe } from '../recipe/compile.ts';
import { editRecipe } from '../recipe/edit.ts';
import { checkRecipe } from '../recipe/parse.ts';
import type { EnvironmentViews } from './environment-views.ts';
import { findEnvironment, type HandlersOf, type House } from './house.ts';

/** The catalog as clients see it. */
export const listBases = () => catalog.map(({ name, summary, reference }) => ({ name, summary, reference, bootstrappable: true }));

const pinBuilt = async ({ pins, bus }: House, views: EnvironmentViews, build: Build): Promise<void> => {
  // A refused pin is told by its line in the ledger and a notice: nobody waits for this call any more.
  await pins
    .pin(build.id)
    .catch((thrown: unknown) => bus.emit('notice', { level: 'error', message: thrown instanceof Error ? thrown.message : String(thrown) }));
  views.tell(build.environment_id);
};

/** Makes the handlers of `recipes.*`, `bases.*`, `builds.*`, `pins.*`. */
export const createBuildCalls = (house: House, views: EnvironmentViews): HandlersOf<'recipes' | 'bases' | 'builds' | 'pins'> => {
  const { registry, builds, pins } = house;

  return {
    'bases.list': async () => ({ bases: listBases() }),
    'recipes.check': async ({ recipe_yaml }) => {
      const { problems, parsed } = checkRecipe(recipe_yaml);
      if (parsed === null) return { problems, parsed: null, dockerfile: null };
      return {
        problems,
        parsed: { ...parsed.recipe, session_start: parsed.sessionStart, knowledge: parsed.knowledge },
        dockerfile: problems.length > 0 ? null : compileRecipe({ recipe: parsed.recipe, from: parsed.recipe.base }).dockerfile,
      };
    },
    'recipes.edit': async ({ recipe_yaml, recipe, session_start, knowledge }) => ({
      recipe_yaml: editRecipe(recipe_yaml, {
        ...(recipe === undefined ? {} : { recipe }),
        ...(session_start === undefined ? {} : { session_start }),
        ...(knowledge === undefined ? {} : { knowledge }),
      }),
    }),
    'builds.start': async ({ environment_id, pin, no_cache }) => {
      const whenBuilt = pin === true ? (build: Build) => pinBuilt(house, views, build) : undefined;
      const build = await builds.start(await findEnvironment(house, environment_id), { noCache: no_cache ?? false, whenBuilt });
      views.tell(environment_id);
      return build;
    },
    'builds.get': ({ build_id }) => builds.get(build_id),
    'builds.list': async ({ environment_id, limit = 50, cursor }) => {
      const { items, nextCursor } = await registry.history.builds({ environmentId: environment_id, limit, cursor });
      return { builds: items, next_cursor: nextCursor };
    },
    'builds.cancel': async ({ build_id }) => await builds.cancel(build_id),
    'pins.create': async ({ build_id }) => {
      const pin = await pins.pin(build_id);
      views.tell(pin.environment_id);
      return pin;
    },
    'pins.remove': async ({ environment_id }) => {
      await findEnvironment(house, environment_id);
      const pin = await pins.unpin(environment_id);
      views.tell(environment_id);
      return pin;
    },
    'pins.list': async ({ environment_id }) => ({ pins: await pins.list(environment_id) }),
  };
};
