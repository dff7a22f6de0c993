// Steps through a bash script by words with their quotes and by redirections with their here-documents.
// Knows words, not grammar: what is inside of a substitution it hands back to the parser.
import {
  heredocsEnd,
  isOver,
  lineOf,
  moveTo,
  openCursor,
  peek,
  type ScriptCursor,
  skipArithmetic,
  skipBlank,
  skipComment,
  skipEscaped,
  skipPast,
  skipSpace,
  takeLineEnd,
  takeMatch,
} from './script-cursor.ts';

/** Reads the list inside of a substitution that ends in `to`. */
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
  /** End of the last word, bracket or redirection taken. */
  lastTokenEnd: () => number;
  lineAt: (offset: number) => number;
}

/** The cursor with the way back to the parser. */
interface Pen {
  cursor: ScriptCursor;
  readInner: (to: string, depth: number) => void;
}

const metacharacters = new Set([' ', '\t', '\n', ';', '&', '|', '<', '>', '(', ')']);
const redirect = /(?:\{[A-Za-z_]\w*\}|\d+)?(?:<<<|<<-|<<|<>|<&|>>|>\||>&|&>>|&>|<|>)/y;

const isSubstitution = (cursor: ScriptCursor): boolean => (peek(cursor) === '<' || peek(cursor) === '>') && peek(cursor, 1) === '(';

const skipInner = ({ cursor, readInner }: Pen, opening: number, depth: number): void => {
  cursor.at += opening;
  readInner(')', depth);
  cursor.at += 1;
};

const skipUntil = (pen: Pen, closing: string, depth: number): void => {
  while (!isOver(pen.cursor) && peek(pen.cursor) !== closing) skipPiece(pen, depth);
};

const skipDouble = (pen: Pen, depth: number): void => {
  const { cursor } = pen;
  cursor.at += 1;
  while (!isOver(cursor) && peek(cursor) !== '"') {
    if ('$`\\'.includes(peek(cursor))) skipPiece(pen, depth);
    else cursor.at += 1;
  }
  cursor.at += 1;
};

const skipDollar = (pen: Pen, depth: number): void => {
  const { cursor } = pen;
  cursor.at += 1;
  if (cursor.text.startsWith('((', cursor.at) && skipArithmetic(cursor)) return;
  const next = peek(cursor);
  if (next === '(') skipInner(pen, 1, depth);
  if (next === '{') {
    cursor.at += 1;
    skipUntil(pen, '}', depth);
    cursor.at += 1;
  }
  if (next !== "'") return;
  cursor.at += 1;
  skipEscaped(cursor, "'");
};

/** One character with all that belongs to it: a quote to its end, a substitution to its end. */
const skipPiece = (pen: Pen, depth: number): void => {
  const { cursor } = pen;
  const character = peek(cursor);
  if (character === '$') return void skipDollar(pen, depth);
  if (character === '"') return void skipDouble(pen, depth);
  cursor.at += character === '\\' ? 2 : 1;
  if (character === "'") skipPast(cursor, "'");
  if (character === '`') skipEscaped(cursor, '`');
};

const skipParens = (pen: Pen, depth: number): void => {
  const { cursor } = pen;
  cursor.at += 1;
  while (!isOver(cursor) && peek(cursor) !== ')') {
    if (peek(cursor) === '#' && /\s/.test(peek(cursor, -1))) skipComment(cursor);
    else if (peek(cursor) === '(') skipParens(pen, depth);
    else skipPiece(pen, depth);
  }
  moveTo(cursor, cursor.at + 1);
};

const isExtendedPattern = (cursor: ScriptCursor, start: number): boolean =>
  peek(cursor) === '(' && cursor.at > start && '@?*+!'.includes(peek(cursor, -1));

