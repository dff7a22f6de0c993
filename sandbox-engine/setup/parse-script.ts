// Reads a bash script into the places of its commands: what stands on which lines, and where the next top-level group begins.
// It never decides what runs: bash does. A misreading can only misplace a marker, so it reads on where bash would complain.
import { createScanner, type Scanner } from './scan-words.ts';

/** A pipeline or a single command; offsets are UTF-16 units of the script, lines are 1-based, the end is inclusive. */
export interface ScriptCommand {
  start: number;
  end: number;
  line: number;
  lastLine: number;
  /** Names of the words of the first simple command as written; empty for a block. */
  words: string[];
  /** Words of every simple command of the pipeline, in order. */
  stages: string[][];
  /** How deep inside blocks, functions and substitutions. */
  depth: number;
  /** Name of the function it stands in, when it stands in one. */
  inFunction: string | null;
}

/** What bash reads before it runs anything of it: one or more commands, up to a line's end at top level. */
export interface ScriptGroup {
  line: number;
  lastLine: number;
  start: number;
  end: number;
}

export interface ParsedScript {
  groups: ScriptGroup[];
  commands: ScriptCommand[];
}

const closers = new Set(['then', 'do', 'done', 'fi', 'else', 'elif', 'esac', '}']);
const openers: Record<string, readonly string[]> = { if: ['fi'], while: ['done'], until: ['done'], for: ['done'], select: ['done'] };
const inner = new Set(['then', 'do', 'else', 'elif']);

interface State {
  scanner: Scanner;
  commands: ScriptCommand[];
  inFunction: string | null;
}

type Stop = (state: State) => boolean;

const record = (state: State, start: number, stages: string[][], depth: number): void => {
  const { scanner } = state;
  const end = scanner.lastTokenEnd();
  if (end <= start) return;
  const words = stages[0] ?? [];
  const place = { start, end, line: scanner.lineAt(start), lastLine: scanner.lineAt(end - 1) };
  state.commands.push({ ...place, words, stages, depth, inFunction: state.inFunction });
};

/** Reads the list between a block's words until its closing word; the words between (`then`, `do`) are stepped over. */
const readBlock = (state: State, closing: readonly string[], depth: number): void => {
  const { scanner } = state;
  for (;;) {
    readList(state, (at) => closers.has(at.scanner.peekWord()), depth + 1);
    const word = scanner.peekWord();
    if (word === '') return;
    scanner.word(depth);
    if (closing.includes(word)) return;
    if (!inner.has(word)) continue;
  }
};

const readCase = (state: State, depth: number): void => {
  const { scanner } = state;
  scanner.word(depth);
  scanner.skipSpace();
  if (scanner.peekWord() === 'in') scanner.word(depth);
  for (;;) {
    scanner.skipSpace();
    if (scanner.isAtEnd()) return;
    if (scanner.peekWord() === 'esac') {
      scanner.word(depth);
      return;
    }
    scanner.skipPattern();
    readList(state, (at) => at.scanner.startsWith(';;') || at.scanner.startsWith(';&') || at.scanner.peekWord() === 'esac', depth + 1);
    scanner.takeAny([';;&', ';;', ';&']);
  }
};

const readFunctionBody = (state: State, name: string, depth: number): string[][] => {
  const outside = state.inFunction;
  state.inFunction = name;
  state.scanner.skipSpace();
  const stages = readCommand(state, depth);
  state.inFunction = outside;
  return stages;
};

const readCompound = (state: State, word: string, depth: number): boolean => {
  const { scanner } = state;
  const closing = openers[word];
  if (closing !== undefined) {
    scanner.word(depth);
    if (word === 'for' || word === 'select') scanner.skipForHead();
    readBlock(state, closing, depth);
    return true;
  }
  if (word === '{') {
    scanner.word(depth);
    readBlock(state, ['}'], depth);
    return true;
  }
  if (word !== 'case' && word !== '[[') return false;
  scanner.word(depth);
  if (word === 'case') readCase(state, depth);
  else scanner.skipTest();
  return true;
};

const readSubshell = (state: State, depth: number): void => {
  const { scanner } = state;
  if (scanner.startsWith('((') && scanner.takeArithmetic()) return;
  scanner.takeAny(['(']);
  readList(state, (at) => at.scanner.startsWith(')'), depth + 1);
  scanner.takeAny([')']);
};

