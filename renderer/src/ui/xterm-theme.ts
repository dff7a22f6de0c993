// Colours of the terminal, as the tokens have them now: another look is another theme.
import type { ITheme } from '@xterm/xterm';

/** The colour of a token now. */
export const tokenColour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

const colours = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const;
const bright = [
  'brightBlack',
  'brightRed',
  'brightGreen',
  'brightYellow',
  'brightBlue',
  'brightMagenta',
  'brightCyan',
  'brightWhite',
] as const;

/** The theme for the look that is shown. */
export const terminalTheme = (): ITheme => ({
  background: tokenColour('--code-bg'),
  foreground: tokenColour('--term-text'),
  cursor: tokenColour('--term-cursor'),
  cursorAccent: tokenColour('--code-bg'),
  selectionBackground: tokenColour('--term-selection'),
  ...Object.fromEntries([...colours, ...bright].map((name, index) => [name, tokenColour(`--ansi-${index}`)])),
});
