// `sandlot session screenshot | screen ...`: the desktop of a session, for scripts and agents.
import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import type { CallInput } from '../../../sandbox-engine/contract/calls.ts';
import { refused } from '../command-failed.ts';
import { defineCommand, firstWord, type Given, textOption } from '../define-command.ts';
import { findSession } from '../find-by-name.ts';
import { writeAll } from '../follow-stream.ts';

type Action = CallInput<'screen.act'>['actions'][number];

const addScreenshot = (group: Command): void =>
  defineCommand(group, {
    usage: 'screenshot <session>',
    does: 'Take a picture of the desktop of a session, as PNG on stdout or into a file; it may show secrets',
    options: [['-f, --file <file>', 'write it there instead']],
    examples: ['session screenshot my-session > screen.png', 'session screenshot my-session --file screen.png'],
    act: async (given) => {
      const { context, options } = given;
      const session = await findSession(context, firstWord(given));
      const file = textOption(options, 'file');
      if (file === undefined && process.stdout.isTTY && context.print.mode !== 'json')
        throw refused('invalid_request', 'A picture is nothing for a terminal.', 'sandlot session screenshot SESSION > screen.png');
      const picture = await context.ask('screen.screenshot', { session_id: session.id });
      const bytes = Buffer.from(picture.data, 'base64');
      if (file !== undefined) await writeFile(file, bytes);
      else if (context.print.mode !== 'json') await writeAll(process.stdout, bytes);
      const { width, height, size } = picture;
      const told = file === undefined ? picture : { width, height, size, file };
      if (file !== undefined || context.print.mode === 'json')
        context.print.result(told, () => `${file}: ${width} × ${height}, ${size} bytes`);
      return undefined;
    },
  });

const act = async (given: Given, action: Action): Promise<undefined> => {
  const { context } = given;
  const session = await findSession(context, firstWord(given));
  const done = await context.ask('screen.act', { session_id: session.id, actions: [action] });
  context.print.result(done, () => 'Done.');
};

const numberOf = (word: string | undefined, what: string): number => {
  const found = Number(word);
  if (word !== undefined && word !== '' && Number.isInteger(found)) return found;
  throw refused('invalid_request', `"${word ?? ''}" is no ${what}.`, 'Give a whole number.');
};

const placeOf = ({ args }: Given): { x: number; y: number } => ({ x: numberOf(args[1], 'column'), y: numberOf(args[2], 'row') });

const buttons = ['left', 'middle', 'right'] as const;

const buttonOf = (word = 'left'): (typeof buttons)[number] => {
  const found = buttons.find((button) => button === word);
  if (found !== undefined) return found;
  throw refused('invalid_request', `There is no button "${word}".`, 'Give left, middle or right.');
};

const addHands = (screen: Command): void => {
  defineCommand(screen, {
    usage: 'type <session> <text>',
    does: 'Type a text where the focus of the desktop is',
    examples: ["session screen type my-session 'hello'"],
    act: (given) => act(given, { do: 'type', text: given.args[1] ?? '' }),
  });
  defineCommand(screen, {
    usage: 'key <session> <keys>',
    does: 'Press keys together; names as X has them',
    examples: ['session screen key my-session ctrl+l', 'session screen key my-session Return'],
    act: (given) => act(given, { do: 'key', keys: given.args[1] ?? '' }),
  });
  defineCommand(screen, {
    usage: 'click <session> <x> <y>',
    does: 'Click at a place, counted from the top left',
    options: [
      ['--button <button>', 'left, middle or right'],
      ['--times <count>', '2 is a double click'],
    ],
    examples: ['session screen click my-session 640 400', 'session screen click my-session 20 785 --times 2'],
    act: (given) => {
      const times = textOption(given.options, 'times') ?? '1';
      const button = buttonOf(textOption(given.options, 'button'));
      return act(given, { do: 'click', ...placeOf(given), button, times: numberOf(times, 'count') });
    },
  });
  defineCommand(screen, {
    usage: 'scroll <session> <x> <y> <by>',
    does: 'Turn the wheel at a place; below 0 is up',
    examples: ['session screen scroll my-session 640 400 5'],
    act: (given) => act(given, { do: 'scroll', ...placeOf(given), by: numberOf(given.args[3], 'number of steps') }),
  });
};

/** Adds `session screenshot` and `session screen`. */
export const addScreenCommands = (group: Command): void => {
  addScreenshot(group);
  addHands(group.command('screen').description('Mouse and keyboard of the desktop of a session, for scripts and agents'));
};
