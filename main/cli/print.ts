// Writes what a command has to say: the result on stdout (a table or one JSON value), everything else on stderr.
import Table from 'cli-table3';
import type { ErrorBody } from '../../sandbox-engine/contract/errors.ts';
import { sizeText } from '../../sandbox-engine/index.ts';
import { writeAll } from './follow-stream.ts';
import { createLogFilter } from './log-bytes.ts';

export type OutputMode = 'table' | 'json';

export interface Printer {
  mode: OutputMode;
  /** The one result of the command; `table` says how a person reads it. */
  result: (value: unknown, table: () => string) => void;
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

const clean = (text: string): string => text.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, ' ');

/** Text of several lines, in which nothing can steer the terminal. */
export const plainText = (text: string): string => text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, ' ');

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
        .map((cell) => clean(String(cell ?? '-')))
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
    .map(([name, value]) => `${name.padEnd(width)}  ${clean(String(value ?? '-'))}`)
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
export const createPrinter = (mode: OutputMode): Printer => ({
  mode,
  result: (value, table) => void process.stdout.write(`${mode === 'json' ? JSON.stringify(value, null, 2) : table()}\n`),
  log: createLog(mode === 'json' ? process.stderr : process.stdout),
  note: (text) => void process.stderr.write(`${plainText(text)}\n`),
  error: (error) => {
    process.stderr.write(`${paint(process.stderr, 'error', 'red')} [${error.code}]: ${plainText(error.message)}\n`);
    if (error.next_action !== null) process.stderr.write(`  -> ${plainText(error.next_action)}\n`);
    if (mode === 'json') process.stdout.write(`${JSON.stringify({ error }, null, 2)}\n`);
  },
});