const takeWord = (pen: Pen, depth: number): string => {
  const { cursor } = pen;
  const start = cursor.at;
  while (!isOver(cursor)) {
    if (isSubstitution(cursor)) skipInner(pen, 2, depth);
    else if (!metacharacters.has(peek(cursor))) skipPiece(pen, depth);
    else if (isExtendedPattern(cursor, start)) skipParens(pen, depth);
    else break;
  }
  moveTo(cursor, cursor.at);
  return cursor.text.slice(start, cursor.at).replaceAll('\\\n', '');
};

const takeRedirect = (pen: Pen, depth: number): boolean => {
  const { cursor } = pen;
  const found = isSubstitution(cursor) ? null : takeMatch(cursor, redirect);
  if (found === null) return false;
  skipBlank(cursor);
  const target = takeWord(pen, depth);
  if (/(?<!<)<<-?$/.test(found)) cursor.waiting.push({ word: target.replace(/['"\\]/g, ''), stripsTabs: found.endsWith('-') });
  return true;
};

const skipForHead = (pen: Pen): void => {
  const { cursor } = pen;
  skipBlank(cursor);
  if (cursor.text.startsWith('((', cursor.at) && skipArithmetic(cursor)) return;
  while (!isOver(cursor) && peek(cursor) !== ';' && peek(cursor) !== '\n') skipPiece(pen, 0);
  if (peek(cursor) === ';') cursor.at += 1;
};

const skipTest = (pen: Pen): void => {
  const { cursor } = pen;
  while (!isOver(cursor) && !/^\s\]\]/.test(cursor.text.slice(cursor.at, cursor.at + 3))) skipPiece(pen, 0);
  moveTo(cursor, cursor.at + 3);
};

const skipPattern = (pen: Pen): void => {
  const { cursor } = pen;
  if (peek(cursor) === '(') cursor.at += 1;
  skipUntil(pen, ')', 0);
  moveTo(cursor, cursor.at + 1);
};

const bareWord = /^(?:[A-Za-z]+|\{|\}|!|\[\[)(?=[\s;&|<>()]|$)/;

/** Makes a scanner over the text, at its beginning. */
export const createScanner = (text: string, readInner: ReadInner): Scanner => {
  const cursor = openCursor(text);
  const pen: Pen = { cursor, readInner: (to, depth) => readInner(scanner, to, depth) };
  const startsWith = (piece: string): boolean => text.startsWith(piece, cursor.at);
  const scanner: Scanner = {
    position: () => cursor.at,
    step: () => (peek(cursor) === '\n' ? takeLineEnd(cursor) : moveTo(cursor, cursor.at + 1)),
    isAtEnd: () => isOver(cursor),
    isAtLineEnd: () => peek(cursor) === '\n',
    isAtWord: () => !isOver(cursor) && (!metacharacters.has(peek(cursor)) || isSubstitution(cursor)),
    startsWith,
    peekWord: () => bareWord.exec(text.slice(cursor.at, cursor.at + 12))?.[0] ?? '',
    word: (depth) => takeWord(pen, depth),
    skipBlank: () => skipBlank(cursor),
    skipSpace: () => skipSpace(cursor),
    takeAny: (texts) => {
      const found = texts.find(startsWith);
      if (found !== undefined) moveTo(cursor, cursor.at + found.length);
      return found !== undefined;
    },
    takeRedirect: (depth) => takeRedirect(pen, depth),
    takeFunctionParens: () => takeMatch(cursor, /[ \t]*\([ \t]*\)/y) !== null,
    takeArithmetic: () => {
      const taken = skipArithmetic(cursor);
      if (taken) moveTo(cursor, cursor.at);
      return taken;
    },
    takeArray: (depth) => skipParens(pen, depth),
    skipPattern: () => skipPattern(pen),
    skipForHead: () => skipForHead(pen),
    skipTest: () => skipTest(pen),
    endOfHeredocs: (end) => (cursor.waiting.length === 0 ? end : heredocsEnd(cursor, end + 1)),
    lastTokenEnd: () => cursor.tokenEnd,
    lineAt: (offset) => lineOf(cursor, offset),
  };
  return scanner;
};
