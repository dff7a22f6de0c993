// `sandlot session ...`: live sandboxes.
import type { Command } from 'commander';
import type { Session } from '../../../sandbox-engine/contract/model.ts';
import { attachTerminal } from '../attach-terminal.ts';
import type { CommandContext } from '../command-context.ts';
import { refused } from '../command-failed.ts';
import { defineCommand, firstWord, manyOption, textOption } from '../define-command.ts';
import { exitCodes } from '../exit-codes.ts';
import { findEnvironment, findSession } from '../find-by-name.ts';
import { launchSession } from '../launch-session.ts';
import { launchTarget } from '../launch-target.ts';
import { measureSessions, usedCells } from '../measure-sessions.ts';
import { toFacts, toTable } from '../print.ts';
import { parseSecrets, readSecretFiles } from '../read-secret.ts';
import { runCommand } from '../run-command.ts';
import { keptText } from '../session-life-text.ts';
import { addChangeCommands } from './session-changes.ts';
import { addEditorCommands } from './session-editor.ts';
import { addFileCommands } from './session-files.ts';
import { addSessionLife } from './session-life.ts';
import { addPortCommands } from './session-ports.ts';
import { addPromoteCommand } from './session-promote.ts';
import { addScreenCommands } from './session-screen.ts';
import { addTapeCommands } from './session-tape.ts';
import { addUsageCommand } from './session-usage.ts';
import { addStartScriptCommand } from './start-script.ts';

const reviewOf = ({ id, workspace_start: start, offered_file: file }: Session): string =>
  `sandlot session cp ${id}:${start?.root}/${file} -`;

const describe = (session: Session): string =>
  toFacts({
    Session: session.id,
    Name: session.name,
    Environment: session.environment_name,
    Status: session.status,
    Image: session.image_source,
    Network: session.observed ? `${session.network}, observed: everything public passes` : session.network,
    Gate: session.gate_over === undefined ? null : { socket: 'unix socket', tcp: 'TCP' }[session.gate_over],
    Runtime: session.runtime,
    Secrets: session.secrets.join(', ') || null,
    'Secret files': session.secret_files.map((name) => `/run/secrets/${name}`).join(', ') || null,
    Kept: keptText(session),
    ...(session.offered_file === undefined
      ? {}
      : { Brings: `an environment, ${session.offered_file}; nothing of it was applied. To review it: ${reviewOf(session)}` }),
    Message: session.message ?? session.fallback,
  });

const show = ({ print }: CommandContext, session: Session): number => {
  print.result(session, () => describe(session));
  return session.status === 'failed' ? exitCodes.failed : exitCodes.ok;
};

const addLaunch = (group: Command): void =>
  defineCommand(group, {
    usage: 'launch [environment]',
    does: 'Start a session and wait until it runs',
    options: [
      ['-n, --name <name>', 'its name'],
      ['--agent <agent>', 'for this agent: its default environment, or the one named when that is attached to it'],
      ['--attach', 'open a shell in it at once'],
      ['--secret <NAME=value>', 'a secret for this session alone, and once for each; NAME takes it from your own variables', 'many'],
      ['--secret-file <NAME=path>', 'the same, given as a file: /run/secrets/NAME; its value is read from the path here', 'many'],
      ['--observe', 'open its network: everything public passes and is written down, until: sandlot session enforce'],
    ],
    examples: [
      'session launch web',
      'session launch web --attach',
      'session launch web --observe',
      'session launch web --secret GH_TOKEN',
      'session launch --agent builder',
    ],
    act: async (given) => {
      const { context, options, args } = given;
      const environmentId = await launchTarget(context, { environment: args[0], agent: textOption(options, 'agent') });
      const secrets = parseSecrets(manyOption(options, 'secret'), context.env);
      const secretFiles = await readSecretFiles(manyOption(options, 'secretFile'));
      const observe = options['observe'] === true;
      const name = textOption(options, 'name');
      const session = await launchSession(context, { environmentId, name, secrets, secretFiles, observe });
      if (options['attach'] === true && session.status === 'running') return await attachTerminal(context, session.id);
      return show(context, session);
    },
  });

