// One row of a log: its pieces with their colours, addresses that can be opened, what was searched for, and marks that lead elsewhere.
import type { ReactNode } from 'react';
import { openExternal } from './external-link.tsx';
import { findInLog, type LogMatch } from './find-in-log.ts';
import { cutRow, type LogHighlight, type LogRow } from './log-rows.ts';
import type { LogText } from './log-text.ts';

interface LogRowViewProps {
  log: LogText;
  row: LogRow;
  /** The whole line. */
  text: string;
  isChosen: boolean;
  query: string;
  current: LogMatch | null;
  onPickMark: ((key: number) => void) | undefined;
}

const addresses = /https:\/\/[^\s"'<>`]+[^\s"'<>`.,;:!?)\]]/g;
/** Beyond this a line is looked at only where it is shown. */
const longLine = 4_000;

/** The part of the line that is looked through for addresses and matches: what begins before the row may end in it. */
const around = ({ from, to }: LogRow, text: string, reach: number) => {
  const begin = text.length <= longLine ? 0 : Math.max(0, from - reach);
  return { begin, part: text.slice(begin, text.length <= longLine ? text.length : to + reach) };
};

const highlightsOf = ({ row, text, query, current }: LogRowViewProps): LogHighlight[] => {
  const seen = around(row, text, 300);
  const links = [...seen.part.matchAll(addresses)].map((match) => {
    const from = seen.begin + match.index;
    return { from, to: from + match[0].length, kind: 'link' as const };
  });
  const matches = findInLog({ count: () => 1, line: () => seen.part }, query).map(({ from, to }) => {
    const isCurrent = current !== null && current.line === row.line && current.from === seen.begin + from;
    return { from: seen.begin + from, to: seen.begin + to, kind: isCurrent ? ('current' as const) : ('match' as const) };
  });
  return [...links, ...matches];
};

/** The row. */
export const LogRowView = (props: LogRowViewProps) => {
  const { log, row, text, isChosen, onPickMark } = props;
  const highlights = highlightsOf(props);
  const pieces = cutRow(text, row, log.spans(row.line), highlights);
  const mark = row.from === 0 && onPickMark ? log.markOfLine(row.line) : undefined;
  let place = row.from;
  const drawn: ReactNode[] = pieces.map((piece) => {
    const from = place;
    place += piece.text.length;
    // A marked row is a button as a whole, and no button may hold another.
    if (!piece.link || mark !== undefined)
      return (
        <span key={from} className={piece.className || undefined}>
          {piece.text}
        </span>
      );
    const whole = highlights.find((one) => one.kind === 'link' && one.from <= from && from < one.to);
    return (
      <button
        type="button"
        key={from}
        className={`log-link ${piece.className}`}
        onClick={() => openExternal(text.slice(whole?.from ?? from, whole?.to ?? place))}
      >
        {piece.text}
      </button>
    );
  });
  return (
    <div className={`log-row${isChosen ? ' is-chosen' : ''}${row.from > 0 ? ' is-further' : ''}`}>
      {mark === undefined ? (
        drawn
      ) : (
        // Every command of a script has one: Tab would not get past them. Alt+J leads there from the keyboard.
        <button type="button" tabIndex={-1} className="log-mark" onClick={() => onPickMark?.(mark)}>
          {drawn}
        </button>
      )}
    </div>
  );
};
