// The only xterm: shows what a feed writes, read only or as a terminal. Knows bytes and marks, not builds, runs or sessions.
import '@xterm/xterm/css/xterm.css';
import { ActionIcon, TextInput, Tooltip, useComputedColorScheme } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconX } from '@tabler/icons-react';
import { type RefObject, useEffect, useImperativeHandle, useRef, useState } from 'react';
import { type StreamSource, startPump } from './stream-pump.ts';
import { openScreen, type Screen } from './xterm-screen.ts';
import { terminalTheme } from './xterm-theme.ts';

/** What a feed writes to. `write` resolves when the screen has taken it: wait for it. */
export interface Sink {
  write: (data: Uint8Array | string) => Promise<void>;
  mark: (key: number) => void;
  /** Has this size from now on, whatever room there is: the letters become smaller. */
  resize?: (cols: number, rows: number) => void;
  /** Forgets all that was written. */
  reset?: () => void;
}

/** Starts writing; the returned function ends it. */
export type Feed = (sink: Sink) => () => void;

/** The feed of a byte stream. A beginning that the host has forgotten is said in a line of its own. */
export const streamFeed =
  (source: StreamSource, maxLagBytes?: number): Feed =>
  (sink) =>
    startPump({
      source,
      write: sink.write,
      onGap: (missing) => void sink.write(`\x1b[2m[${Math.ceil(missing / 1024)} KiB of earlier output are no longer kept]\x1b[0m\r\n`),
      onEnd: () => undefined,
      ...(maxLagBytes !== undefined && { maxLagBytes }),
    });

export interface StreamViewHandle {
  scrollToMark: (key: number) => boolean;
  find: (text: string) => boolean;
  openSearch: () => void;
  focus: () => void;
}

interface StreamViewProps {
  /** What a screen reader calls it. */
  label: string;
  /** Keep it the same object for as long as the same thing is shown. */
  feed: Feed;
  input?: { write: (bytes: Uint8Array) => void; resize: (cols: number, rows: number) => void };
  onPickMark?: (key: number) => void;
  hasFocus?: boolean;
  handle?: RefObject<StreamViewHandle | null>;
}

const matchColors = (scheme: 'light' | 'dark') =>
  scheme === 'dark'
    ? {
        matchBackground: '#574621',
        activeMatchBackground: '#b98a1e',
        matchOverviewRuler: '#e0a63a',
        activeMatchColorOverviewRuler: '#ffffff',
      }
    : {
        matchBackground: '#f6e3b0',
        activeMatchBackground: '#f0b93a',
        matchOverviewRuler: '#e0a63a',
        activeMatchColorOverviewRuler: '#000000',
      };

interface SearchBarProps {
  screen: RefObject<Screen | null>;
  scheme: 'light' | 'dark';
  onClose: () => void;
}

const SearchBar = ({ screen, scheme, onClose }: SearchBarProps) => {
  const [text, setText] = useState('');
  const [count, setCount] = useState<{ index: number; total: number } | null>(null);
  const options = { decorations: matchColors(scheme), incremental: false };
  useEffect(() => {
    const listener = screen.current?.search.onDidChangeResults(({ resultIndex, resultCount }) =>
      setCount({ index: resultIndex, total: resultCount }),
    );
    return () => listener?.dispose();
  }, [screen]);
  const next = () => screen.current?.search.findNext(text, options);
  const previous = () => screen.current?.search.findPrevious(text, options);
  return (
    <search className="stream-search">
      <TextInput
        aria-label="Search in the output"
        placeholder="Search"
        data-autofocus
        autoFocus
        w={180}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          screen.current?.search.findNext(event.currentTarget.value, { ...options, incremental: true });
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose();
          if (event.key === 'Enter') (event.shiftKey ? previous : next)();
        }}
      />
      <span className="faint num" style={{ minWidth: 52, textAlign: 'center', fontSize: 12 }} role="status">
        {text === '' || !count ? '' : count.total === 0 ? 'none' : `${count.index + 1} / ${count.total}`}
      </span>
      <Tooltip label="Previous (Shift+Enter)">
        <ActionIcon aria-label="Previous match" onClick={previous}>
          <IconChevronUp size={14} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label="Next (Enter)">
        <ActionIcon aria-label="Next match" onClick={next}>
          <IconChevronDown size={14} />
        </ActionIcon>
      </Tooltip>
      <ActionIcon aria-label="Close search" onClick={onClose}>
        <IconX size={14} />
      </ActionIcon>
    </search>
  );
};

/** The view. With `input` it is a terminal, without it a log. */
export const StreamView = (props: StreamViewProps) => {
  const { label, feed, hasFocus = false, handle } = props;
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const element = useRef<HTMLDivElement>(null);
  const screen = useRef<Screen | null>(null);
  const latest = useRef({ props, scheme });
  latest.current = { props, scheme };
  const [isSearching, setSearching] = useState(false);
  const isTerminal = props.input !== undefined;

  useEffect(() => {
    if (!element.current) return;
    const { input, onPickMark } = latest.current.props;
    const opened = openScreen({
      element: element.current,
      label,
      scheme: latest.current.scheme,
      input: isTerminal && input ? input : undefined,
      onPickMark: onPickMark && ((key) => latest.current.props.onPickMark?.(key)),
      onSearch: () => setSearching(true),
    });
    screen.current = opened;
    opened.fit();
    // Told even when it is the default size: the other side may have been left at another one.
    input?.resize(opened.terminal.cols, opened.terminal.rows);
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
    if (screen.current) screen.current.terminal.options.theme = terminalTheme(scheme);
  }, [scheme]);

  useEffect(() => {
    if (hasFocus) screen.current?.terminal.focus();
  }, [hasFocus]);

  useImperativeHandle(handle, () => ({
    scrollToMark: (key) => screen.current?.scrollToMark(key) ?? false,
    find: (text) => screen.current?.search.findNext(text, { decorations: matchColors(scheme) }) ?? false,
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
      {isSearching && <SearchBar screen={screen} scheme={scheme} onClose={closeSearch} />}
    </section>
  );
};
