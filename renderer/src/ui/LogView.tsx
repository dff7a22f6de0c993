// A log, whole from its first line to its last: only the rows in sight are drawn. Colours and line ends are read, nothing else that a
// program sends to a terminal. It follows its end until one scrolls up. Knows bytes and marks, not builds, runs or sessions.
import './log.css';
import { ActionIcon, Tooltip } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy, IconSearch } from '@tabler/icons-react';
import {
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from 'react';
import type { Feed, FeedViewHandle } from './feed.ts';
import { findInLog, type LogMatch, nextMatch } from './find-in-log.ts';
import { counted } from './format.ts';
import { LogRowView } from './LogRowView.tsx';
import { createLogRows, type LogRow } from './log-rows.ts';
import { createLogText, type LogText } from './log-text.ts';
import { logRowHeight, roomHeight } from './log-window.ts';
import { SearchBar } from './SearchBar.tsx';
import { useLogScroll } from './use-log-scroll.ts';

interface LogViewProps {
  /** What a screen reader calls it. */
  label: string;
  /** Keep it the same object for as long as the same thing is shown. */
  feed: Feed;
  onPickMark?: (key: number) => void;
  /** Each line begins with the gutter of a setup log: what goes on below stands behind it. */
  hasGutter?: boolean;
  handle?: RefObject<FeedViewHandle | null>;
}

/** Letters before the text of a line in a setup log; its style has the same. */
const gutterWidth = 7;

/** Lets frames and keys in between two writes. */
const pause = async (): Promise<void> => await new Promise((resolve) => setTimeout(resolve, 0));

/** The text that the feed writes; drawn again once a frame at most. */
const useLogText = (feed: Feed): { log: LogText; version: number } => {
  const [version, redraw] = useReducer((count: number) => count + 1, 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another feed is another log
  const log = useMemo(createLogText, [feed]);
  useEffect(() => {
    const decoder = new TextDecoder();
    let frame = 0;
    const draw = () => {
      frame = 0;
      redraw();
    };
    const stop = feed({
      write: async (data) => {
        log.append(typeof data === 'string' ? data : decoder.decode(data, { stream: true }));
        if (frame === 0) frame = requestAnimationFrame(draw);
        await pause();
      },
      mark: log.mark,
      reset: log.clear,
    });
    return () => {
      stop();
      cancelAnimationFrame(frame);
    };
  }, [feed, log]);
  return { log, version };
};

/** What was searched for, and where it is; found again as the log grows. */
const useLogSearch = (log: LogText, version: number) => {
  const [query, setQuery] = useState('');
  const [current, setCurrent] = useState<LogMatch | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version has more lines
  const matches = useMemo(() => findInLog(log, query), [log, query, version]);
  const find = (text: string, way: 'here' | 'next' | 'previous', from: Pick<LogMatch, 'line' | 'from'> | null): LogMatch | null => {
    const found = text === query ? matches : findInLog(log, text);
    // What is typed on stays at the match that still holds.
    const start = way === 'here' && from !== null ? { ...from, from: from.from - 1 } : from;
    const next = found[nextMatch(found, start, way === 'previous')] ?? null;
    setQuery(text);
    setCurrent(next);
    return next;
  };
  const index = current === null ? -1 : matches.findIndex(({ line, from }) => line === current.line && from === current.from);
  return { query, current, find, count: query === '' ? null : { index, total: matches.length } };
};

/** Only the rows in sight can be selected by the mouse, so the whole text has a button. */
const LogTools = ({ log, lines, onSearch }: { log: LogText; lines: number; onSearch: () => void }) => {
  const { copied: isCopied, copy } = useClipboard({ timeout: 1500 });
  const text = () => Array.from({ length: log.count() }, (_, index) => log.line(index)).join('\n');
  return (
    <>
      <span className="faint num">{counted(lines, 'line')}</span>
      <span className="grow" />
      <Tooltip label="Search in the log (Ctrl+F in the log)">
        <ActionIcon variant="default" aria-label="Search in the log" onClick={onSearch}>
          <IconSearch size={14} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={isCopied ? 'Copied' : 'Copy the whole log'}>
        <ActionIcon variant="default" aria-label="Copy the whole log" onClick={() => copy(text())}>
          {isCopied ? <IconCheck size={14} /> : <IconCopy size={14} />}
        </ActionIcon>
      </Tooltip>
    </>
  );
};

/** The log. */
export const LogView = ({ label, feed, onPickMark, hasGutter = false, handle }: LogViewProps) => {
  const { log, version } = useLogText(feed);
  const rows = useMemo(() => createLogRows(log, hasGutter ? gutterWidth : undefined), [log, hasGutter]);
  const scroller = useRef<HTMLDivElement>(null);
  const probe = useRef<HTMLSpanElement>(null);
  const scroll = useLogScroll(scroller, probe, feed);
  rows.layOut(scroll.columns);
  const total = rows.count();
  const { first, shown, top } = scroll.windowOf(total);
  const search = useLogSearch(log, version);
  const [isSearching, setSearching] = useState(false);
  const [chosen, setChosen] = useState<number | null>(null);

  useLayoutEffect(() => scroll.keepEnd());

  const showLine = (line: number, character = 0) => scroll.show(rows.rowOf(line, character), rows.count());
  const findNext = (text: string, way: 'here' | 'next' | 'previous'): boolean => {
    const seen = { line: rows.row(first).line, from: -1 };
    const found = search.find(text, way, search.current ?? (scroll.isAtEnd() ? null : seen));
    if (found) showLine(found.line, found.from);
    return found !== null;
  };
  useImperativeHandle(handle, () => ({
    scrollToMark: (key) => {
      const line = log.lineOfMark(key);
      if (line === undefined) return false;
      // What came since the last frame has no rows yet.
      rows.layOut(scroll.columns);
      setChosen(line);
      showLine(line);
      return true;
    },
    find: (text) => findNext(text, 'next'),
    openSearch: () => setSearching(true),
    focus: () => scroller.current?.focus(),
  }));
  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || event.key.toLowerCase() !== 'f') return;
    event.preventDefault();
    setSearching(true);
  };
  const closeSearch = () => {
    setSearching(false);
    search.find('', 'here', null);
    scroller.current?.focus();
  };
  const drawn: LogRow[] = Array.from({ length: shown }, (_, index) => rows.row(first + index));
  return (
    <section className={hasGutter ? 'stream-view is-log has-gutter' : 'stream-view is-log'} aria-label={label} onKeyDown={onKeyDown}>
      <div className="log-bar">
        {isSearching ? (
          <SearchBar onFind={(text, way) => void findNext(text, way)} count={search.count} onClose={closeSearch} />
        ) : (
          <LogTools log={log} lines={total === 0 ? 0 : rows.row(total - 1).line + 1} onSearch={() => setSearching(true)} />
        )}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls and must be reachable by keyboard */}
      <div className="log" ref={scroller} role="log" aria-live="off" aria-label={label} tabIndex={0} onScroll={scroll.onScroll}>
        <div className="log-probe" aria-hidden="true">
          <span ref={probe}>{'x'.repeat(100)}</span>
        </div>
        <div className="log-room" style={{ height: roomHeight(total) }}>
          <div className="log-window" style={{ transform: `translateY(${top}px)`, lineHeight: `${logRowHeight}px` }}>
            {drawn.map((row) => (
              <LogRowView
                key={`${row.line} ${row.from}`}
                {...{ log, row, onPickMark }}
                isChosen={row.line === chosen}
                query={search.query}
                current={search.current}
                text={log.line(row.line)}
              />
            ))}
          </div>
        </div>
      </div>
    </section>
  );
};
