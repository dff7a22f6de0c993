// Says what `.gitignore` files leave out, without asking any git: the folder may be anybody's. Pure.
// Source: gitignore(5), "PATTERN FORMAT".

/** The rules of one ignore file. `folder` is where it stands, with a slash at its end; empty at the top. */
export interface IgnoreRules {
  folder: string;
  rules: { matches: (parts: readonly Part[]) => boolean; isNegated: boolean; isFolderOnly: boolean }[];
}

/** A part of a path, letter by letter. */
type Part = readonly string[];
/** A letter, letters to choose from, or null for any number of any letters. */
type Token = string | RegExp | null;

/** Longer patterns are none: nobody writes them by hand. */
const mostInLine = 1_000;
const anyLetter = /^.$/su;

/** Whether things fit pieces, where null stands for any number of things. It goes back to the last null only, so it takes no longer than
 *  one length times the other. */
const fits = <Piece, Thing>(
  pieces: readonly (Piece | null)[],
  things: readonly Thing[],
  doesFit: (piece: Piece, thing: Thing) => boolean,
) => {
  let [at, place, many, from] = [0, 0, -1, 0];
  while (place < things.length) {
    const piece = pieces[at];
    if (piece === null) [many, from, at] = [at, place, at + 1];
    else if (piece !== undefined && doesFit(piece, things[place] as Thing)) [at, place] = [at + 1, place + 1];
    else if (many < 0) return false;
    else {
      from += 1;
      [at, place] = [many + 1, from];
    }
  }
  return pieces.slice(at).every((piece) => piece === null);
};

const fitsLetter = (token: string | RegExp, letter: string): boolean => (typeof token === 'string' ? token === letter : token.test(letter));
const fitsPart = (tokens: readonly Token[], part: Part): boolean => fits(tokens, part, fitsLetter);

/** A bracket expression at the place, as a regular expression of one letter, and where it ends; null when it never does. */
const bracketAt = (pattern: string, at: number): { token: RegExp; next: number } | null => {
  const isNegated = /[!^]/.test(pattern[at + 1] ?? '');
  const from = at + (isNegated ? 2 : 1);
  const end = pattern.indexOf(']', from + 1);
  if (end < 0) return null;
  const inner = pattern
    .slice(from, end)
    .replace(/\\(?![\]\\-])/g, '')
    .replace(/[[\]\\^]/g, '\\$&');
  return { token: new RegExp(`^[${isNegated ? '^' : ''}${inner}]$`, 'su'), next: end + 1 };
};

const tokenAt = (pattern: string, at: number): { token: Token; next: number } => {
  const first = pattern.charAt(at);
  if (first === '*') return { token: null, next: at + 1 };
  if (first === '?') return { token: anyLetter, next: at + 1 };
  const bracket = first === '[' ? bracketAt(pattern, at) : null;
  if (bracket !== null) return bracket;
  const from = first === '\\' && at + 1 < pattern.length ? at + 1 : at;
  const letter = String.fromCodePoint(pattern.codePointAt(from) ?? 0);
  return { token: letter, next: from + letter.length };
};

/** The parts of a pattern between its slashes; null for `**`, which is any number of parts, and at the end at least one. */
const partsOf = (pattern: string): (Token[] | null)[] => {
  const parts: Token[][] = [[]];
  for (let at = 0; at < pattern.length; ) {
    const { token, next } = tokenAt(pattern, at);
    if (token === '/') parts.push([]);
    else parts.at(-1)?.push(token);
    at = next;
  }
  return parts.flatMap((part, index) => {
    const isDeep = part.length > 1 && part.every((token) => token === null);
    if (!isDeep) return [part];
    return index < parts.length - 1 ? [null] : [null, [null]];
  });
};

/** A line without the spaces at its end that no backslash keeps. */
const trimmedLine = (line: string): string => {
  const text = line.replace(/\r$/, '');
  let end = text.length;
  while (text[end - 1] === ' ' && text[end - 2] !== '\\') end -= 1;
  return text.slice(0, end);
};

const ruleOf = (line: string): IgnoreRules['rules'][number] | null => {
  const trimmed = line.length > mostInLine ? '' : trimmedLine(line);
  if (trimmed === '' || trimmed.startsWith('#')) return null;
  const isNegated = trimmed.startsWith('!');
  const pattern = isNegated ? trimmed.slice(1) : trimmed;
  const isFolderOnly = pattern.endsWith('/');
  const body = isFolderOnly ? pattern.slice(0, -1) : pattern;
  const anchored = body.replace(/^\//, '');
  if (anchored === '') return null;
  try {
    // With a slash before its end it counts from the file's own folder; without, for a name at any depth.
    const wanted = body.includes('/') ? partsOf(anchored) : [null, ...partsOf(body)];
    return { matches: (parts) => fits(wanted, parts, fitsPart), isNegated, isFolderOnly };
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
    const inside = path
      .slice(folder.length)
      .split('/')
      .map((part) => [...part]);
    const rule = rules.findLast(({ matches, isFolderOnly }) => (isFolder || !isFolderOnly) && matches(inside));
    if (rule !== undefined) return !rule.isNegated;
  }
  return false;
};
