// Says what `.gitignore` files leave out, without asking any git: the folder may be anybody's. Pure.
// Source: gitignore(5), "PATTERN FORMAT".

/** The rules of one ignore file. `folder` is where it stands, with a slash at its end; empty at the top. */
export interface IgnoreRules {
  folder: string;
  rules: { matches: RegExp; isNegated: boolean; isFolderOnly: boolean }[];
}

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** A bracket expression at the place, as a regular expression, and where it ends; null when it never does. */
const bracketAt = (pattern: string, at: number): { text: string; end: number } | null => {
  const isNegated = /[!^]/.test(pattern[at + 1] ?? '');
  const from = at + (isNegated ? 2 : 1);
  const end = pattern.indexOf(']', from + 1);
  if (end < 0) return null;
  const inner = pattern
    .slice(from, end)
    .replace(/\\(?![\]\\-])/g, '')
    .replace(/[[\]\\^]/g, '\\$&');
  return { text: `(?!/)[${isNegated ? '^' : ''}${inner}]`, end };
};

const wildcards: readonly (readonly [RegExp, string])[] = [
  [/^\/\*\*\/(?=.)/, '/(?:.*/)?'],
  [/^\/\*\*$/, '/.+'],
  [/^\*+/, '[^/]*'],
  [/^\?/, '[^/]'],
];

const partAt = (pattern: string, at: number): { text: string; next: number } => {
  const rest = pattern.slice(at);
  for (const [form, text] of wildcards) {
    const found = form.exec(rest)?.[0];
    if (found !== undefined) return { text, next: at + found.length };
  }
  const bracket = rest.startsWith('[') ? bracketAt(pattern, at) : null;
  if (bracket !== null) return { text: bracket.text, next: bracket.end + 1 };
  if (rest.startsWith('\\') && rest.length > 1) return { text: literal(rest.charAt(1)), next: at + 2 };
  return { text: literal(rest.charAt(0)), next: at + 1 };
};

const expressionOf = (pattern: string): string => {
  let text = '';
  for (let at = 0; at < pattern.length; ) {
    const part = partAt(pattern, at);
    text += part.text;
    at = part.next;
  }
  return text;
};

const ruleOf = (line: string): IgnoreRules['rules'][number] | null => {
  const trimmed = line.replace(/\r$/, '').replace(/(?<!\\) +$/, '');
  if (trimmed === '' || trimmed.startsWith('#')) return null;
  const isNegated = trimmed.startsWith('!');
  const pattern = isNegated ? trimmed.slice(1) : trimmed;
  const isFolderOnly = pattern.endsWith('/');
  const body = isFolderOnly ? pattern.slice(0, -1) : pattern;
  // With a slash before its end it counts from the file's own folder; without, for a name at any depth.
  const isAnchored = body.includes('/');
  const anchored = body.replace(/^\//, '');
  const deep = /^\*\*\//.exec(anchored) !== null ? { text: '(?:.*/)?', rest: anchored.slice(3) } : { text: '', rest: anchored };
  const before = isAnchored ? deep.text : '(?:.*/)?';
  if (anchored === '') return null;
  try {
    return { matches: new RegExp(`^${before}${expressionOf(isAnchored ? deep.rest : body)}$`, 'su'), isNegated, isFolderOnly };
  } catch {
    // A pattern that makes no sense matches nothing, as for git.
    return null;
  }
};

/** The rules of the text of an ignore file. */
export const readIgnoreRules = (folder: string, text: string): IgnoreRules => ({
  folder,
  rules: text
    .split('\n')
    .map(ruleOf)
    .filter((rule) => rule !== null),
});

/** Whether a path (below the top, with slashes) is left out; the caller does not go into folders that are. The last rule that matches, of
 *  the file nearest to the path, decides. */
export const isIgnored = (files: readonly IgnoreRules[], path: string, isFolder: boolean): boolean => {
  for (const { folder, rules } of files.toReversed()) {
    if (!path.startsWith(folder)) continue;
    const inside = path.slice(folder.length);
    const rule = rules.findLast(({ matches, isFolderOnly }) => (isFolder || !isFolderOnly) && matches.test(inside));
    if (rule !== undefined) return !rule.isNegated;
  }
  return false;
};
