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
  scheme: 'light' | 'dark';
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
  reset: () => void;
  dispose: () => void;
}

const handleKeys = (terminal: Terminal, onSearch: () => void) => {
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
    // The browser pastes by itself into xterm's text area; only xterm must not take the keys as input.
    return !(event.ctrlKey && event.shiftKey && key === 'v');
  });
};

const sendInput = (terminal: Terminal, input: NonNullable<ScreenOptions['input']>) => {
  const encoder = new TextEncoder();
  terminal.onData((text) => input.write(encoder.encode(text)));
  terminal.onBinary((text) => input.write(Uint8Array.from(text, (character) => character.charCodeAt(0))));
  terminal.onResize(({ cols, rows }) => input.resize(cols, rows));
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

const makeTerminal = (scheme: 'light' | 'dark', isTyped: boolean): Terminal =>
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
    theme: terminalTheme(scheme),
  });

/** Opens the screen. Whoever opens it disposes it. */
export const openScreen = ({ element, label, scheme, input, onPickMark, onSearch }: ScreenOptions): Screen => {
  const marks = new Map<number, IMarker>();
  const terminal = makeTerminal(scheme, input !== undefined);
  let isFixed = false;
  const fitter = new FitAddon();
  const search = new SearchAddon();
  terminal.loadAddon(fitter);
  terminal.loadAddon(search);
  terminal.loadAddon(new WebLinksAddon((_event, address) => openExternal(address)));
  terminal.open(element);
  terminal.textarea?.setAttribute('aria-label', label);
  handleKeys(terminal, onSearch);
  if (input) sendInput(terminal, input);
  if (onPickMark) linkMarks(terminal, marks, onPickMark);

  return {
    terminal,
    search,
    fit: () => {
      if (element.clientWidth === 0 || element.clientHeight === 0) return;
      if (isFixed) scale(terminal, fitter);
      else fitter.fit();
    },
    resize: (cols, rows) => {
      isFixed = true;
      // What comes out of a terminal has its own returns.
      terminal.options.convertEol = false;
      terminal.resize(Math.max(2, cols), Math.max(1, rows));
      scale(terminal, fitter);
    },
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
    dispose: () => terminal.dispose(),
  };
};
