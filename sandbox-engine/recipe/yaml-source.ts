// Opens one YAML text safely: size first, one document, no tabs, no merge keys, no duplicate keys, aliases looked up by us and
// never expanded by the library. Leaves what the keys mean to the readers.
// Source: YAML 1.2.2 core schema; cases Y-01 to Y-03.
import type { Alias, Document, ParsedNode, Scalar, YAMLMap } from 'yaml';
import { Composer, type CST, isAlias, isMap, isScalar, isSeq, LineCounter, Parser } from 'yaml';
import type { RecipeProblem } from './problem.ts';
import { quoteShort } from './problem.ts';

/** The most bytes (UTF-8) that a recipe may have. */
export const maxRecipeBytes = 262_144;
const maxDepth = 64;

export type Node = ParsedNode;
export type MapNode = YAMLMap.Parsed;

/** A text that was opened: its root (null when empty) and the way to look at nodes. */
export interface YamlSource {
  root: Node | null;
  problems: RecipeProblem[];
  /** Follows an alias; null when there is no such anchor (that is a problem already). */
  resolve: (node: Node | null) => Exclude<Node, Alias.Parsed> | null;
  problem: (node: Node | number | null, path: string, message: string) => RecipeProblem;
  /** The text of a key; null when it is a list or a map. */
  keyText: (key: unknown) => string | null;
}

const syntaxMessages: Record<string, string> = {
  TAB_AS_INDENT: 'a tab is used as indentation; YAML takes blanks only. Replace the tab by blanks',
  MULTIPLE_DOCS: 'more than one document',
  BAD_ALIAS: 'an alias must name an anchor that stands before it',
};

/** The same code stands for several faults: those that people make most, by the library's words. */
const plainMessages: Record<string, string> = {
  'Implicit map keys need to be followed by map values': 'a colon is missing: write "name: value"',
  'Implicit keys need to be on a single line': 'a colon is missing in the line before, or this one is indented too far',
  'All mapping items must start at the same column': 'this line is not indented like those beside it',
  'All sequence items must start at the same column': 'this "-" is not indented like those beside it',
  'Nested mappings are not allowed in compact mappings': 'a second colon in one line: put the value in quotes',
};

interface Walk {
  problems: RecipeProblem[];
  at: (offset: number) => { line: number; column: number };
  anchors: Map<string, Node>;
  targets: Map<Node, Node>;
  open: Set<Node>;
}

const offsetOf = (node: Node | number | null): number => (typeof node === 'number' ? node : (node?.range[0] ?? 0));

const report = (walk: Walk, node: Node | number, path: string, message: string): void => {
  walk.problems.push({ ...walk.at(offsetOf(node)), message, path });
};

/** The text of a plain or quoted scalar as it was written, not as a type would read it. */
export const scalarText = (node: Scalar.Parsed): string => (typeof node.value === 'string' ? node.value : (node.source ?? ''));

const keyText = (key: unknown): string | null => (isScalar(key) ? scalarText(key as Scalar.Parsed) : null);

const joinPath = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

const walkAlias = (walk: Walk, node: Alias.Parsed, path: string): void => {
  const target = walk.anchors.get(node.source);
  if (target === undefined) report(walk, node, path, `the alias *${node.source} names no anchor that stands before it`);
  else if (walk.open.has(target)) report(walk, node, path, `the alias *${node.source} stands inside what it names`);
  else walk.targets.set(node, target);
};

const walkMap = (walk: Walk, node: MapNode, path: string): void => {
  const seen = new Set<string>();
  for (const pair of node.items) {
    const key = keyText(pair.key);
    if (key === null) {
      report(walk, (pair.key as Node | null) ?? node, path, 'a key must be plain text');
      continue;
    }
    const isPlain = (pair.key as Scalar.Parsed).type === 'PLAIN';
    if (key === '<<' && isPlain)
      report(walk, pair.key as Node, path, 'merge keys are not supported. Write the entries out instead of "<<"');
    if (seen.has(key))
      report(walk, pair.key as Node, joinPath(path, key), `the key "${key.slice(0, 60)}" is there twice. Remove one of them`);
    seen.add(key);
    walkNode(walk, pair.value as Node | null, joinPath(path, key));
  }
};

