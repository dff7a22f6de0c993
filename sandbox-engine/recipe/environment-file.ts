// Reads an environment file: the keys of a recipe beside the fields of an environment, as YAML or JSON; a bare recipe is one too.
// Leaves the recipe to read-recipe.ts and the values of the fields to the contract's own schema.
import { isMap, isScalar, isSeq } from 'yaml';
import { environmentCreate, type UncheckedCreate } from '../contract/calls.ts';
import { editRecipe } from './edit.ts';
import { unknownKeyMessage } from './nearest-name.ts';
import { parseRecipe } from './parse.ts';
import type { RecipeProblem } from './problem.ts';
import { recipeInvalid } from './problem.ts';
import { type Reading, readEntries, readRecipeEntries, recipeKeys, setOwn, startReading } from './read-recipe.ts';
import { type Node, openYaml, scalarText, type YamlSource } from './yaml-source.ts';

type Entry = ReturnType<typeof readEntries>[number];

const isRecipeKey = (key: string): boolean => (recipeKeys as readonly string[]).includes(key);
const fieldKeys = Object.keys(environmentCreate.shape).filter((key) => !isRecipeKey(key));
const knownKeys = [...recipeKeys, ...fieldKeys];
// Texts of variables and metadata stay what was typed, as in a recipe's env.
const textMaps = new Set(['env_vars', 'metadata']);

interface Values {
  yaml: YamlSource;
  /** Aliases may repeat nodes; what is read in all is bounded. */
  left: number;
}

const toValue = (values: Values, node: Node | null, asText: boolean): unknown => {
  values.left -= 1;
  if (values.left < 0) return null;
  const target = values.yaml.resolve(node);
  if (isMap(target)) {
    const map: Record<string, unknown> = {};
    for (const { key, value } of target.items) setOwn(map, values.yaml.keyText(key) ?? '', toValue(values, value as Node | null, asText));
    return map;
  }
  if (isSeq(target)) return target.items.map((item) => toValue(values, item as Node, asText));
  if (!isScalar(target)) return null;
  return asText && target.source !== '' ? scalarText(target as never) : target.value;
};

/** The node that a path of the schema's finding leads to, or the nearest above it. */
const nodeAt = (yaml: YamlSource, entry: Entry, path: PropertyKey[]): Node => {
  let node: Node | null = entry.value ?? entry.keyNode;
  let found = entry.value ?? entry.keyNode;
  for (const part of path) {
    const target = yaml.resolve(node);
    if (isMap(target)) node = (target.items.find(({ key }) => yaml.keyText(key) === part)?.value ?? null) as Node | null;
    else node = isSeq(target) ? ((target.items[Number(part)] ?? null) as Node | null) : null;
    if (node === null) return found;
    found = node;
  }
  return found;
};

const readFields = (reading: Reading, entries: Entry[]): Record<string, unknown> => {
  const fields: Record<string, unknown> = {};
  const values = { yaml: reading.yaml, left: 100_000 };
  for (const entry of entries) fields[entry.key] = toValue(values, entry.value, textMaps.has(entry.key));
  if (values.left < 0) reading.problems.push(reading.yaml.problem(null, '', 'aliases expand to too much'));
  const checked = environmentCreate.partial().safeParse(fields);
  for (const issue of checked.error?.issues ?? []) {
    const entry = entries.find(({ key }) => key === issue.path[0]) ?? entries[0];
    if (entry === undefined) continue;
    const path = issue.path.map(String).join('.');
    reading.problems.push(reading.yaml.problem(nodeAt(reading.yaml, entry, issue.path.slice(1)), path, `${path}: ${issue.message}`));
  }
  return (checked.data ?? {}) as Record<string, unknown>;
};

