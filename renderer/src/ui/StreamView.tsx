// The only xterm: shows what a feed writes, as a terminal or as what one looked like. Knows bytes and marks, not sessions.
// What is no terminal is a LogView, which holds all of it.
import '@xterm/xterm/css/xterm.css';
import { useComputedColorScheme } from '@mantine/core';
import { type RefObject, useEffect, useImperativeHandle, useRef, useState } from 'react';
import type { Feed, FeedViewHandle } from './feed.ts';
import { SearchBar } from './SearchBar.tsx';
import { openScreen, type Screen } from './xterm-screen.ts';
import { terminalTheme, tokenColour } from './xterm-theme.ts';

interface StreamViewProps {
  /** What a screen reader calls it. */
  label: string;
  /** Keep it the same object for as long as the same thing is shown. */
  feed: Feed;
  input?: { write: (bytes: Uint8Array) => void; resize: (cols: number, rows: number) => void };
  onPickMark?: (key: number) => void;
  hasFocus?: boolean;
  handle?: RefObject<FeedViewHandle | null>;
}

const matchColors = () => ({
  matchBackground: tokenColour('--match'),
  activeMatchBackground: tokenColour('--match-current'),
  matchOverviewRuler: tokenColour('--sand'),
  activeMatchColorOverviewRuler: tokenColour('--text'),
});

/** Searches in the screen, and tells which match of how many is shown. */
const useScreenSearch = (screen: RefObject<Screen | null>, isSearching: boolean) => {
  const [count, setCount] = useState<{ index: number; total: number } | null>(null);
  useEffect(() => {
    if (!isSearching) return;
    const listener = screen.current?.search.onDidChangeResults(({ resultIndex, resultCount }) =>
      setCount({ index: resultIndex, total: resultCount }),
    );
    return () => listener?.dispose();
  }, [screen, isSearching]);
  const find = (text: string, way: 'here' | 'next' | 'previous') => {
    const options = { decorations: matchColors(), incremental: way === 'here' };
    if (way === 'previous') screen.current?.search.findPrevious(text, options);
    else screen.current?.search.findNext(text, options);
  };
  return { count, find };
};

/** The view. With `input` it is a terminal, without it a log. */
export const StreamView = (props: StreamViewProps) => {
  const { label, feed, hasFocus = false, handle } = props;
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const element = useRef<HTMLDivElement>(null);
  const screen = useRef<Screen | null>(null);
  const latest = useRef({ props });
  latest.current = { props };
  const [isSearching, setSearching] = useState(false);
  const search = useScreenSearch(screen, isSearching);
  const isTerminal = props.input !== undefined;

  useEffect(() => {
    if (!element.current) return;
    const { input, onPickMark } = latest.current.props;
    const opened = openScreen({
      element: element.current,
      label,
      input: isTerminal && input ? input : undefined,
      onPickMark: onPickMark && ((key) => latest.current.props.onPickMark?.(key)),
      onSearch: () => setSearching(true),
    });
    screen.current = opened;
    opened.fit();
    // Told even when it is the default size: the other side may have been left at another one.
    if (element.current.clientWidth > 0) input?.resize(opened.terminal.cols, opened.terminal.rows);
    const observer = new ResizeObserver(() => requestAnimationFrame(opened.fit));
    observer.observe(element.current);
    const stop = feed(opened);
    return () => {
      stop();
      observer.disconnect();
      opened.dispose();
      screen.current = null;
    };
  }, [feed, label, isTerminal]);

  useEffect(() => {
    // The colours are those of the tokens, which are others in the other look.
    void scheme;
    if (screen.current) screen.current.terminal.options.theme = terminalTheme();
  }, [scheme]);

  useEffect(() => {
    if (hasFocus) screen.current?.terminal.focus();
  }, [hasFocus]);

  useImperativeHandle(handle, () => ({
    scrollToMark: (key) => screen.current?.scrollToMark(key) ?? false,
    find: (text) => screen.current?.search.findNext(text, { decorations: matchColors() }) ?? false,
    openSearch: () => setSearching(true),
    focus: () => screen.current?.terminal.focus(),
  }));

  const closeSearch = () => {
    setSearching(false);
    screen.current?.search.clearDecorations();
    screen.current?.terminal.focus();
  };

  return (
    <section className="stream-view" aria-label={label}>
      <div className="stream-view-screen" ref={element} />
      {isSearching && <SearchBar onFind={search.find} count={search.count} onClose={closeSearch} />}
    </section>
  );
};
