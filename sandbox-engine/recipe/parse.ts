// From recipe text to recipe, or to the list of what is wrong with it and where.
// Leaves syntax to yaml-source.ts and meaning to read-recipe.ts.
import { unknownKeyMessage } from './nearest-name.ts';
import type { RecipeProblem } from './problem.ts';
import { recipeInvalid } from './problem.ts';
import type { ParsedRecipe } from './read-recipe.ts';
import { readEntries, readRecipeEntries, recipeKeys, startReading } from './read-recipe.ts';
import { openYaml } from './yaml-source.ts';

export type { ParsedRecipe } from './read-recipe.ts';

/** Checks a recipe text without throwing; `parsed` is null when there is any problem. Problems stand in reading order. */
export const checkRecipe = (source: string): { problems: RecipeProblem[]; parsed: ParsedRecipe | null } => {
  const yaml = openYaml(source);
  if (yaml.problems.length > 0) return { problems: yaml.problems, parsed: null };
  const reading = startReading(yaml);
  const entries = readEntries(reading, yaml.root, '');
  for (const { key, keyNode } of entries) {
    if (!(recipeKeys as readonly string[]).includes(key))
      reading.problems.push(yaml.problem(keyNode, key, unknownKeyMessage('', key, recipeKeys)));
  }
  const parsed = readRecipeEntries(reading, entries);
  const problems = reading.problems.sort((left, right) => left.line - right.line || left.column - right.column);
  return { problems, parsed: problems.length === 0 ? parsed : null };
};

/** Reads a recipe text. @throws recipe_invalid with the first problem as message and all of them in `details.problems`. */
export const parseRecipe = (source: string): ParsedRecipe => {
  const { problems, parsed } = checkRecipe(source);
  if (parsed === null) throw recipeInvalid(problems);
  return parsed;
};
