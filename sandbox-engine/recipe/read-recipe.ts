// Reads the recipe's keys out of an opened YAML text: what each key means, which type it has, what its default is.
// Leaves syntax to yaml-source.ts and package grammar to package-item.ts.
import { isMap, isScalar, isSeq } from 'yaml';
import type { Packages, Recipe, Step } from '../contract/model.ts';
import { packageManagers } from '../contract/model.ts';
import { unknownKeyMessage } from './nearest-name.ts';
import { packageItemProblem } from './package-item.ts';
import type { RecipeProblem } from './problem.ts';
import { quoteShort } from './problem.ts';
import { parseImageReferenceProblem } from './reference.ts';
import type { MapNode, Node, YamlSource } from './yaml-source.ts';
import { maxRecipeBytes, scalarText } from './yaml-source.ts';

/** A recipe text as objects: what is baked, and what only sessions read. */
export interface ParsedRecipe {
  recipe: Recipe;
  sessionStart: Step[];
  knowledge: { name: string; contents: string }[];
}

/** The keys of a recipe, in the order in which Sandlot writes them. */
export const recipeKeys = ['base', 'env', 'packages', 'initialize', 'session_start', 'knowledge'] as const;

/** The base of a recipe that names none. */
export const defaultBase = 'debian';
const maxSteps = 100;
const maxEnvBytes = 32_768;
// Aliases may repeat a text; what they repeat in all is bounded, so that a small file cannot become a huge recipe.
const maxExpandedLength = 4 * maxRecipeBytes;

/** What a reader needs: the opened text, where problems go, and how much text was read so far. */
export interface Reading {
  yaml: YamlSource;
  problems: RecipeProblem[];
  length: number;
}

/** Starts reading an opened text. */
export const startReading = (yaml: YamlSource): Reading => ({ yaml, problems: [...yaml.problems], length: 0 });

const report = (reading: Reading, node: Node | null, path: string, message: string): void => {
  if (reading.problems.length < 100) reading.problems.push(reading.yaml.problem(node, path, message));
};

const kindOf = (node: Node | null): string => {
  if (isMap(node)) return 'a map';
  if (isSeq(node)) return 'a list';
  if (!isScalar(node)) return 'nothing';
  return node.value === null ? 'nothing' : `the ${typeof node.value} ${quoteShort(scalarText(node))}`;
};

/** Whether a key was written with nothing behind it. */
const isEmpty = (node: Node | null): boolean => node === null || (isScalar(node) && node.value === null && (node.source ?? '') === '');

const count = (reading: Reading, node: Node, path: string, text: string): string => {
  const before = reading.length;
  reading.length += text.length + 16;
  if (before <= maxExpandedLength && reading.length > maxExpandedLength)
    report(reading, node, path, 'aliases expand to more than 1 MiB of text');
  return reading.length > maxExpandedLength ? '' : text;
};

const readString = (reading: Reading, node: Node | null, path: string, keyNode: Node | null = node): string => {
  const target = reading.yaml.resolve(node);
  if (isScalar(target) && typeof target.value === 'string') {
    if (target.value.includes('\0')) report(reading, node, path, `${path} holds a NUL character`);
    return count(reading, target, path, target.value);
  }
  const advice = isScalar(target) && target.value !== null ? `Write it in quotes: "${scalarText(target).slice(0, 60)}"` : 'Write one text';
  const message = isEmpty(target)
    ? `${path} has no value. Write a text or remove the key`
    : `${path} must be a text, but it is ${kindOf(target)}. ${advice}`;
  report(reading, isEmpty(target) ? keyNode : node, path, message);
  return '';
};

/** The text of any scalar as it was written: `no`, `8080` and `1.10` stay what was typed. */
const readSourceText = (reading: Reading, node: Node | null, path: string, keyNode: Node | null = node): string => {
  const target = reading.yaml.resolve(node);
  if (isScalar(target) && !isEmpty(target)) {
    const text = scalarText(target);
    if (text.includes('\0')) report(reading, node, path, `${path} holds a NUL character`);
    return count(reading, target, path, text);
  }
  const message = isEmpty(target)
    ? `${path} has no value. Write "" for an empty text`
    : `${path} must be a text, but it is ${kindOf(target)}`;
  report(reading, isEmpty(target) ? keyNode : node, path, message);
  return '';
};

/** The entries of a map in order, without those whose key stands twice; an empty key reads as an empty map. */
export const readEntries = (reading: Reading, node: Node | null, path: string): { key: string; keyNode: Node; value: Node | null }[] => {
  const target = reading.yaml.resolve(node);
  if (isEmpty(target)) return [];
  if (!isMap(target)) {
    report(reading, node, path, `${path === '' ? 'the text' : path} must be a map of keys, but it is ${kindOf(target)}`);
    return [];
  }
  return (target as MapNode).items.map((pair) => {
    const keyNode = pair.key as Node;
    return { key: reading.yaml.keyText(keyNode) ?? '', keyNode, value: (pair.value as Node | null) ?? null };
  });
};

const readList = <T>(reading: Reading, node: Node | null, path: string, readItem: (item: Node, itemPath: string) => T): T[] => {
  const target = reading.yaml.resolve(node);
  if (isEmpty(target)) return [];
  if (isSeq(target)) return target.items.map((item, index) => readItem(item as Node, `${path}[${index}]`));
  report(reading, node, path, `${path} must be a list ("- ..." lines), but it is ${kindOf(target)}`);
  return [];
};

