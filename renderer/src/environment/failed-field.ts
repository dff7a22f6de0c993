// Which field of the recipe a failed build speaks of, and what it says there. Pure.
import type { Build } from '../../../sandbox-engine/contract/model.ts';
import type { ParsedRecipe } from './use-recipe.ts';

/** What stands at the field. */
export interface FailedField {
  /** As the build called it: "apt packages", or the name of a step. */
  step: string;
  /** 1-based, of the step's commands; null where the build did not say. */
  line: number | null;
  text: string;
}

type Recipe = Pick<ParsedRecipe, 'packages' | 'initialize'>;

const packagesOf = ({ packages }: Recipe, step: string): readonly string[] | undefined =>
  step.endsWith(' packages') ? (packages[step.slice(0, -' packages'.length) as keyof typeof packages] ?? []) : undefined;

/** The field's whole value, to see whether it was edited; null when there is no such field. */
const fieldOf = (recipe: Recipe, step: string): string | null => {
  const packages = packagesOf(recipe, step);
  return packages?.join('\n') ?? recipe.initialize.find(({ name }) => name === step)?.run ?? null;
};

/** `ruff==0.6.9`, `@types/node@22`: as an error calls them, without their version. */
const nameOf = (written: string): string => /^@?[^@=<>~! ]+/.exec(written)?.[0] ?? written;

const wordsIn = (text: string): Set<string> => new Set(text.split(/[\s'"`,:;()]+/).flatMap((word) => [word, nameOf(word)]));

const packageText = (packages: readonly string[], said: string): string => {
  const words = wordsIn(said);
  const named = packages.filter((one) => words.has(nameOf(one))).map((one) => `“${one}”`);
  return named.length === 0 ? `Failed in the last build: ${said}` : `${named.join(' and ')} failed in the last build: ${said}`;
};

/** Null where the field is not as it was built any more: then it is being mended. */
export const failedField = (build: Build, asBuilt: Recipe, now: Recipe): FailedField | null => {
  const { failed_step: step, error } = build;
  if (step === null || fieldOf(now, step) === null || fieldOf(asBuilt, step) !== fieldOf(now, step)) return null;
  const said = (error?.message ?? '').replace(/^its command ended with exit code \d+: /i, '');
  const packages = packagesOf(now, step);
  if (packages !== undefined) return { step, line: null, text: packageText(packages, said) };
  const [place, line] = /step-\d+: (?:line )?(\d+): /.exec(said) ?? [];
  const words = place === undefined ? said : said.replace(place, '');
  return {
    step,
    line: line === undefined ? null : Number(line),
    text: line === undefined ? `Failed in the last build: ${words}` : `Line ${line} failed in the last build: ${words}`,
  };
};
