// Colours of the terminal: sixteen ANSI colours that can be read on our light and on our dark ground.
import type { ITheme } from '@xterm/xterm';

const dark: ITheme = {
  background: '#141413',
  foreground: '#e6e4df',
  cursor: '#e0a63a',
  cursorAccent: '#141413',
  selectionBackground: '#3a4875',
  black: '#2b2a27',
  red: '#ff7d76',
  green: '#6fce90',
  yellow: '#e6b655',
  blue: '#86a5ff',
  magenta: '#d59cf0',
  cyan: '#68cfd2',
  white: '#cfccc5',
  brightBlack: '#8a867e',
  brightRed: '#ffa19b',
  brightGreen: '#93e2ad',
  brightYellow: '#f4cf7f',
  brightBlue: '#aec2ff',
  brightMagenta: '#e6bdf8',
  brightCyan: '#93e3e5',
  brightWhite: '#ffffff',
};

const light: ITheme = {
  background: '#fbfaf8',
  foreground: '#24221e',
  cursor: '#9a6a0a',
  cursorAccent: '#fbfaf8',
  selectionBackground: '#cbd8fb',
  black: '#24221e',
  red: '#b3262a',
  green: '#1a7240',
  yellow: '#845400',
  blue: '#2b50c4',
  magenta: '#8a2fa6',
  cyan: '#0b6e75',
  white: '#6e6a62',
  brightBlack: '#6e6a62',
  brightRed: '#cf3439',
  brightGreen: '#1f8a4d',
  brightYellow: '#9a6400',
  brightBlue: '#3c63de',
  brightMagenta: '#a23fc0',
  brightCyan: '#0f838c',
  brightWhite: '#3a372f',
};

/** The colours for the scheme that is shown. */
export const terminalTheme = (scheme: 'light' | 'dark'): ITheme => (scheme === 'dark' ? dark : light);
