// `sandlot session promote`: commands that were typed in a session, into its environment. Shows what would change; saves only when told to.
import type { Command } from 'commander';
import type { CallInput, CallOutput } from '../../../sandbox-engine/contract/calls.ts';
import type { TypedCommand } from '../../../sandbox-engine/contract/model.ts';
import type { CommandContext } from '../command-context.ts';
import { refused } from '../command-failed.ts';
import { defineCommand, firstWord, type Given, textOption } from '../define-command.ts';
import { findSession } from '../find-by-name.ts';
import { plainText, toTable } from '../print.ts';

type Into = CallInput<'promote.preview'>['into'];
type Preview = CallOutput<'promote.preview'>;

const places: readonly Into[] = ['initialize', 'setup', 'session_start'];

const numberOf = (text: string, most: number): number => {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= most) return value;
  throw refused('invalid_request', `There is no command ${text}: there are 1 to ${most}.`, 'sandlot session promote SESSION');
};

/** `3`, `1,3` or `2-5`, in the order given. @throws invalid_request */
export const parseTake = (text: string, most: number): number[] =>
  text.split(',').flatMap((part) => {
    const [from = '', to = from] = part.trim().split('-');
    const [first, last] = [numberOf(from, most), numberOf(to, most)];
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
  });

const placeOf = (text: string | undefined): Into => {
  const found = places.find((place) => place === (text ?? 'session_start'));
  if (found !== undefined) return found;
  throw refused('invalid_request', `"${text}" is no place for commands.`, `One of: ${places.join(', ')}.`);
};

/** The lines that differ, with those around them: what stays at both ends is left out. Pure. */
export const changedLines = (before: string, after: string): string => {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const same = old.findIndex((line, at) => line !== now[at]);
  const head = same < 0 ? Math.min(old.length, now.length) : same;
  let tail = 0;
  while (tail < Math.min(old.length, now.length) - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  return [
    ...old.slice(Math.max(0, head - 2), head).map((line) => `  ${line}`),
    ...old.slice(head, old.length - tail).map((line) => `- ${line}`),
    ...now.slice(head, now.length - tail).map((line) => `+ ${line}`),
    ...now.slice(now.length - tail, now.length - tail + 2).map((line) => `  ${line}`),
  ].join('\n');
};

const list = ({ print }: CommandContext, found: CallOutput<'promote.history'>): void => {
  const row = ({ at, command }: TypedCommand, index: number) => [index + 1, at, command.replaceAll('\n', ' ⏎ ').slice(0, 160)];
  print.result(found, () =>
    found.commands.length === 0 ? 'Nothing was typed yet.' : toTable(['', 'TYPED', 'COMMAND'], found.commands.map(row)),
  );
  if (found.commands.length > 0) print.note('Take some of them: --take 1,3-5 --into initialize');
};

const show = ({ print }: CommandContext, preview: Preview, isSaved: boolean): void => {
  print.result({ ...preview, saved: isSaved }, () => plainText(changedLines(preview.before, preview.after)));
  print.note(isSaved ? `Saved in ${preview.environment_name}. ${preview.effect}` : `Nothing is changed yet: --save. ${preview.effect}`);
};

const act = async (given: Given): Promise<undefined> => {
  const { context, options } = given;
  const { id: session_id } = await findSession(context, firstWord(given));
  const found = await context.ask('promote.history', { session_id });
  const take = textOption(options, 'take');
  if (take === undefined) return void list(context, found);
  const commands = parseTake(take, found.commands.length).map((number) => found.commands[number - 1]?.command ?? '');
  const name = textOption(options, 'name');
  const preview = await context.ask('promote.preview', {
    ...{ session_id, commands, into: placeOf(textOption(options, 'into')) },
    ...(name === undefined ? {} : { name }),
  });
  const isSaved = options['save'] === true;
  if (isSaved) {
    const patch = { ...preview.patch, revision: preview.revision };
    await context.ask('environments.update', { environment_id: preview.environment_id, patch });
  }
  show(context, preview, isSaved);
};

/** Adds `session promote`. */
export const addPromoteCommand = (group: Command): void =>
  defineCommand(group, {
    usage: 'promote <session>',
    does: 'List the commands that were typed in a session, and take some of them into its environment; shows the change before it is saved',
    options: [
      ['-t, --take <numbers>', 'which of them: 3, or 1,3-5, in this order'],
      [
        '-i, --into <place>',
        'initialize (baked into the image), setup (the setup script) or session_start (each new session; unless given)',
      ],
      ['-n, --name <name>', 'the name of the step'],
      ['--save', 'save it'],
    ],
    examples: [
      'session promote my-session',
      'session promote my-session --take 3-5 --into initialize --name "Install tools"',
      'session promote my-session --take 3 --into setup --save',
    ],
    act,
  });
