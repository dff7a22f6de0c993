// Steps through the text of a bash script: words with their quotes, redirections with their here-documents, comments, blanks.
// Knows characters, not grammar: what is inside a substitution it hands back to the parser.

/** Reads the list inside a substitution that ends in `to`. */
export type ReadInner = (scanner: Scanner, to: string, depth: number) => void;

export interface Scanner {
  position: () => number;
  step: () => void;
  isAtEnd: () => boolean;
  isAtLineEnd: () => boolean;
  isAtWord: () => boolean;
  startsWith: (text: string) => boolean;
  /** The bare word here (letters and `[]{}!`), without moving; '' when there is none. */
  peekWord: () => string;
  /** Takes one word with its quotes and answers it as written. */
  word: (depth: number) => string;
  skipBlank: () => void;
  /** Blanks, line ends, comments. Line ends take here-documents that wait. */
  skipSpace: () => void;
  takeAny: (texts: readonly string[]) => boolean;
  takeRedirect: (depth: number) => boolean;
  takeFunctionParens: () => boolean;
  takeArithmetic: () => boolean;
  takeArray: (depth: number) => void;
  skipPattern: () => void;
  skipForHead: () => void;
  skipTest: () => void;
  /** Where the here-documents end that the line ending at `end` began. */
  endOfHeredocs: (end: number) => number;
  /** End of the last word, bracket or here-document taken. */
  lastTokenEnd: () => number;
  lineAt: (offset: number) => number;
}

const metacharacters = new Set([' ', '\t', '\n', ';', '&', '|', '<', '>', '(', ')']);
const redirect = /(?:\{[A-Za-z_]\w*\}|\d+)?(?:<<<|<<-|<<|<>|<&|>>|>\||>&|&>>|&>|<|>)/y;

const lineStarts = (text: string): number[] => {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
};

