// What is wrong with a recipe text and where. Shared by the readers of this room; knows no YAML.
import { SandlotError } from '../base/errors.ts';

/** One finding in a recipe text; line and column are 1-based, `path` is dotted (`env.PORT`, `initialize[0].run`), empty for the whole. */
export interface RecipeProblem {
  line: number;
  column: number;
  message: string;
  path: string;
}

/** Makes the error of a text that has problems: its message is the first problem, its details carry all of them. */
export const recipeInvalid = (problems: RecipeProblem[], what = 'recipe'): SandlotError => {
  const first = problems[0] ?? { line: 1, column: 1, message: `the ${what} could not be read`, path: '' };
  return new SandlotError('recipe_invalid', `${first.line}:${first.column}: ${first.message}`, {
    details: { line: first.line, column: first.column, path: first.path, problems },
    nextAction: `Correct line ${first.line} of the ${what} and save it again; what was saved before is unchanged.`,
  });
};

/** Cuts a text for a message: one line, at most 60 characters, in quotes. */
export const quoteShort = (text: string): string => {
  const line = text.split(/\r?\n/, 1)[0]?.trim() ?? '';
  return `"${line.length > 60 ? `${line.slice(0, 57)}...` : line}"`;
};