const addList = (group: Command): void =>
  defineCommand(group, {
    usage: 'list',
    does: 'List sessions',
    options: [
      ['-e, --environment <environment>', 'only those of one environment'],
      ['-a, --all', 'deleted ones, too, while that can be undone'],
      ['-u, --usage', 'with -o json, too: what those that run use of processor and memory, as "usage"; that takes a second'],
    ],
    examples: ['session list', 'session list --environment web -o json', 'session list --usage -o json'],
    act: async ({ context, options }) => {
      const asked = textOption(options, 'environment');
      const input = asked === undefined ? {} : { environment_id: (await findEnvironment(context, asked)).id };
      const all = await context.ask('sessions.list', input);
      const found = { ...all, sessions: options['all'] === true ? all.sessions : all.sessions.filter(({ deleted_at }) => !deleted_at) };
      const isMeasured = context.print.mode === 'table' || options['usage'] === true;
      const running = isMeasured ? found.sessions.filter(({ status }) => status === 'running').map(({ id }) => id) : [];
      const used = await measureSessions(context, running);
      const rows = found.sessions.map((one) => [
        one.name,
        one.id,
        one.environment_name,
        one.deleted_at ? 'deleted' : one.status,
        ...usedCells(used.get(one.id)),
        one.runtime,
        one.created_at,
      ]);
      const told = isMeasured ? { ...found, usage: Object.fromEntries(used) } : found;
      context.print.result(told, () => toTable(['NAME', 'ID', 'ENVIRONMENT', 'STATUS', 'CPU', 'MEMORY', 'RUNTIME', 'MADE'], rows));
      return undefined;
    },
  });

const addLifecycle = (group: Command): void => {
  const words = [
    ['get', 'sessions.get', 'Show one session; its id or name will do'],
    ['stop', 'sessions.stop', 'Stop a session; its workspace stays'],
    ['resume', 'sessions.resume', 'Start a stopped session again on its workspace'],
    ['restart', 'sessions.restart', 'Stop a session and start it again'],
    ['enforce', 'sessions.end_observation', 'Let the rules of an observed session decide again; what they do not allow is cut'],
  ] as const;
  for (const [word, call, does] of words) {
    defineCommand(group, {
      usage: `${word} <session>`,
      does,
      examples: [`session ${word} ses_01k0000000000000000000000`],
      act: async (given) => {
        const session = await findSession(given.context, firstWord(given));
        return show(given.context, await given.context.ask(call, { session_id: session.id }));
      },
    });
  }
};

const addInside = (group: Command): void => {
  defineCommand(group, {
    usage: 'exec <session> [command...]',
    does: "Run a command in a session; its output is ours and so is its exit code. Put -- before the command's own options",
    examples: ['session exec my-session -- ls -la', 'session exec my-session -o json -- cat /etc/os-release'],
    act: async (given) => {
      const { context, rest } = given;
      if (rest.length === 0)
        throw refused('invalid_request', 'Which command? Nothing was given.', 'sandlot session exec SESSION -- COMMAND');
      const session = await findSession(context, firstWord(given));
      const result = await runCommand(context, session.id, rest);
      if (context.print.mode === 'json') context.print.result(result, () => '');
      return result.exit_code;
    },
  });
  defineCommand(group, {
    usage: 'attach <session>',
    does: 'Open a shell in a session; ends with the exit code of the shell',
    examples: ['session attach my-session', "printf 'uname -a\\nexit 3\\n' | sandlot session attach my-session"],
    act: async (given) => await attachTerminal(given.context, (await findSession(given.context, firstWord(given))).id),
  });
};

/** Adds `session` and what is below it. */
export const addSessionCommands = (program: Command): void => {
  const group = program.command('session').description('Live sandboxes: start, enter, stop');
  addLaunch(group);
  addList(group);
  addLifecycle(group);
  addSessionLife(group);
  addInside(group);
  addChangeCommands(group);
  addFileCommands(group);
  addStartScriptCommand(group);
  addPortCommands(group);
  addUsageCommand(group);
  addTapeCommands(group);
  addPromoteCommand(group);
  addEditorCommands(group);
  addScreenCommands(group);
};
