// Writes a form's edit into the recipe's text. Only the section that changes is written anew, from its own nodes; every other byte
// stays. Each result is read back before it is answered. Leaves the nodes to edit-nodes.ts.
import type { Node } from 'yaml';
import { Document, isMap, isScalar, Pair, parseDocument, Scalar } from 'yaml';
import type { Packages, Recipe, Step } from '../contract/model.ts';
import { packageManagers } from '../contract/model.ts';
import { changeNode, newNode, type Wanted } from './edit-nodes.ts';
import { checkRecipe, parseRecipe } from './parse.ts';
import { recipeInvalid } from './problem.ts';
import { nameOfStep, type ParsedRecipe, recipeKeys } from './read-recipe.ts';

/** Omitted parts stay; a given list or map replaces its whole value, in `packages` manager by manager. */
export interface RecipeEdits {
  recipe?: {
    base?: string | undefined;
    env?: Record<string, string> | undefined;
    packages?: Partial<Record<keyof Packages, string[] | undefined>> | undefined;
    initialize?: Step[] | undefined;
  };
  session_start?: Step[];
  knowledge?: { name: string; contents: string }[];
}

type Section = (typeof recipeKeys)[number];

const sectionOf = (parsed: ParsedRecipe, section: Section): unknown => {
  if (section === 'session_start') return parsed.sessionStart;
  if (section === 'knowledge') return parsed.knowledge;
  // The order of variables is nobody's business: it must not make a difference here.
  if (section === 'env') return Object.entries(parsed.recipe.env).sort(([left], [right]) => (left < right ? -1 : 1));
  return parsed.recipe[section];
};

const isSame = (left: ParsedRecipe, right: ParsedRecipe, section: Section): boolean =>
  JSON.stringify(sectionOf(left, section)) === JSON.stringify(sectionOf(right, section));

const isWanted = (source: string, wanted: ParsedRecipe): boolean => {
  const { parsed } = checkRecipe(source);
  return parsed !== null && recipeKeys.every((section) => isSame(parsed, wanted, section));
};

const merge = (current: ParsedRecipe, { recipe = {}, session_start, knowledge }: RecipeEdits): ParsedRecipe => {
  const packages: Recipe['packages'] = { ...current.recipe.packages };
  for (const manager of packageManagers) packages[manager] = recipe.packages?.[manager] ?? packages[manager];
  return {
    recipe: {
      base: recipe.base ?? current.recipe.base,
      env: recipe.env ?? current.recipe.env,
      packages,
      initialize: recipe.initialize ?? current.recipe.initialize,
    },
    sessionStart: session_start ?? current.sessionStart,
    knowledge: knowledge ?? current.knowledge,
  };
};

const wantedSteps = (steps: Step[]): Wanted =>
  steps.map(
    ({ name, run }) =>
      new Map(
        name === nameOfStep(run)
          ? [['run', run]]
          : [
              ['name', name],
              ['run', run],
            ],
      ),
  );

/** The nodes' view of a section. A step whose name is the one that it would get anyway is written without. */
const wantedOf = ({ recipe, sessionStart, knowledge }: ParsedRecipe, section: Section): Wanted => {
  if (section === 'base') return recipe.base;
  if (section === 'env') return new Map(Object.entries(recipe.env));
  if (section === 'packages')
    return new Map(packageManagers.filter((name) => recipe.packages[name].length > 0).map((name) => [name, recipe.packages[name]]));
  if (section === 'knowledge')
    return knowledge.map(
      ({ name, contents }) =>
        new Map([
          ['name', name],
          ['contents', contents],
        ]),
    );
  return wantedSteps(section === 'initialize' ? recipe.initialize : sessionStart);
};

const open = (source: string): Document.Parsed =>
  parseDocument(source, { version: '1.2', schema: 'failsafe', merge: false, uniqueKeys: false });

