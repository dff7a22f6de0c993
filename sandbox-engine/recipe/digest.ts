// Names what is baked: the recipe's own digest and the fingerprint of an image. Pure.
// Source: SPEC.md 3 (fingerprint); JSON with sorted keys.
import { createHash } from 'node:crypto';
import type { Recipe } from '../contract/model.ts';
import { packageManagers } from '../contract/model.ts';
import { defaultBase } from './read-recipe.ts';

const byName = ([left]: [string, unknown], [right]: [string, unknown]): number => (left < right ? -1 : Number(left > right));

const hash = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex');

// Names of steps are what people read in a log; only what runs is baked. Pairs, not objects: `__proto__` is a variable like any other.
const baked = ({ env, packages, initialize }: Recipe): unknown[] => [
  Object.entries(env).sort(byName),
  packageManagers.map((manager) => packages[manager]),
  initialize.map(({ run }) => run),
];

/** Hex SHA-256 of what the recipe bakes. Order of variables and names of steps do not count; order of packages and steps does. */
export const recipeDigest = (recipe: Recipe): string => hash(['recipe/1', recipe.base, ...baked(recipe)]);

export interface FingerprintParts {
  recipe: Recipe;
  /** What `base` stood for when it was built; it takes the place of the base's name. */
  baseDigest: string;
  runtimeLayerVersion: string;
  architecture: string;
}

/** Hex SHA-256 of all that decides an image's contents: the same fingerprint is built once and shared. */
export const fingerprint = ({ recipe, baseDigest, runtimeLayerVersion, architecture }: FingerprintParts): string =>
  hash(['image/1', baseDigest, runtimeLayerVersion, architecture, ...baked(recipe)]);

/** The digest of a recipe that says nothing: such an environment boots the default base and needs no build of its own. */
export const emptyRecipeDigest = recipeDigest({
  base: defaultBase,
  env: {},
  packages: { apt: [], cargo: [], gem: [], go: [], npm: [], pip: [] },
  initialize: [],
});