const readFields = (
  reading: Reading,
  node: Node,
  path: string,
  known: readonly string[],
): Map<string, { keyNode: Node; value: Node | null }> => {
  const fields = new Map<string, { keyNode: Node; value: Node | null }>();
  for (const { key, keyNode, value } of readEntries(reading, node, path)) {
    if (known.includes(key)) fields.set(key, { keyNode, value });
    else report(reading, keyNode, path === '' ? key : `${path}.${key}`, unknownKeyMessage(path, key, known));
  }
  return fields;
};

const readNamed = (reading: Reading, node: Node, path: string, text: 'run' | 'contents'): { name: string; text: string } => {
  const target = reading.yaml.resolve(node);
  if (!isMap(target)) {
    report(reading, node, path, `${path} must be a map with "name" and "${text}", but it is ${kindOf(target)}`);
    return { name: '', text: '' };
  }
  const fields = readFields(reading, node, path, ['name', text]);
  const body = fields.get(text);
  if (body === undefined) report(reading, node, path, `${path} has no "${text}"`);
  const value = body === undefined ? '' : readString(reading, body.value, `${path}.${text}`, body.keyNode);
  const name = fields.get('name');
  return { name: name === undefined ? nameOfStep(value) : readString(reading, name.value, `${path}.name`, name.keyNode), text: value };
};

/** The name of a step that was given none: the first line of what it runs, or what a comment says there; at most 60 characters, cut
 * between two words. */
export const nameOfStep = (run: string): string => {
  const [first = ''] = run.split('\n').flatMap((candidate) => candidate.replace(/^\s*(?:#(?!!)\s*)?/, '').trim() || []);
  return first.length > 60 ? `${first.slice(0, 59).replace(/\s+\S{0,20}$/, '')}…` : first;
};

const readSteps = (reading: Reading, node: Node | null, path: string): Step[] => {
  const steps = readList(reading, node, path, (item, itemPath) => {
    const { name, text } = readNamed(reading, item, itemPath, 'run');
    if (text.trim() === '' && reading.problems.length === 0)
      report(reading, item, `${itemPath}.run`, `${itemPath}.run is empty. Write a command`);
    return { name, run: text };
  });
  if (steps.length > maxSteps) report(reading, node, path, `${path} has ${steps.length} steps; at most ${maxSteps} fit into one image`);
  return steps;
};

/** Writes an own property whatever its name is, `__proto__` too. */
export const setOwn = <T>(target: Record<string, T>, key: string, value: T): void => {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
};

const readEnv = (reading: Reading, node: Node | null): Record<string, string> => {
  const env: Record<string, string> = {};
  for (const { key, keyNode, value } of readEntries(reading, node, 'env')) {
    const path = `env.${key}`;
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(key)) {
      const advice = 'A name has letters, digits and _ only and does not begin with a digit';
      report(reading, keyNode, path, `${JSON.stringify(key.slice(0, 80))} is not a variable name. ${advice}`);
      continue;
    }
    const text = readSourceText(reading, value, path, keyNode);
    if (Buffer.byteLength(text) > maxEnvBytes) report(reading, value, path, `${path} is longer than ${maxEnvBytes / 1024} KiB`);
    setOwn(env, key, text);
  }
  return env;
};

const readPackages = (reading: Reading, node: Node | null): Packages => {
  const lists: Packages = { apt: [], cargo: [], gem: [], go: [], npm: [], pip: [] };
  for (const { key, keyNode, value } of readEntries(reading, node, 'packages')) {
    const manager = packageManagers.find((name) => name === key);
    if (manager === undefined) {
      report(reading, keyNode, `packages.${key}`, unknownKeyMessage('packages', key, packageManagers));
      continue;
    }
    lists[manager] = readList(reading, value, `packages.${manager}`, (item, path) => {
      const text = readSourceText(reading, item, path);
      const problem = text === '' && isEmpty(reading.yaml.resolve(item)) ? null : packageItemProblem(manager, text);
      if (problem !== null) report(reading, item, path, `${path}: ${problem}`);
      return text;
    });
  }
  return lists;
};

const readBase = (reading: Reading, value: Node | null, keyNode: Node): string => {
  const base = readString(reading, value, 'base', keyNode);
  const problem = base === '' ? null : parseImageReferenceProblem(base);
  if (problem !== null) report(reading, value, 'base', `base: ${problem}`);
  if (base === '' && isScalar(reading.yaml.resolve(value)) && reading.problems.length === 0)
    report(reading, value, 'base', 'base is empty. Write a catalog name or an image reference');
  return base;
};

/** Reads the six recipe keys out of top-level entries; other keys are the caller's. */
export const readRecipeEntries = (reading: Reading, entries: { key: string; keyNode: Node; value: Node | null }[]): ParsedRecipe => {
  const values = new Map(entries.map(({ key, keyNode, value }) => [key, { keyNode, value }]));
  const nodeOf = (key: (typeof recipeKeys)[number]) => values.get(key)?.value ?? null;
  const base = values.get('base');
  return {
    recipe: {
      base: base === undefined ? defaultBase : readBase(reading, base.value, base.keyNode),
      env: readEnv(reading, nodeOf('env')),
      packages: readPackages(reading, nodeOf('packages')),
      initialize: readSteps(reading, nodeOf('initialize'), 'initialize'),
    },
    sessionStart: readSteps(reading, nodeOf('session_start'), 'session_start'),
    knowledge: readList(reading, nodeOf('knowledge'), 'knowledge', (item, path) => {
      const { name, text } = readNamed(reading, item, path, 'contents');
      return { name, contents: text };
    }),
  };
};