/** Writes nodes in the manner of the text around them. */
const write = (document: Document, around: string, near = around): string => {
  const text = document.toString({
    lineWidth: 0,
    doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
    indent: /^\S[^\n]*:[^\S\n]*\r?\n {4}[^\s#]/m.test(around) ? 4 : 2,
    indentSeq: !/^\S[^\n]*:[^\S\n]*\r?\n- /m.test(around),
    flowCollectionPadding: !/[{[][^\s}\]]/.test(near),
  });
  return around.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text;
};

const change = (document: Document, section: Section, wanted: Wanted): void => {
  if (!isMap(document.contents)) document.contents = newNode(new Map()) as never;
  const root = document.contents;
  if (!isMap(root)) return;
  const pair = root.items.find(({ key }) => isScalar(key) && key.value === section);
  if (pair !== undefined) pair.value = changeNode(pair.value as Node | null, wanted);
  else root.items.push(new Pair(new Scalar(section), newNode(wanted)));
  root.flow = root.flow === true && root.items.length > 1;
};

const added = (source: string, section: Section, wanted: Wanted, at: number): string => {
  const document = new Document(new Map(), { schema: 'failsafe' });
  change(document, section, wanted);
  const before = source.slice(0, at);
  const gap = before === '' || before.endsWith('\n') ? '' : '\n';
  return `${before}${gap}${write(document, source)}${source.slice(at)}`;
};

/** Where a section's lines begin and end: comments and blank lines before the next key belong to that key. */
const findSpan = (source: string, section: Section): { from: number; to: number; first: number } => {
  const root = open(source).contents;
  const starts = isMap(root) ? root.items.map(({ key }) => ({ key, at: (key as Scalar.Parsed).range[0] })) : [];
  const index = starts.findIndex(({ key }) => isScalar(key) && key.value === section);
  const first = starts[0]?.at ?? source.length;
  if (index < 0) return { from: -1, to: -1, first };
  const from = starts[index]?.at ?? 0;
  const rest = source.slice(from, starts[index + 1]?.at ?? source.length);
  const trailing = /(?:(?<=\n)(?:#[^\n]*|[^\S\n]*)(?:\n|$))*$/.exec(rest)?.[0] ?? '';
  return { from, to: from + rest.length - trailing.length, first };
};

const editSection = (source: string, section: Section, wanted: Wanted): string => {
  const { from, to, first } = findSpan(source, section);
  if (from < 0) return added(source, section, wanted, section === 'base' ? first : source.length);
  const before = source.slice(from, to);
  const document = open(before);
  const value = isMap(document.contents) ? document.contents.items[0]?.value : null;
  if (typeof wanted === 'string' && isScalar(value) && value.range) {
    const [start, end] = value.range;
    const style = value.type === 'QUOTE_SINGLE' || value.type === 'QUOTE_DOUBLE' ? JSON.stringify(wanted) : wanted;
    return `${source.slice(0, from + start)}${style}${source.slice(from + end)}`;
  }
  change(document, section, wanted);
  const text = write(document, source, before);
  return `${source.slice(0, from)}${before.endsWith('\n') ? text : text.trimEnd()}${source.slice(to)}`;
};

/** The whole text from its own nodes: for flow style, directives, and aliases between sections. */
const editWhole = (source: string, sections: Section[], wanted: ParsedRecipe): string => {
  const document = open(source);
  for (const section of sections) change(document, section, wantedOf(wanted, section));
  return write(document, source);
};

const rewrite = (wanted: ParsedRecipe): string => {
  const document = new Document(new Map(), { schema: 'failsafe' });
  const empty = parseRecipe('');
  for (const section of recipeKeys)
    if (section === 'base' || !isSame(empty, wanted, section)) change(document, section, wantedOf(wanted, section));
  return write(document, '');
};

const attempt = (make: () => string): string | null => {
  try {
    return make();
  } catch {
    // The library throws on nodes that it cannot place (an alias whose anchor went away): then the next way is tried.
    return null;
  }
};

/** Answers the recipe's text with the edit in it: the same bytes when nothing changes. Every way of writing is read back; the last
 * one writes the text anew and loses comments. @throws recipe_invalid when the text or what is asked for is not a recipe */
export const editRecipe = (source: string, edits: RecipeEdits): string => {
  const current = parseRecipe(source);
  const wanted = merge(current, edits);
  const sections = recipeKeys.filter((section) => !isSame(current, wanted, section));
  if (sections.length === 0) return source;
  const ways = [
    () => sections.reduce((text, section) => editSection(text, section, wantedOf(wanted, section)), source),
    () => editWhole(source, sections, wanted),
    () => rewrite(wanted),
  ];
  let last = '';
  for (const way of ways) {
    const text = attempt(way);
    if (text !== null && isWanted(text, wanted)) return text;
    last = text ?? last;
  }
  throw recipeInvalid(checkRecipe(last).problems);
};
