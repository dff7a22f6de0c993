// Where a text stands in a log, in any case of letters. Pure.
import type { LogText } from './log-text.ts';

export interface LogMatch {
  line: number;
  from: number;
  to: number;
}

/** Beyond this matches are not counted. */
const mostMatches = 10_000;

/** The places of a text in the lines; none of an empty text. */
export const findInLog = (log: Pick<LogText, 'count' | 'line'>, query: string): LogMatch[] => {
  const wanted = query.toLowerCase();
  const found: LogMatch[] = [];
  if (wanted === '') return found;
  for (let line = 0; line < log.count() && found.length < mostMatches; line += 1) {
    const text = log.line(line).toLowerCase();
    for (let from = text.indexOf(wanted); from >= 0 && found.length < mostMatches; from = text.indexOf(wanted, from + wanted.length)) {
      found.push({ line, from, to: from + wanted.length });
    }
  }
  return found;
};

/** The next match after a place, or before it; around the end it goes on at the beginning. */
export const nextMatch = (matches: readonly LogMatch[], at: Pick<LogMatch, 'line' | 'from'> | null, isBackwards: boolean): number => {
  if (matches.length === 0) return -1;
  if (at === null) return isBackwards ? matches.length - 1 : 0;
  const isAfter = (match: LogMatch) => match.line > at.line || (match.line === at.line && match.from > at.from);
  const isBefore = (match: LogMatch) => match.line < at.line || (match.line === at.line && match.from < at.from);
  if (isBackwards) {
    const before = matches.findLastIndex(isBefore);
    return before < 0 ? matches.length - 1 : before;
  }
  // None after it is -1: then the first.
  return Math.max(0, matches.findIndex(isAfter));
};