/** Makes a scanner over the text, at its beginning. */
export const createScanner = (text: string, readInner: ReadInner): Scanner => {
  const starts = lineStarts(text);
  let at = 0;
  let tokenEnd = 0;
  let waiting: { word: string; stripsTabs: boolean }[] = [];

  const peek = (offset = 0): string => text[at + offset] ?? '';
  const startsWith = (piece: string): boolean => text.startsWith(piece, at);
  const moveTo = (to: number): void => {
    at = Math.min(to, text.length);
    tokenEnd = at;
  };

  const lineAt = (offset: number): number => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };

  const heredocsEnd = (from: number): number => {
    let position = from;
    for (const { word, stripsTabs } of waiting) {
      while (position < text.length) {
        const next = text.indexOf('\n', position);
        const end = next < 0 ? text.length : next;
        const line = text.slice(position, end);
        position = Math.min(end + 1, text.length);
        if ((stripsTabs ? line.replace(/^\t+/, '') : line) === word) break;
      }
    }
    return position;
  };

  const takeLineEnd = (): void => {
    at += 1;
    if (waiting.length === 0) return;
    at = heredocsEnd(at);
    waiting = [];
  };

  const skipTo = (closing: string): void => {
    const end = text.indexOf(closing, at);
    at = end < 0 ? text.length : end + closing.length;
  };

  const skipEscaped = (closing: string): void => {
    while (at < text.length && text[at] !== closing) at += text[at] === '\\' ? 2 : 1;
    at += 1;
  };

  const skipBraces = (depth: number): void => {
    while (at < text.length && text[at] !== '}') skipPiece(depth);
    at += 1;
  };

  const skipDouble = (depth: number): void => {
    at += 1;
    while (at < text.length && text[at] !== '"') {
      if (text[at] === '$' || text[at] === '`' || text[at] === '\\') skipPiece(depth);
      else at += 1;
    }
    at += 1;
  };

  const skipArithmetic = (): boolean => {
    let open = 0;
    for (let position = at; position < text.length; position += 1) {
      if (text[position] === '(') open += 1;
      if (text[position] === ')') open -= 1;
      if (open !== 0) continue;
      if (text[position - 1] !== ')') return false;
      at = position + 1;
      return true;
    }
    return false;
  };

  const skipDollar = (depth: number): void => {
    at += 1;
    if (startsWith('((') && skipArithmetic()) return;
    if (peek() === '(') {
      at += 1;
      readInner(self, ')', depth);
      at += 1;
    } else if (peek() === '{') {
      at += 1;
      skipBraces(depth);
    } else if (peek() === "'") {
      at += 1;
      skipEscaped("'");
    }
  };

  /** One character with all that belongs to it: a quote to its end, a substitution to its end. */
  const skipPiece = (depth: number): void => {
    const character = peek();
    if (character === '\\') at += 2;
    else if (character === "'") {
      at += 1;
      skipTo("'");
    } else if (character === '"') skipDouble(depth);
    else if (character === '`') {
      at += 1;
      skipEscaped('`');
    } else if (character === '$') skipDollar(depth);
    else at += 1;
  };

  const isSubstitution = (): boolean => (peek() === '<' || peek() === '>') && peek(1) === '(';

  const word = (depth: number): string => {
    const start = at;
    while (at < text.length) {
      if (isSubstitution()) {
        at += 2;
        readInner(self, ')', depth);
        at += 1;
      } else if (metacharacters.has(peek())) {
        // An extended pattern: @(a|b).
        if (peek() !== '(' || at === start || !'@?*+!'.includes(text[at - 1] ?? ' ')) break;
        skipArray(depth);
      } else skipPiece(depth);
    }
    moveTo(at);
    return text.slice(start, at).replaceAll('\\\n', '');
  };

  const skipArray = (depth: number): void => {
    at += 1;
    while (at < text.length && peek() !== ')') {
      if (peek() === '#' && /\s/.test(text[at - 1] ?? '')) skipComment();
      else if (peek() === '(') skipArray(depth);
      else skipPiece(depth);
    }
    moveTo(at + 1);
  };

  const skipComment = (): void => {
    const end = text.indexOf('\n', at);
    at = end < 0 ? text.length : end;
  };

  const skipBlank = (): void => {
    for (;;) {
      if (peek() === ' ' || peek() === '\t') at += 1;
      else if (startsWith('\\\n')) at += 2;
      else if (peek() === '#') return skipComment();
      else return;
    }
  };

  const skipSpace = (): void => {
    for (skipBlank(); peek() === '\n'; skipBlank()) takeLineEnd();
  };

  const takeRedirect = (depth: number): boolean => {
    if (isSubstitution()) return false;
    redirect.lastIndex = at;
    const found = redirect.exec(text)?.[0];
    if (found === undefined) return false;
    moveTo(at + found.length);
    skipBlank();
    const target = word(depth);
    if (/(?<!<)<<-?$/.test(found)) waiting.push({ word: target.replace(/['"\\]/g, ''), stripsTabs: found.endsWith('-') });
    return true;
  };

  const takeMatch = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found === undefined) return false;
    moveTo(at + found.length);
    return true;
  };

  const self: Scanner = {
    position: () => at,
    step: () => (peek() === '\n' ? takeLineEnd() : moveTo(at + 1)),
    isAtEnd: () => at >= text.length,
    isAtLineEnd: () => peek() === '\n',
    isAtWord: () => at < text.length && (!metacharacters.has(peek()) || isSubstitution()),
    startsWith,
    peekWord: () => /^(?:[A-Za-z]+|\{|\}|!|\[\[)(?=[\s;&|<>()]|$)/.exec(text.slice(at, at + 12))?.[0] ?? '',
    word,
    skipBlank,
    skipSpace,
    takeAny: (texts) => {
      const found = texts.find(startsWith);
      if (found === undefined) return false;
      moveTo(at + found.length);
      return true;
    },
    takeRedirect,
    takeFunctionParens: () => takeMatch(/[ \t]*\([ \t]*\)/y),
    takeArithmetic: () => {
      const taken = skipArithmetic();
      if (taken) moveTo(at);
      return taken;
    },
    takeArray: skipArray,
    skipPattern: () => {
      if (peek() === '(') at += 1;
      while (at < text.length && peek() !== ')') skipPiece(0);
      moveTo(at + 1);
    },
    skipForHead: () => {
      skipBlank();
      if (startsWith('((') && skipArithmetic()) return;
      while (at < text.length && peek() !== ';' && peek() !== '\n') skipPiece(0);
      if (peek() === ';') at += 1;
    },
    skipTest: () => {
      while (at < text.length && !/^\s\]\]/.test(text.slice(at, at + 3))) skipPiece(0);
      moveTo(at + 3);
    },
    endOfHeredocs: (end) => (waiting.length === 0 ? end : heredocsEnd(end + 1)),
    lastTokenEnd: () => tokenEnd,
    lineAt,
  };
  return self;
};
