// Where the lines of a log stand when long ones go on below, in a room so many letters wide; and which pieces of a line look alike. Pure.
import type { LogSpan, LogText } from './log-text.ts';

/** A row is a piece of a line: from its character `from` until before `to`. */
export interface LogRow {
  line: number;
  from: number;
  to: number;
}

export interface LogRows {
  /** Takes in what is new in the log, or another width. */
  layOut: (columns: number) => void;
  /** How many rows there are. */
  count: () => number;
  row: (index: number) => LogRow;
  /** The row in which a line's character stands. */
  rowOf: (line: number, character?: number) => number;
}

/** Letters that take two columns. */
const wide = /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\ud83c-\ud83e]/;

/** Where the word begins that has no room any more and would fit into the next row; null where it is too long for a whole one, or where
 *  nothing but blanks would be left. */
const wordToMove = (text: string, at: number, room: number, below: number): number | null => {
  const blank = text.slice(at, at + room + 1).lastIndexOf(' ');
  if (blank < 0 || text.slice(at, at + blank).trim() === '') return null;
  const begin = at + blank + 1;
  return text.length - begin <= below || text.slice(begin, begin + below + 1).includes(' ') ? begin : null;
};

/** Letters of a word that is broken: up to the last part of a path, unless that would leave half of the row empty. */
const piece = (text: string, at: number, room: number): number => {
  const slash = text.slice(at, at + room).lastIndexOf('/') + 1;
  return slash > room / 2 ? slash : room;
};

/** Where the rows of a long line begin: after a blank; within a word only when no row is long enough for it. */
const beginnings = (text: string, width: number, indent: number): number[] => {
  const begins = [0];
  const below = Math.max(1, width - indent);
  let [at, room] = [0, width];
  while (text.length - at > room) {
    at = wordToMove(text, at, room, below) ?? at + piece(text, at, room);
    room = below;
    // Nothing but the blank was left.
    if (at < text.length) begins.push(at);
  }
  return begins;
};

const oneRow = [0];

/** Where the rows of each line begin; only those that take more than one are kept. */
const createBreaks = (log: LogText, indent: number) => {
  const narrow = new Set<number>();
  const kept = new Map<number, number[]>();
  return {
    of: (line: number): number[] => kept.get(line) ?? oneRow,
    /** Answers how many rows it takes. */
    breakUp: (line: number, columns: number, isChanged: boolean): number => {
      const text = log.line(line);
      kept.delete(line);
      if (isChanged && wide.test(text)) narrow.add(line);
      const width = narrow.has(line) ? Math.max(1, columns >> 1) : columns;
      if (text.length <= width) return 1;
      const found = beginnings(text, width, indent);
      kept.set(line, found);
      return found.length;
    },
  };
};

/** Rows of this log; the last line is left out while it is empty. `indent`: letters by which what goes on below is moved in. */
export const createLogRows = (log: LogText, indent = 2): LogRows => {
  /** The first row of each line, and last the number of all rows. */
  const firsts: number[] = [0];
  const breaks = createBreaks(log, indent);
  let width = 0;
  const count = (): number => {
    const last = log.count() - 1;
    return log.line(last) === '' ? (firsts[last] ?? 0) : (firsts[last + 1] ?? 0);
  };
  const lineOfRow = (row: number): number => {
    let [low, high] = [0, log.count() - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((firsts[middle] ?? 0) <= row) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  return {
    layOut: (columns) => {
      const changed = log.takeChanged();
      const from = columns === width ? Math.min(changed, log.count()) : 0;
      width = columns;
      firsts.length = from + 1;
      for (let line = from; line < log.count(); line += 1) firsts.push((firsts[line] ?? 0) + breaks.breakUp(line, width, line >= changed));
    },
    count,
    row: (index) => {
      const line = lineOfRow(index);
      const place = index - (firsts[line] ?? 0);
      const rows = breaks.of(line);
      return { line, from: rows[place] ?? 0, to: rows[place + 1] ?? log.line(line).length };
    },
    rowOf: (line, character = 0) =>
      (firsts[line] ?? 0) +
      Math.max(
        0,
        breaks.of(line).findLastIndex((from) => from <= character),
      ),
  };
};

/** A part of a line that stands out: an address, or what was searched for. */
export interface LogHighlight {
  from: number;
  to: number;
  kind: 'link' | 'match' | 'current';
}

export interface LogPiece {
  text: string;
  className: string;
  link: boolean;
}

const classAt = (spans: readonly LogSpan[], place: number): string => spans.findLast(({ from }) => from <= place)?.className ?? '';

/** The row in pieces, each of one look. */
export const cutRow = (text: string, row: LogRow, spans: readonly LogSpan[], highlights: readonly LogHighlight[]): LogPiece[] => {
  const cuts = [...spans.map(({ from }) => from), ...highlights.flatMap(({ from, to }) => [from, to])].filter(
    (place) => place > row.from && place < row.to,
  );
  const edges = [row.from, ...new Set(cuts.sort((a, b) => a - b)), row.to];
  return edges.slice(0, -1).map((from, index) => {
    const over = highlights.filter((one) => one.from <= from && from < one.to).map(({ kind }) => kind);
    const marked = over.filter((kind) => kind !== 'link').map((kind) => `is-${kind}`);
    return {
      text: text.slice(from, edges[index + 1]),
      className: [classAt(spans, from), ...marked].filter(Boolean).join(' '),
      link: over.includes('link'),
    };
  });
};
