// One line of a setup log as the log view shows it: a gutter that tells the four streams apart, then the text.
// The program's own colours stay. Whatever else it sent to a terminal is left out: output must not forge a marker or wipe the log.
// Source: ECMA-48 (control sequences), 8.3.117 (SGR).
import type { LogLine } from '../../../sandbox-engine/contract/model.ts';

const sequences = /\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\|$)|\x1b[ -/]*[0-Z\\^-~]|\x1b/g;
const controls = /[\x00-\x08\x0a-\x1a\x1c-\x1f\x7f\u0080-\u009f]/g;

const isColour = (sequence: string): boolean => /^\x1b\[[0-9;:]*m$/.test(sequence);

/** The text with colours kept and every other control left out; sequences go first, since some end with a control. */
export const onlyColours = (text: string): string =>
  text.replace(sequences, (sequence) => (isColour(sequence) ? sequence : '')).replace(controls, '');

const withoutColours = (text: string): string =>
  text.replace(sequences, '').replace(controls, (control) => (control === '\n' ? ' ⏎ ' : ''));

/** Where the program goes back to its usual colour, it goes back to that of its stream. */
const tinted = (text: string, tint: string): string => `${tint}${text.replace(/\x1b\[0*m/g, `\x1b[0m${tint}`)}`;

const numberWidth = 4;
const red = '\x1b[31m';
const yellow = '\x1b[33m';
const reset = '\x1b[0m';
const blank = ' '.repeat(numberWidth);
/** Characters of a command that a marker shows: the script has it whole, and the log is for what it printed. */
const shownCommand = 300;

const shortened = (text: string): string => (text.length <= shownCommand ? text : `${text.slice(0, shownCommand - 1)}…`);

/** How the run says that its script was kept from something. */
const blockedWords = 'The network policy blocked ';

/** The line with its end. A marker shows its script line and command, dim. */
export const logLineText = ({ stream, text, line }: LogLine): string => {
  if (stream === 'marker') {
    const number = String(line ?? '').padStart(numberWidth);
    return `\x1b[34m${number} ❯${reset} \x1b[2m${shortened(withoutColours(text))}${reset}\r\n`;
  }
  if (stream === 'system' && text.startsWith(blockedWords)) return `${yellow}${blank} ⊘ ${withoutColours(text)}${reset}\r\n`;
  if (stream === 'system') return `\x1b[2;3m${blank} · ${withoutColours(text)}${reset}\r\n`;
  if (stream === 'stderr') return `${red}${blank} ▎ ${tinted(onlyColours(text), red)}${reset}\r\n`;
  return `${blank}   ${onlyColours(text)}${reset}\r\n`;
};
