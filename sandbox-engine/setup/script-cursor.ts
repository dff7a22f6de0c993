// A place in the text of a bash script, and the steps that need no grammar: lines, comments, here-documents, brackets.

interface Heredoc {
  word: string;
  stripsTabs: boolean;
}

export interface ScriptCursor {
  text: string;
  at: number;
  /** End of the last word, bracket or redirection that was taken. */
  tokenEnd: number;
  /** Here-documents that begin after this line. */
  waiting: Heredoc[];
  lineStarts: number[];
}

const findLineStarts = (text: string): number[] => {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
};

/** A cursor at the beginning of the text. */
export const openCursor = (text: string): ScriptCursor => ({ text, at: 0, tokenEnd: 0, waiting: [], lineStarts: findLineStarts(text) });

export const peek = ({ text, at }: ScriptCursor, offset = 0): string => text[at + offset] ?? '';

export const isOver = ({ text, at }: ScriptCursor): boolean => at >= text.length;

export const moveTo = (cursor: ScriptCursor, to: number): void => {
  cursor.at = Math.min(to, cursor.text.length);
  cursor.tokenEnd = cursor.at;
};

/** The 1-based line of an offset. */
export const lineOf = ({ lineStarts }: ScriptCursor, offset: number): number => {
  let [low, high] = [0, lineStarts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((lineStarts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low + 1;
};

const oneHeredocEnd = (text: string, from: number, { word, stripsTabs }: Heredoc): number => {
  let position = from;
  while (position < text.length) {
    const next = text.indexOf('\n', position);
    const end = next < 0 ? text.length : next;
    const line = text.slice(position, end);
    position = Math.min(end + 1, text.length);
    if ((stripsTabs ? line.replace(/^\t+/, '') : line) === word) return position;
  }
  return position;
};

/** Where the waiting here-documents end that begin at `from`. */
export const heredocsEnd = ({ text, waiting }: ScriptCursor, from: number): number =>
  waiting.reduce((position, heredoc) => oneHeredocEnd(text, position, heredoc), from);

export const takeLineEnd = (cursor: ScriptCursor): void => {
  cursor.at = cursor.waiting.length === 0 ? cursor.at + 1 : heredocsEnd(cursor, cursor.at + 1);
  cursor.waiting = [];
};

export const skipComment = (cursor: ScriptCursor): void => {
  const end = cursor.text.indexOf('\n', cursor.at);
  cursor.at = end < 0 ? cursor.text.length : end;
};

/** Blanks, continuations, and a comment where one may begin. */
export const skipBlank = (cursor: ScriptCursor): void => {
  for (;;) {
    if (peek(cursor) === ' ' || peek(cursor) === '\t') cursor.at += 1;
    else if (cursor.text.startsWith('\\\n', cursor.at)) cursor.at += 2;
    else break;
  }
  if (peek(cursor) === '#') skipComment(cursor);
};

/** Blanks, line ends with their here-documents, comments. */
export const skipSpace = (cursor: ScriptCursor): void => {
  for (skipBlank(cursor); peek(cursor) === '\n'; skipBlank(cursor)) takeLineEnd(cursor);
};

/** Past the next `closing`, or to the end. */
export const skipPast = (cursor: ScriptCursor, closing: string): void => {
  const end = cursor.text.indexOf(closing, cursor.at);
  cursor.at = end < 0 ? cursor.text.length : end + closing.length;
};

/** Past the next `closing` without a backslash before it. */
export const skipEscaped = (cursor: ScriptCursor, closing: string): void => {
  const { text } = cursor;
  while (cursor.at < text.length && text[cursor.at] !== closing) cursor.at += text[cursor.at] === '\\' ? 2 : 1;
  cursor.at += 1;
};

/** Past `(( … ))`; stays when it is something else, as two subshells are. */
export const skipArithmetic = (cursor: ScriptCursor): boolean => {
  const { text, at } = cursor;
  let open = 0;
  for (let position = at; position < text.length; position += 1) {
    if (text[position] === '(') open += 1;
    if (text[position] === ')') open -= 1;
    if (open > 0) continue;
    if (text[position - 1] !== ')') return false;
    cursor.at = position + 1;
    return true;
  }
  return false;
};

/** Takes what the sticky pattern finds here. */
export const takeMatch = (cursor: ScriptCursor, pattern: RegExp): string | null => {
  pattern.lastIndex = cursor.at;
  const found = pattern.exec(cursor.text)?.[0] ?? null;
  if (found !== null) moveTo(cursor, cursor.at + found.length);
  return found;
};