/** Where the comments and blank lines begin that stand right above a line; `at` is where that line begins. */
const startOfAbove = (contents: string, at: number): number => {
  let from = at;
  while (from > 0) {
    const before = from < 2 ? 0 : contents.lastIndexOf('\n', from - 2) + 1;
    if (!/^(?:#[^\n]*|[^\S\n]*)$/.test(contents.slice(before, from - 1))) break;
    from = before;
  }
  return from;
};

/** The text without the lines of its environment fields. Comments and blank lines above a key go with that key. */
const withoutFields = (contents: string, entries: Entry[]): string => {
  const lineStart = (offset: number): number => contents.lastIndexOf('\n', offset - 1) + 1;
  const starts = entries.map(({ keyNode }) => startOfAbove(contents, lineStart(keyNode.range[0])));
  starts[0] = Math.min(starts[0] ?? 0, lineStart(entries[0]?.keyNode.range[0] ?? 0));
  const kept = entries.map(({ key }, index) =>
    isRecipeKey(key) ? contents.slice(starts[index], starts[index + 1] ?? contents.length) : '',
  );
  return kept.join('').replace(/^\s*\n/, '');
};

/** The recipe's part of the text; written anew when cutting lines out does not read the same (JSON, aliases between the parts). */
const recipeTextOf = (contents: string, reading: Reading, entries: Entry[], file: ReturnType<typeof readRecipeEntries>): string => {
  if (entries.every(({ key }) => isRecipeKey(key))) return contents;
  const wanted = JSON.stringify(file);
  const cut = withoutFields(contents, entries);
  try {
    if (JSON.stringify(parseRecipe(cut)) === wanted) return cut;
  } catch {
    // Then it is written anew.
  }
  const { recipe, sessionStart, knowledge } = file;
  const isEmpty = entries.every(({ key }) => !isRecipeKey(key));
  return isEmpty || reading.problems.length > 0 ? '' : editRecipe('', { recipe, session_start: sessionStart, knowledge });
};

/** Of a file that is called as all of them are: it tells nothing, but the folder that it is in does. */
const usualStem = /^(?:[-.]|\.?sandlot)?$/;

/** What the path of a file, or the address of a repository, calls what is in it; null when it does not. */
const nameFrom = (path: string | undefined): string | null => {
  const [last = '', above = ''] = (path ?? '').split(/[\\/:]/).toReversed();
  const stem = last.replace(/\.(?:ya?ml|json|git)$/i, '');
  const name = usualStem.test(stem) ? above : stem;
  return /^\.{0,2}$/.test(name) ? null : name.slice(0, 256);
};

const givenTwice = (reading: Reading, entries: Entry[]): RecipeProblem[] => {
  const keys = entries.map(({ key }) => key);
  const ways = [
    keys.some(isRecipeKey) ? 'recipe keys' : '',
    keys.includes('recipe') ? 'recipe' : '',
    keys.includes('recipe_yaml') ? 'recipe_yaml' : '',
  ];
  const used = ways.filter(
    (way) =>
      way !== '' && !(way === 'recipe keys' && !keys.some((key) => isRecipeKey(key) && key !== 'session_start' && key !== 'knowledge')),
  );
  if (used.length < 2) return [];
  return [reading.yaml.problem(entries[0]?.keyNode ?? null, '', `the recipe is given in two ways (${used.join(' and ')}). Keep one`)];
};

interface EnvironmentFile {
  /** What the file says, without a name made up for it. */
  body: Partial<UncheckedCreate>;
  /** Whether any key of the recipe, or the recipe as a whole, is in the file. */
  hasRecipe: boolean;
}

const readFile = (contents: string): EnvironmentFile => {
  const yaml = openYaml(contents, 'environment file');
  if (yaml.problems.length > 0) throw recipeInvalid(yaml.problems, 'environment file');
  const reading = startReading(yaml);
  const entries = readEntries(reading, yaml.root, '');
  for (const { key, keyNode } of entries) {
    if (!knownKeys.includes(key)) reading.problems.push(yaml.problem(keyNode, key, unknownKeyMessage('', key, knownKeys)));
  }
  reading.problems.push(...givenTwice(reading, entries));
  const file = readRecipeEntries(reading, entries);
  const fields = readFields(
    reading,
    entries.filter(({ key }) => fieldKeys.includes(key)),
  );
  if (reading.problems.length > 0)
    throw recipeInvalid(
      reading.problems.sort((left, right) => left.line - right.line || left.column - right.column),
      'environment file',
    );
  const body = fields as Partial<UncheckedCreate>;
  if (body.recipe === undefined && body.recipe_yaml === undefined) {
    const hasRecipe = entries.some(({ key }) => isRecipeKey(key));
    return { body: { ...body, recipe_yaml: recipeTextOf(contents, reading, entries, file) }, hasRecipe };
  }
  const { sessionStart, knowledge } = file;
  const steps = sessionStart.length > 0 ? { session_start: sessionStart } : {};
  return { body: { ...body, ...steps, ...(knowledge.length > 0 ? { knowledge } : {}) }, hasRecipe: true };
};

/** What an environment file makes. */
export type EnvironmentOfFile = Omit<UncheckedCreate, 'name'> & { name: string | null };

/** Reads an environment file into the body of `environments.create`. One that says no name is called as the file, or as the folder of
 * a file that is called as all are, or as its repository; null when none of them tells one. The text of the recipe's part is kept with
 * its comments. @throws recipe_invalid with positions */
export const parseEnvironmentFile = (contents: string, fileName?: string): EnvironmentOfFile => {
  const { body } = readFile(contents);
  return { name: nameFrom(fileName) ?? nameFrom(body.repo?.source), ...body };
};

/** Reads an environment file as a change: only what the file names. Without any key of a recipe the recipe stays as it is.
 * @throws recipe_invalid with positions */
export const parseEnvironmentChange = (contents: string): Partial<UncheckedCreate> => {
  const { body, hasRecipe } = readFile(contents);
  const { recipe_yaml, ...others } = body;
  return hasRecipe && recipe_yaml !== undefined ? { ...others, recipe_yaml } : others;
};

/** Where in the file the value stands that a JSON pointer into the body leads to, or the nearest above it; null when its field is not there. */
export const positionInFile = (contents: string, pointer: string): { line: number; column: number } | null => {
  const yaml = openYaml(contents, 'environment file');
  const [field, ...path] = pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const entry = readEntries(startReading(yaml), yaml.root, '').find(({ key }) => key === field);
  if (entry === undefined) return null;
  const { line, column } = yaml.problem(nodeAt(yaml, entry, path), '', '');
  return { line, column };
};