const walkNode = (walk: Walk, node: Node | null, path: string): void => {
  if (node === null) return;
  if (isAlias(node)) {
    walkAlias(walk, node as Alias.Parsed, path);
    return;
  }
  const { anchor, tag } = node as { anchor?: string; tag?: string };
  if (anchor !== undefined) walk.anchors.set(anchor, node);
  if (tag !== undefined && tag !== 'tag:yaml.org,2002:str') report(walk, node, path, `the tag ${tag} is not supported`);
  walk.open.add(node);
  if (isMap(node)) walkMap(walk, node as MapNode, path);
  if (isSeq(node)) for (const [index, item] of node.items.entries()) walkNode(walk, item as Node, `${path}[${index}]`);
  walk.open.delete(node);
};

/** Measures the nesting of a parsed token without recursion: the library's composer recurses, and text nested tens of thousands
 * of levels deep brings the whole process down in it. Answers the offset of what lies too deep, or null. */
const tooDeep = (document: CST.Token): number | null => {
  const waiting: { token: CST.Token | null | undefined; depth: number }[] = [{ token: document, depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { token, depth } = next;
    if (token === null || token === undefined) continue;
    if (depth > maxDepth) return token.offset;
    if ('value' in token) waiting.push({ token: token.value, depth: depth + 1 });
    if (!('items' in token)) continue;
    for (const item of token.items) waiting.push({ token: item.key, depth: depth + 1 }, { token: item.value, depth: depth + 1 });
  }
  return null;
};

function* shallowTokens(source: string, lines: LineCounter, walk: Walk): Generator<CST.Token> {
  for (const token of new Parser(lines.addNewLine).parse(source)) {
    const deep = tooDeep(token);
    if (deep !== null) {
      report(walk, deep, '', `nested more than ${maxDepth} levels deep`);
      return;
    }
    yield token;
  }
}

const firstDocument = (source: string, lines: LineCounter, walk: Walk): Document.Parsed | null => {
  let first: Document.Parsed | null = null;
  const composer = new Composer({
    version: '1.2',
    schema: 'core',
    merge: false,
    uniqueKeys: false,
    prettyErrors: false,
    resolveKnownTags: false,
  });
  for (const document of composer.compose(shallowTokens(source, lines, walk))) {
    if (first !== null) {
      report(walk, document.range[0], '', 'there is more than one document in this text. Keep one and remove the "---" between them');
      break;
    }
    first = document as Document.Parsed;
    for (const error of first.errors) {
      const { line } = walk.at(error.pos[0]);
      const text = quoteShort(source.split('\n')[line - 1] ?? '');
      report(
        walk,
        error.pos[0],
        '',
        `${syntaxMessages[error.code] ?? plainMessages[error.message] ?? error.message} (line ${line}: ${text})`,
      );
    }
    if (first.errors.length > 0) break;
  }
  return first;
};

const compose = (source: string, lines: LineCounter, walk: Walk): Node | null => {
  const document = firstDocument(source, lines, walk);
  if (document === null || walk.problems.length > 0) return null;
  walkNode(walk, document.contents as Node | null, '');
  return document.contents as Node | null;
};

/** Opens a text; when `problems` is not empty its nodes must not be read. Never throws; takes time linear in the text. */
export const openYaml = (source: string, what = 'recipe'): YamlSource => {
  const lines = new LineCounter();
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const walk: Walk = { problems: [], at, anchors: new Map(), targets: new Map(), open: new Set() };
  const size = source.length > maxRecipeBytes ? source.length : Buffer.byteLength(source);
  if (size > maxRecipeBytes) report(walk, 0, '', `the ${what} is larger than ${maxRecipeBytes / 1024} KiB, which is the most it may have`);
  const nul = source.indexOf('\0');
  const root = walk.problems.length === 0 && nul < 0 ? compose(source, lines, walk) : null;
  if (nul >= 0) report(walk, 0, '', `the ${what} holds a NUL character; it is not a text file`);
  return {
    root,
    problems: walk.problems,
    resolve: (node) => {
      const target = node !== null && isAlias(node) ? (walk.targets.get(node) ?? null) : node;
      return target as Exclude<Node, Alias.Parsed> | null;
    },
    problem: (node, path, message) => ({ ...at(offsetOf(node)), message, path }),
    keyText,
  };
};
