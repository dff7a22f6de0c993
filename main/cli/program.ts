// The command line as a whole: all commands, and what happens to words that nobody understands.
import { Command, CommanderError } from 'commander';
import { product } from '../host/product.ts';
import { failureOf, refused } from './command-failed.ts';
import { addActivityCommand } from './commands/activity.ts';
import { addAgentCommands } from './commands/agent.ts';
import { addBuildCommands } from './commands/build.ts';
import { addDiskCommand } from './commands/disk.ts';
import { addGeneralCommands } from './commands/doctor.ts';
import { addEgressLogCommands } from './commands/egress-log.ts';
import { addEgressPolicyCommands } from './commands/egress-policy.ts';
import { addEnvironmentCommands } from './commands/environment.ts';
import { addHostCommands } from './commands/host.ts';
import { addImageCommands } from './commands/image.ts';
import { addSecretCommands } from './commands/secret.ts';
import { addSessionCommands } from './commands/session.ts';
import { addSetupCommands } from './commands/setup.ts';
import { addTemplateCommands } from './commands/template.ts';
import { addUpCommand } from './commands/up.ts';
import { exitCodes } from './exit-codes.ts';
import { createPrinter } from './print.ts';

const epilogue = `
Answers: -o json prints one JSON value on stdout; what is for people goes to stderr.
Exit codes: 0 done, 1 failed, 2 wrong usage, 3 not found, 4 conflict, 5 no runtime, 6 no host, 130 interrupted;
            session exec and attach end with the code of what ran.
Data: SANDLOT_HOME sets the data folder.

Examples:
  $ sandlot doctor
  $ sandlot up web.yml
  $ sandlot session exec my-session -- uname -a
`;

/** Commander's own settings must stand before a command is added, since children copy them. */
const settle = (program: Command): Command =>
  program
    .name('sandlot')
    .description('Define, build, prove and run sandboxes on the Docker or Podman that is already here')
    .version(product.version)
    .exitOverride()
    .configureOutput({ outputError: () => undefined })
    .showSuggestionAfterError()
    .addHelpText('after', epilogue);

/** All commands of `sandlot`. */
export const createProgram = (): Command => {
  const program = settle(new Command());
  addUpCommand(program);
  addEnvironmentCommands(program);
  addBuildCommands(program);
  addSetupCommands(program);
  addSecretCommands(program);
  addSessionCommands(program);
  addAgentCommands(program);
  addTemplateCommands(program);
  addEgressLogCommands(program);
  addEgressPolicyCommands(program);
  addImageCommands(program);
  addActivityCommand(program);
  addGeneralCommands(program);
  addDiskCommand(program);
  addHostCommands(program);
  return program;
};

const asksForJson = (words: readonly string[]): boolean => {
  const own = words.includes('--') ? words.slice(0, words.indexOf('--')) : words;
  return own.some(
    (word, at) => word === '-ojson' || word === '--output=json' || ((word === '-o' || word === '--output') && own[at + 1] === 'json'),
  );
};

/** Runs one command line (without `node` and the script); the answer is in `process.exitCode`. */
export const runProgram = async (words: string[]): Promise<void> => {
  const program = createProgram();
  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (thrown) {
    if (!(thrown instanceof CommanderError)) throw thrown;
    if (thrown.exitCode === 0) return;
    const isHelp = thrown.code === 'commander.help';
    const { error } = failureOf(
      refused(
        'invalid_request',
        isHelp ? 'Which command? Nothing was given.' : thrown.message.replace(/^error: /, ''),
        'See `sandlot --help`.',
      ),
    );
    createPrinter(asksForJson(words) ? 'json' : 'table').error(error);
    process.exitCode = exitCodes.usage;
  }
};
