// Writes what a command has to say: the result on stdout (a table or one JSON value), everything else on stderr.
import Table from 'cli-table3';
import type { ErrorBody } from '../../sandbox-engine/contract/errors.ts';
import { sizeText } from '../../sandbox-engine/index.ts';
import { writeAll } from './follow-stream.ts';
import { createLogFilter } from './log-bytes.ts';

export type OutputMode = 'table' | 'json';

export interface Printer {
  mode: OutputMode;
  /** The one result of the command; `table` says how a person reads it. Nothing in it steers a terminal but our own colours. */
  result: (value: unknown, table: () => string) => void;
  /** One of many that come: a line, in JSON mode one JSON value. */
  line: (value: unknown, text: () => string) => void;
  /**
   * Bytes of a log that a person follows, from its beginning to its end: on stderr in JSON mode, so that stdout stays one value. Of what
   * steers a terminal only colours are left, and these on a terminal only. Waits while the reader is slow.
   */
  log: (bytes: Buffer) => Promise<void>;
  /** A line for the person who waits. */
  note: (text: string) => void;
  error: (error: ErrorBody) => void;
}

const paints = { red: '31', green: '32', yellow: '33', dim: '2', bold: '1' } as const;
type Paint = keyof typeof paints;

/** On a terminal, when nobody said `NO_COLOR`. */
const takesColours = (stream: NodeJS.WriteStream): boolean => stream.isTTY && !process.env['NO_COLOR'];

const paint = (stream: NodeJS.WriteStream, text: string, colour: Paint): string =>
  takesColours(stream) ? `\u001b[${paints[colour]}m${text}\u001b[0m` : text;

const statusColours: Record<string, Paint> = {
  succeeded: 'green',
  running: 'green',
  connected: 'green',
  ok: 'green',
  Ready: 'green',
  Verified: 'green',
  failed: 'red',
  Failed: 'red',
  unreachable: 'red',
  warning: 'yellow',
  Stale: 'yellow',
};

// With those that turn the direction of what follows: a name would read as another one.
const direction = '\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069';
const steering = new RegExp(`[\\u0000-\\u001f\\u007f-\\u009f${direction}]`, 'g');
const steeringButLines = new RegExp(`[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f${direction}]`, 'g');
const steeringButOurs = new RegExp(
  `\\u001b(?!\\[\\d{1,2}m)|[\\u0000-\\u0008\\u000b-\\u001a\\u001c-\\u001f\\u007f-\\u009f${direction}]`,
  'g',
);
const unescaped = new RegExp(`[\\u007f-\\u009f${direction}]`, 'g');

/** Text of one line, in which nothing can steer the terminal. */
export const lineOfText = (text: string): string => text.replaceAll(steering, ' ');

/** Text of several lines, in which nothing can steer the terminal. */
export const plainText = (text: string): string => text.replaceAll(steeringButLines, ' ');

/** The same value in characters that steer nothing: JSON itself escapes only the controls below U+0020. */
const toJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replaceAll(unescaped, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** What of a text goes to a person: colours, where they are wanted, and nothing else that steers. */
const shown = (stream: NodeJS.WriteStream, text: string): string =>
  takesColours(stream) ? text.replaceAll(steeringButOurs, ' ') : plainText(text);

/** A plain table: one line a row, columns apart by blanks; control characters of names never reach the terminal. */
export const toTable = (head: string[], rows: (string | number | null)[][]): string => {
  const none = Object.fromEntries(
    [
      'top',
      'top-mid',
      'top-left',
      'top-right',
      'bottom',
      'bottom-mid',
      'bottom-left',
      'bottom-right',
      'left',
      'left-mid',
      'mid',
      'mid-mid',
      'right',
      'right-mid',
    ].map((part) => [part, '']),
  );
  const table = new Table({
    head: head.map((text) => paint(process.stdout, text, 'bold')),
    chars: { ...none, middle: '  ' },
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
  });
  for (const row of rows) {
    table.push(
      row
        .map((cell) => lineOfText(String(cell ?? '-')))
        .map((cell) => (statusColours[cell] ? paint(process.stdout, cell, statusColours[cell]) : cell)),
    );
  }
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
};

/** Names and values of one thing, a line each. */
export const toFacts = (facts: Record<string, string | number | null>): string => {
  const width = Math.max(...Object.keys(facts).map((name) => name.length));
  return Object.entries(facts)
    .map(([name, value]) => `${name.padEnd(width)}  ${lineOfText(String(value ?? '-'))}`)
    .join('\n');
};

/** Bytes for people: `1.5 GiB`; `-` where nobody knows them. */
export const toSize = (bytes: number | null): string => (bytes === null ? '-' : sizeText(bytes));

/** Bytes of a log to one stream. */
const createLog = (to: NodeJS.WriteStream): Printer['log'] => {
  const filter = createLogFilter({ colours: takesColours(to), isTerminal: to.isTTY });
  return async (bytes) => await writeAll(to, filter(bytes));
};

/** Makes the printer of one command. */
export const createPrinter = (mode: OutputMode, out: NodeJS.WriteStream = process.stdout): Printer => ({
  mode,
  result: (value, table) => void out.write(`${mode === 'json' ? toJson(value, 2) : shown(out, table())}\n`),
  line: (value, text) => void out.write(`${mode === 'json' ? toJson(value) : lineOfText(text())}\n`),
  log: createLog(mode === 'json' ? process.stderr : process.stdout),
  note: (text) => void process.stderr.write(`${plainText(text)}\n`),
  error: (error) => {
    process.stderr.write(`${paint(process.stderr, 'error', 'red')} [${error.code}]: ${plainText(error.message)}\n`);
    if (error.next_action !== null) process.stderr.write(`  -> ${plainText(error.next_action)}\n`);
    if (mode === 'json') out.write(`${toJson({ error }, 2)}\n`);
  },
});