/** Words and redirections up to the command's end; a function's parentheses end them too. */
const readWords = ({ scanner }: State, depth: number): { words: string[]; isFunction: boolean } => {
  const words: string[] = [];
  for (;;) {
    scanner.skipBlank();
    if (scanner.takeRedirect(depth)) continue;
    if (words.length === 1 && !words[0]?.endsWith('=') && scanner.takeFunctionParens()) return { words, isFunction: true };
    // An array value: NAME=( … ).
    if (scanner.startsWith('(') && words.at(-1)?.endsWith('=')) scanner.takeArray(depth);
    else if (scanner.isAtWord()) words.push(scanner.word(depth));
    else return { words, isFunction: false };
  }
};

const readSimple = (state: State, depth: number): string[][] => {
  const { words, isFunction } = readWords(state, depth);
  if (isFunction) return readFunctionBody(state, words[0] ?? '', depth);
  return words.length === 0 ? [] : [words];
};

const readFunction = (state: State, depth: number): string[][] => {
  const { scanner } = state;
  scanner.word(depth);
  scanner.skipBlank();
  const name = scanner.word(depth);
  scanner.skipBlank();
  scanner.takeFunctionParens();
  return readFunctionBody(state, name, depth);
};

const readPrefixed = (state: State, depth: number): string[][] => {
  const { scanner } = state;
  scanner.word(depth);
  scanner.skipBlank();
  return scanner.isAtWord() || scanner.startsWith('(') ? readCommand(state, depth) : [];
};

const prefixes = new Set(['!', 'time', 'coproc']);

const readCommand = (state: State, depth: number): string[][] => {
  const { scanner } = state;
  const word = scanner.peekWord();
  if (word === 'function') return readFunction(state, depth);
  if (prefixes.has(word)) return readPrefixed(state, depth);
  if (scanner.startsWith('(')) readSubshell(state, depth);
  else if (!readCompound(state, word, depth)) return readSimple(state, depth);
  do scanner.skipBlank();
  while (scanner.takeRedirect(depth));
  return [];
};

/** One pipeline after another, joined by `&&` and `||`. */
const readAndOr = (state: State, depth: number): void => {
  const { scanner } = state;
  for (;;) {
    const start = scanner.position();
    const stages: string[][] = [];
    do {
      scanner.skipSpace();
      stages.push(...readCommand(state, depth));
      scanner.skipBlank();
    } while (!scanner.startsWith('||') && scanner.takeAny(['|&', '|']));
    record(state, start, stages, depth);
    if (!scanner.takeAny(['&&', '||'])) return;
    scanner.skipSpace();
  }
};

const readList = (state: State, isOver: Stop, depth: number): void => {
  const { scanner } = state;
  for (;;) {
    scanner.skipSpace();
    if (scanner.isAtEnd() || isOver(state)) return;
    const before = scanner.position();
    readAndOr(state, depth);
    scanner.skipBlank();
    if (!isOver(state)) scanner.takeAny([';', '&']);
    // What no rule knows is stepped over, so that reading always ends.
    if (scanner.position() === before) scanner.step();
  }
};

/** Reads the whole script; never throws: what nests too deep to be read is left out. */
export const parseScript = (script: string): ParsedScript => {
  const commands: ScriptCommand[] = [];
  const groups: ScriptGroup[] = [];
  try {
    readGroups(script, groups, commands);
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
  }
  return { groups, commands };
};

const readGroups = (script: string, groups: ScriptGroup[], commands: ScriptCommand[]): void => {
  const scanner = createScanner(script, (from, to, depth) => {
    const state: State = { scanner: from, commands, inFunction: null };
    readList(state, (at) => at.scanner.startsWith(to), depth + 1);
  });
  const state: State = { scanner, commands, inFunction: null };
  for (scanner.skipSpace(); !scanner.isAtEnd(); scanner.skipSpace()) {
    const start = scanner.position();
    do {
      const before = scanner.position();
      readAndOr(state, 0);
      scanner.skipBlank();
      scanner.takeAny([';', '&']);
      scanner.skipBlank();
      if (scanner.position() === before) scanner.step();
    } while (!scanner.isAtEnd() && !scanner.isAtLineEnd());
    const end = scanner.position();
    groups.push({ start, end, line: scanner.lineAt(start), lastLine: scanner.lineAt(Math.max(start, scanner.endOfHeredocs(end) - 1)) });
  }
};
