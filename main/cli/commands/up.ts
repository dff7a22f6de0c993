// `sandlot up`: from a file or an environment to a shell, doing only what is not done yet.
import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { EnvironmentView } from '../../../sandbox-engine/contract/model.ts';
import { counted } from '../../../sandbox-engine/index.ts';
import { attachTerminal } from '../attach-terminal.ts';
import type { CommandContext } from '../command-context.ts';
import { refused } from '../command-failed.ts';
import { defineCommand, manyOption, textOption } from '../define-command.ts';
import { digestKey, fileKey, markOf, placeOf, readInput } from '../environment-file.ts';
import { exitCodes } from '../exit-codes.ts';
import { findEnvironment } from '../find-by-name.ts';
import { launchSession } from '../launch-session.ts';
import { toFacts } from '../print.ts';
import { parseSecrets } from '../read-secret.ts';
import { runBuild } from '../run-build.ts';
import { runSetup } from '../run-setup.ts';

const usualFiles = ['.sandlot.yml', '.sandlot.yaml', 'sandlot.yml', 'sandlot.yaml'];
/** The one that was made of this file. @throws invalid_request when it was more than one */
const madeOf = async (context: CommandContext, file: string, path: string): Promise<EnvironmentView | undefined> => {
  const { environments } = await context.ask('environments.list', { metadata: { [fileKey]: path } });
  if (environments.length < 2) return environments[0];
  const ids = environments.map(({ name, id }) => `"${name}" (${id})`).join(', ');
  throw refused(
    'invalid_request',
    `${counted(environments.length, 'environment')} were made of ${file}: ${ids}.`,
    'Give one of them: sandlot up ID',
  );
};

const fromFile = async (context: CommandContext, file: string, options: Record<string, unknown>): Promise<EnvironmentView> => {
  const contents = await readInput(file);
  const metadata = markOf(file, contents);
  const known = await madeOf(context, file, metadata[fileKey]);
  if (known !== undefined) {
    if (known.metadata[digestKey] === metadata[digestKey]) return known;
    context.print.note(`${file} has changed: "${known.name}" gets what it says now.`);
    const { network_policy, privileged } = known;
    return await context.ask('environments.update_from_file', {
      environment_id: known.id,
      contents,
      file_name: placeOf(metadata[fileKey]),
      metadata,
      expected_access: { network_policy, privileged },
    });
  }
  const [name, runtime] = [textOption(options, 'name'), textOption(options, 'runtime')];
  const made = await context.ask('environments.create_from_file', {
    contents,
    file_name: placeOf(metadata[fileKey]),
    metadata,
    ...(name === undefined ? {} : { name }),
    ...(runtime === undefined ? {} : { runtime }),
  });
  context.print.note(`made environment "${made.name}" (${made.id})`);
  return made;
};

/** The environment file that is meant: the one in this folder or in the one named, or the file itself. @throws not_found */
const fileIn = (asked: string | undefined): string | undefined => {
  if (asked !== undefined && !existsSync(asked)) return undefined;
  if (asked !== undefined && !statSync(asked).isDirectory()) return asked;
  const found = usualFiles.map((name) => (asked === undefined ? name : join(asked, name))).find((path) => existsSync(path));
  if (found !== undefined || asked === undefined) return found;
  throw refused(
    'not_found',
    `There is none of ${usualFiles.join(', ')} in ${asked}.`,
    `sandlot env create --file FILE, with: repo: { source: ${resolve(asked)} }`,
  );
};

const findOrMake = async (
  context: CommandContext,
  asked: string | undefined,
  options: Record<string, unknown>,
): Promise<EnvironmentView> => {
  const file = fileIn(asked);
  if (file !== undefined) return await fromFile(context, file, options);
  if (asked !== undefined) return await findEnvironment(context, asked);
  throw refused('not_found', `There is none of ${usualFiles.join(', ')} here.`, 'Give a file or an environment: sandlot up web.yml');
};

const makeReady = async (context: CommandContext, environment: EnvironmentView): Promise<number> => {
  if (environment.image.state !== 'active') {
    const build = await runBuild(context, { environmentId: environment.id, pin: true, noCache: false });
    if (build.status !== 'succeeded') {
      context.print.note(`The build ${build.status}${build.error === null ? '.' : `: ${build.error.message}`}`);
      context.print.result(build, () => toFacts({ Build: build.id, Status: build.status, 'Failed step': build.failed_step }));
      return exitCodes.failed;
    }
  }
  const { setup_verification: verification } = await context.ask('environments.get', { environment_id: environment.id });
  if (verification.can_start_sessions) return exitCodes.ok;
  const run = await runSetup(context, environment.id, { wait: true });
  if (run.status === 'succeeded') {
    const { blocked_destinations: blocked = 0 } = run;
    const what = `The setup passed, but the network policy blocked ${counted(blocked, 'destination')}`;
    if (blocked > 0) context.print.note(`${what}: sandlot egress log --run ${run.id} --blocked`);
    return exitCodes.ok;
  }
  context.print.note(`The setup ${run.status}${run.hint === null ? '.' : `: ${run.hint}`}`);
  context.print.result(run, () =>
    toFacts({ Run: run.id, Status: run.status, 'Failed line': run.failed_line, Command: run.failed_command }),
  );
  return exitCodes.failed;
};

/** Adds `up`. */
export const addUpCommand = (program: Command): void =>
  defineCommand(program, {
    usage: 'up [file-folder-or-environment]',
    does: 'Make, build, pin and set up an environment as far as needed, launch a session, open a shell in it',
    options: [
      ['-n, --name <name>', 'the name of the environment, when it is made'],
      ['-r, --runtime <runtime>', 'its runtime, when it is made'],
      ['-d, --detach', 'only launch, open no shell'],
      ['--secret <NAME=value>', 'a secret for this session alone, and once for each; NAME takes it from your own variables', 'many'],
    ],
    examples: ['up', 'up ./my-project', 'up web.yml', 'up web --detach -o json'],
    act: async ({ context, args, options }) => {
      const secrets = parseSecrets(manyOption(options, 'secret'), context.env);
      const environment = await findOrMake(context, args[0], options);
      const ready = await makeReady(context, environment);
      if (ready !== exitCodes.ok) return ready;
      const session = await launchSession(context, { environmentId: environment.id, secrets });
      const isTerminal = process.stdin.isTTY === true && process.stdout.isTTY === true;
      if (session.status === 'running' && isTerminal && options['detach'] !== true && context.print.mode === 'table') {
        return await attachTerminal(context, session.id);
      }
      context.print.result(session, () =>
        toFacts({ Session: session.id, Name: session.name, Status: session.status, Next: `sandlot session attach ${session.id}` }),
      );
      return session.status === 'running' ? exitCodes.ok : exitCodes.failed;
    },
  });
