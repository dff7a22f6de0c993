// How a command is written down: words, what they mean, examples, and what to do. Every command can answer as JSON.
import { type Command, Option } from 'commander';
import { type CommandContext, createContext } from './command-context.ts';
import { failureOf } from './command-failed.ts';
import { exitCodes } from './exit-codes.ts';
import type { OutputMode } from './print.ts';

export interface Given {
  context: CommandContext;
  /** The words after the command, in the order of its usage; a missing optional one is undefined. */
  args: (string | undefined)[];
  /** The rest words of a command that takes many. */
  rest: string[];
  options: Record<string, unknown>;
}

export interface CommandSpec {
  /** `get <environment>` */
  usage: string;
  does: string;
  /** `many`: it may be given more than once. */
  options?: [flags: string, meaning: string, times?: 'many'][];
  examples: string[];
  /** The exit code; nothing is success. */
  act: (given: Given) => Promise<number | undefined>;
}

const run = async (command: Command, act: CommandSpec['act']): Promise<void> => {
  const options = command.opts<Record<string, unknown>>();
  const words = command.processedArgs as (string | string[] | undefined)[];
  const context = createContext(options['output'] as OutputMode, process.env);
  const given: Given = {
    context,
    args: words.map((word) => (Array.isArray(word) ? word[0] : word)),
    rest: words.find(Array.isArray) ?? [],
    options,
  };
  try {
    process.exitCode = (await act(given)) ?? exitCodes.ok;
  } catch (thrown) {
    const failure = failureOf(thrown);
    context.print.error(failure.error);
    process.exitCode = failure.exitCode;
  } finally {
    context.close();
  }
};

/** Of two usual words for the same, the one that a command is not called by leads to it, too. */
const otherWords: Record<string, string> = { rm: 'delete', delete: 'rm' };

/** Adds one command below `parent`. */
export const defineCommand = (parent: Command, { usage, does, options = [], examples, act }: CommandSpec): void => {
  const command = parent.command(usage).description(does);
  const otherWord = otherWords[command.name()];
  if (otherWord !== undefined) command.alias(otherWord);
  for (const [flags, meaning, times] of options) {
    if (times === undefined) command.option(flags, meaning);
    else command.option(flags, meaning, (value: string, before: string[] = []) => [...before, value]);
  }
  command.addOption(new Option('-o, --output <mode>', 'how to answer').choices(['table', 'json']).default('table'));
  command.addHelpText('after', `\nExamples:\n${examples.map((example) => `  $ sandlot ${example}`).join('\n')}\n`);
  command.action(async () => await run(command, act));
};

/** A text option that was given, or nothing. */
export const textOption = (options: Record<string, unknown>, name: string): string | undefined =>
  typeof options[name] === 'string' ? options[name] : undefined;

/** All values of an option that may be given more than once. */
export const manyOption = (options: Record<string, unknown>, name: string): string[] =>
  Array.isArray(options[name]) ? (options[name] as string[]) : [];

/** The first word of a command that must have one; commander has already refused its absence. */
export const firstWord = ({ args }: Given): string => args[0] ?? '';
