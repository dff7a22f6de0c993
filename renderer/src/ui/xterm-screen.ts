// Sets up one xterm in an element: size, colours, search, links, marks. StreamView is its only user.
import { FitAddon } from '@xterm/addon-fit';
import { SearchAddon } from '@xterm/addon-search';
import { WebLinksAddon } from '@xterm/addon-web-links';
import { type IMarker, Terminal } from '@xterm/xterm';
import { openExternal } from './external-link.tsx';
import { terminalTheme } from './xterm-theme.ts';

interface ScreenOptions {
  element: HTMLElement;
  label: string;
  /** Without it the screen is read only. */
  input: { write: (bytes: Uint8Array) => void; resize: (cols: number, rows: number) => void } | undefined;
  onPickMark: ((key: number) => void) | undefined;
  onSearch: () => void;
}

export interface Screen {
  terminal: Terminal;
  search: SearchAddon;
  fit: () => void;
  write: (data: Uint8Array | string) => Promise<void>;
  /** Names the line the next byte is written to. A name used again stays with its first line. */
  mark: (key: number) => void;
  scrollToMark: (key: number) => boolean;
  resize: (cols: number, rows: number) => void;
  hold: (cols: number, rows: number) => void;
  release: () => void;
  reset: () => void;
  dispose: () => void;
}

/** What the browser does by itself: it pastes into xterm's text area, and Tab leads on from a screen into which nobody types. */
export const isOfBrowser = ({ key, ctrlKey, shiftKey }: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'shiftKey'>, isTyped: boolean): boolean =>
  (ctrlKey && shiftKey && key.toLowerCase() === 'v') || (!isTyped && key === 'Tab');

const handleKeys = (terminal: Terminal, onSearch: () => void, isTyped: boolean) => {
  terminal.attachCustomKeyEventHandler((event) => {
    if (event.type !== 'keydown') return true;
    const key = event.key.toLowerCase();
    if ((event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && key === 'f') {
      event.preventDefault();
      onSearch();
      return false;
    }
    if (event.ctrlKey && event.shiftKey && key === 'c' && terminal.hasSelection()) {
      event.preventDefault();
      void navigator.clipboard.writeText(terminal.getSelection());
      return false;
    }
    return !isOfBrowser(event, isTyped);
  });
};

/** What a terminal answers by itself when it is asked where its cursor is, what it is or which colours it has. Source: xterm control sequences. */
const isReport = (text: string): boolean => /^\x1b(?:\[[?>=]?[\d;]*[$\d]*[cnRty]|\]\d+;|P)/.test(text);

const sendInput = (terminal: Terminal, input: NonNullable<ScreenOptions['input']>, isHeld: () => boolean) => {
  const encoder = new TextEncoder();
  // Questions of the past were answered then.
  terminal.onData((text) => (isHeld() && isReport(text) ? undefined : input.write(encoder.encode(text))));
  terminal.onBinary((text) => input.write(Uint8Array.from(text, (character) => character.charCodeAt(0))));
  terminal.onResize(({ cols, rows }) => (isHeld() ? undefined : input.resize(cols, rows)));
};

const linkMarks = (terminal: Terminal, marks: Map<number, IMarker>, onPickMark: (key: number) => void) => {
  terminal.registerLinkProvider({
    provideLinks: (y, answer) => {
      const found = [...marks].find(([, marker]) => marker.line === y - 1);
      if (!found) return answer(undefined);
      const text = terminal.buffer.active.getLine(y - 1)?.translateToString(true) ?? '';
      answer([{ text, range: { start: { x: 1, y }, end: { x: Math.max(1, text.length), y } }, activate: () => onPickMark(found[0]) }]);
    },
  });
};

const fontSize = { usual: 12.5, least: 5, most: 15 };

/** Letters of such a size that so many columns and rows fit. */
const scale = (terminal: Terminal, fitter: FitAddon): void => {
  const room = fitter.proposeDimensions();
  const now = terminal.options.fontSize ?? fontSize.usual;
  if (!room || !Number.isFinite(room.cols) || !Number.isFinite(room.rows)) return;
  const wanted = now * Math.min(room.cols / terminal.cols, room.rows / terminal.rows);
  terminal.options.fontSize = Math.max(fontSize.least, Math.min(fontSize.most, Math.floor(wanted * 4) / 4));
};

const makeTerminal = (isTyped: boolean): Terminal =>
  new Terminal({
    allowProposedApi: true,
    convertEol: !isTyped,
    cursorBlink: false,
    cursorInactiveStyle: isTyped ? 'outline' : 'none',
    disableStdin: !isTyped,
    fontFamily: getComputedStyle(document.documentElement).getPropertyValue('--mono'),
    fontSize: fontSize.usual,
    lineHeight: 1.25,
    linkHandler: { activate: (_event, address) => openExternal(address), allowNonHttpProtocols: false },
    minimumContrastRatio: 4.5,
    scrollback: 10_000,
    theme: terminalTheme(),
  });

/** Which size the screen has: that of its room, unless it was given one for good or is held in one. */
const sizing = (terminal: Terminal, element: HTMLElement) => {
  const fitter = new FitAddon();
  terminal.loadAddon(fitter);
  const now = { isFixed: false, isHeld: false, isGone: false };
  const fillRoom = (): void => {
    if (now.isHeld || now.isGone || element.clientWidth === 0 || element.clientHeight === 0) return;
    if (now.isFixed) scale(terminal, fitter);
    else fitter.fit();
  };
  const give = (cols: number, rows: number): void => {
    // What comes out of a terminal has its own returns.
    terminal.options.convertEol = false;
    terminal.resize(Math.max(2, cols), Math.max(1, rows));
  };
  return {
    now,
    fit: fillRoom,
    resize: (cols: number, rows: number): void => {
      now.isFixed = true;
      give(cols, rows);
      scale(terminal, fitter);
    },
    hold: (cols: number, rows: number): void => {
      now.isHeld = true;
      if (!now.isGone) give(cols, rows);
    },
    release: (): void => {
      now.isHeld = false;
      fillRoom();
    },
  };
};

/** Opens the screen. Whoever opens it disposes it. */
export const openScreen = ({ element, label, input, onPickMark, onSearch }: ScreenOptions): Screen => {
  const marks = new Map<number, IMarker>();
  const terminal = makeTerminal(input !== undefined);
  const search = new SearchAddon();
  terminal.loadAddon(search);
  terminal.loadAddon(new WebLinksAddon((_event, address) => openExternal(address)));
  terminal.open(element);
  terminal.textarea?.setAttribute('aria-label', label);
  const { now, fit, resize, hold, release } = sizing(terminal, element);
  handleKeys(terminal, onSearch, input !== undefined);
  if (input) sendInput(terminal, input, () => now.isHeld);
  if (onPickMark) linkMarks(terminal, marks, onPickMark);

  return {
    ...{ terminal, search, fit, resize, hold, release },
    reset: () => terminal.reset(),
    write: async (data) => await new Promise((resolve) => terminal.write(data, resolve)),
    mark: (key) => {
      const marker = marks.has(key) ? undefined : terminal.registerMarker(0);
      if (marker) marks.set(key, marker);
    },
    scrollToMark: (key) => {
      const marker = marks.get(key);
      if (!marker || marker.line < 0) return false;
      terminal.scrollToLine(Math.max(0, marker.line - Math.floor(terminal.rows / 3)));
      terminal.selectLines(marker.line, marker.line);
      return true;
    },
    dispose: () => {
      now.isGone = true;
      terminal.dispose();
    },
  };
};
