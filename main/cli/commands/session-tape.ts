// `sandlot session tape | replay`: what happened in a session, as a list, as asciicast files, or played in this terminal.

import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import type { Tape, TapeTerminal } from '../../../sandbox-engine/contract/model.ts';
import type { CommandContext } from '../command-context.ts';
import { refused } from '../command-failed.ts';
import { defineCommand, firstWord, type Given, textOption } from '../define-command.ts';
import { findSession } from '../find-by-name.ts';
import { playTape } from '../play-tape.ts';
import { toSize, toTable } from '../print.ts';

const secondsOf = ({ from, to }: Pick<TapeTerminal, 'from' | 'to'>): string =>
  `${((Date.parse(to) - Date.parse(from)) / 1_000).toFixed(1)} s`;

const describe = (tape: Tape): string => {
  const terminals = tape.terminals.map((one) => [
    one.terminal_id,
    one.title,
    one.from,
    secondsOf(one),
    toSize(one.size),
    one.is_cut ? 'the end' : 'all',
  ]);
  const events = tape.events.map(({ at, kind, label }) => [at, kind, label]);
  return `${toTable(['TERMINAL', 'TITLE', 'BEGAN', 'LASTS', 'OUTPUT', 'KEPT'], terminals)}\n\n${toTable(['WHEN', 'KIND', 'WHAT'], events)}`;
};

/** The terminals that are meant. @throws not_found */
const chosen = (tape: Tape, asked: string | undefined): TapeTerminal[] => {
  const found =
    asked === undefined ? tape.terminals : tape.terminals.filter(({ terminal_id, title }) => terminal_id === asked || title === asked);
  if (found.length > 0) return found;
  throw refused(
    'not_found',
    asked === undefined ? 'No terminal was opened in this session.' : `There is no terminal "${asked}".`,
    'sandlot session tape SESSION',
  );
};

const writeCast = async ({ ask }: CommandContext, tape: Tape, { terminal_id }: TapeTerminal, path: string): Promise<void> => {
  const file = createWriteStream(path);
  const opened = once(file, 'open');
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const part = await ask('tape.cast', { session_id: tape.session_id, terminal_id, ...(cursor === undefined ? {} : { cursor }) });
    await opened;
    if (!file.write(part.text)) await once(file, 'drain');
    cursor = part.next_cursor;
  }
  file.end();
  await once(file, 'close');
};

/** `x.cast`, `x-2.cast`, ... */
const numbered = (path: string, index: number): string => (index === 0 ? path : path.replace(/(\.[^./]*)?$/, `-${index + 1}$1`));

const tapeOf = async (given: Given): Promise<Tape> => {
  const session = await findSession(given.context, firstWord(given));
  return await given.context.ask('tape.get', { session_id: session.id });
};

const addTape = (group: Command): void =>
  defineCommand(group, {
    usage: 'tape <session>',
    does: 'List what was recorded of a session and what happened in it, or write it as asciicast files, one a terminal',
    options: [
      ['-e, --export <file>', 'where to; with several terminals FILE, FILE-2 and so on'],
      ['-t, --terminal <terminal>', 'only this one, by id or title'],
      ['--events <file>', 'write what happened as JSON'],
    ],
    examples: [
      'session tape my-session',
      'session tape my-session --export demo.cast',
      'session tape my-session --events what.json -o json',
    ],
    act: async (given) => {
      const { context, options } = given;
      const tape = await tapeOf(given);
      const [target, events] = [textOption(options, 'export'), textOption(options, 'events')];
      const written: string[] = [];
      if (target !== undefined) {
        for (const [index, terminal] of chosen(tape, textOption(options, 'terminal')).entries()) {
          await writeCast(context, tape, terminal, numbered(target, index));
          written.push(numbered(target, index));
        }
      }
      if (events !== undefined) {
        await writeFile(events, `${JSON.stringify(tape.events, null, 2)}\n`);
        written.push(events);
      }
      context.print.result(written.length === 0 ? tape : { files: written }, () =>
        written.length === 0 ? describe(tape) : written.join('\n'),
      );
      return undefined;
    },
  });

/** A number that is more than nothing. @throws invalid_request */
const positive = (text: string | undefined, what: string, usual: number): number => {
  const value = text === undefined ? usual : Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw refused('invalid_request', `--${what} must be a number above 0, not "${text}".`);
};

/** Adds `session tape` and `session replay`. */
export const addTapeCommands = (group: Command): void => {
  addTape(group);
  defineCommand(group, {
    usage: 'replay <session>',
    does: 'Play what a terminal of a session showed in this terminal; Ctrl-C ends it',
    options: [
      ['-t, --terminal <terminal>', 'which one, by id or title; the first unless given'],
      ['-s, --speed <factor>', 'how much faster; 1 unless given'],
      ['-i, --idle <seconds>', 'longer pauses are cut to this; 2 unless given'],
    ],
    examples: ['session replay my-session', 'session replay my-session --speed 4 --idle 0.5'],
    act: async (given) => {
      const { context, options } = given;
      const speed = positive(textOption(options, 'speed'), 'speed', 1);
      const idleMs = positive(textOption(options, 'idle'), 'idle', 2) * 1_000;
      const tape = await tapeOf(given);
      const [terminal] = chosen(tape, textOption(options, 'terminal'));
      if (terminal !== undefined) await playTape(context, tape, terminal, { speed, idleMs });
      return undefined;
    },
  });
};
