// Turns what zod found into sentences: where (JSON pointer), what stood there, what to write instead.
// Source: RFC 6901 (JSON pointer); zod 4 issue codes.
import type { z } from 'zod';
import { nearestWord } from './nearest-word.ts';

export interface InputProblem {
  /** JSON pointer into the input; empty is the input itself. */
  path: string;
  message: string;
}

type Issue = z.core.$ZodIssue;

const pointer = (path: readonly PropertyKey[]): string =>
  path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

const valueAt = (input: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((value, part) => (value !== null && typeof value === 'object' ? Reflect.get(value, part) : undefined), input);

const kindOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'string') return value.length <= 40 ? `the text ${JSON.stringify(value)}` : `a text of ${value.length} characters`;
  return value === undefined ? 'nothing' : `${typeof value} ${String(value)}`;
};

const nouns: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  nonoptional: 'a value',
};

interface NamedForms {
  forms: string;
  options: z.ZodType[];
}

/** The union with a sentence of its own that stands at a path, if there is one. */
const namedFormsAt = (schema: unknown, path: readonly PropertyKey[]): NamedForms | null => {
  const def = (schema as { def?: Record<string, unknown> } | undefined)?.def;
  if (def === undefined) return null;
  if ('innerType' in def) return namedFormsAt(def['innerType'], path);
  if (path.length === 0) {
    const forms = def['type'] === 'union' && typeof def['error'] === 'function' ? (def['error'] as (issue: object) => unknown)({}) : null;
    return typeof forms === 'string' ? { forms, options: def['options'] as z.ZodType[] } : null;
  }
  const [head, ...rest] = path;
  const shape = def['type'] === 'object' ? (def['shape'] as Record<string, unknown>) : undefined;
  return namedFormsAt(shape?.[String(head)] ?? def['element'] ?? def['valueType'], rest);
};

/** The keys that the schema knows at a path; empty where it takes any key. */
const knownKeys = (schema: unknown, path: readonly PropertyKey[]): string[] => {
  const def = (schema as { def?: Record<string, unknown> } | undefined)?.def;
  if (def === undefined) return [];
  if ('innerType' in def) return knownKeys(def['innerType'], path);
  if (def['type'] === 'union') return (def['options'] as unknown[]).flatMap((option) => knownKeys(option, path));
  const shape = def['type'] === 'object' ? (def['shape'] as Record<string, unknown>) : undefined;
  if (path.length === 0) return Object.keys(shape ?? {});
  const [head, ...rest] = path;
  return knownKeys(shape?.[String(head)] ?? def['element'] ?? def['valueType'], rest);
};

const wrongCompany = 'does not go together with the other keys given';

const unknownKey = (key: string, known: readonly string[]): string => {
  if (known.includes(key)) return wrongCompany;
  const near = nearestWord(key, known);
  if (near !== null) return `is not known here; did you mean "${near}"?`;
  return known.length === 0 ? 'is not known here; nothing may be given' : `is not known here; known are ${[...new Set(known)].join(', ')}`;
};

const countUnknown = (issues: readonly Issue[]): number =>
  issues.reduce((sum, issue) => sum + (issue.code === 'unrecognized_keys' ? issue.keys.length : 0), 0);

/** Of the forms that a value may have, the one that was most likely meant. */
const likeliestBranch = (branches: readonly (readonly Issue[])[]): readonly Issue[] =>
  [...branches].sort((left, right) => countUnknown(left) - countUnknown(right) || left.length - right.length)[0] ?? [];

const ofWrongType = (expected: string, found: unknown): string => {
  const wanted = nouns[expected] ?? expected;
  return found === undefined ? `is missing; give ${wanted}` : `must be ${wanted}, not ${kindOf(found)}`;
};

/** A size that is out of bounds; null when the problem is another. */
const outOfBounds = (issue: Issue): string | null => {
  if (issue.code === 'too_small' && issue.inclusive === false) return `must be more than ${issue.minimum}`;
  if (issue.code === 'too_small') return `must be at least ${issue.minimum}${issue.origin === 'string' ? ' character(s) long' : ''}`;
  if (issue.code === 'too_big') return `must be at most ${issue.maximum}${issue.origin === 'string' ? ' characters long' : ''}`;
  return null;
};

const sentence = (issue: Issue, found: unknown): string => {
  if (issue.code === 'invalid_type') return ofWrongType(issue.expected, found);
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}, not ${kindOf(found)}`;
  if (issue.code === 'invalid_format' && 'pattern' in issue) return `must look like ${String(issue.pattern)}, not ${kindOf(found)}`;
  const general = issue.message.startsWith('Invalid input') ? `is not allowed here: ${kindOf(found)}` : issue.message;
  return outOfBounds(issue) ?? general;
};

/** One sentence for a value that has none of the forms it may have: the forms, and what is nearest to being right. */
const ofUnion = (schema: z.ZodType, union: NamedForms, at: readonly PropertyKey[], found: unknown, input: unknown): InputProblem[] => {
  const branches = union.options.map((option) => option.safeParse(found).error?.issues ?? []);
  const nested = inputProblems(schema, input, likeliestBranch(branches), at);
  const typos = nested.filter(({ message }) => message.includes('did you mean'));
  if (typos.length > 0) return typos;
  const path = pointer(at);
  const deeper = nested.find((problem) => problem.path !== path && problem.message !== wrongCompany);
  if (deeper !== undefined) return [{ path, message: `${union.forms}; here ${deeper.path.slice(path.length + 1)} ${deeper.message}` }];
  return [{ path, message: `${union.forms}, not ${kindOf(found)}` }];
};

const ofStrangeKeys = (keys: readonly string[], path: readonly PropertyKey[], known: readonly string[]): InputProblem[] => {
  // Of a union zod may report the branch that knows fewer keys: then the keys that another branch knows are not the problem.
  const strange = keys.filter((key) => !known.includes(key));
  return (strange.length > 0 ? strange : keys).map((key) => ({ path: pointer([...path, key]), message: unknownKey(key, known) }));
};

/** Every problem of one input, in the order found; the same schema that found them tells which keys are known. */
export const inputProblems = (
  schema: z.ZodType,
  input: unknown,
  issues: readonly Issue[],
  at: readonly PropertyKey[] = [],
): InputProblem[] =>
  issues.flatMap((issue) => {
    const path = [...at, ...issue.path];
    const isOfForms = issue.code === 'unrecognized_keys' || issue.code === 'invalid_union';
    const union = isOfForms && at.length === 0 ? namedFormsAt(schema, path) : null;
    if (union !== null) return ofUnion(schema, union, path, valueAt(input, path), input);
    if (issue.code === 'unrecognized_keys') return ofStrangeKeys(issue.keys, path, knownKeys(schema, path));
    if (issue.code === 'invalid_union' && issue.errors.length > 0) {
      return inputProblems(schema, input, likeliestBranch(issue.errors), path);
    }
    return [{ path: pointer(path), message: sentence(issue, valueAt(input, path)) }];
  });
