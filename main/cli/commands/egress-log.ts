// `sandlot egress ...`: what sandboxes tried to reach, grants, a policy tried on the past, a policy made from it.
import type { Command } from 'commander';
import type { CallInput } from '../../../sandbox-engine/contract/calls.ts';
import { outcomeOf } from '../../../sandbox-engine/contract/egress-outcome.ts';
import type { AppEvent } from '../../../sandbox-engine/contract/events.ts';
import type { LoggedAttempt, PolicyProposal } from '../../../sandbox-engine/contract/model.ts';
import { counted } from '../../../sandbox-engine/index.ts';
import type { CommandContext } from '../command-context.ts';
import { refused } from '../command-failed.ts';
import { defineCommand, firstWord, type Given, textOption } from '../define-command.ts';
import { attemptTable, attemptText, destinationTable, proposalText, replayText } from '../egress-text.ts';
import { readInput } from '../environment-file.ts';
import { exitCodes } from '../exit-codes.ts';
import { findEnvironment, findSession } from '../find-by-name.ts';
import { addGrantCommands } from './egress-grant.ts';

type Scope = Pick<CallInput<'egress.log'>, 'environment_id' | 'session_id' | 'setup_run_id' | 'verdict' | 'text'>;

/** What is asked for of what became of them. @throws invalid_request for both, which nothing is */
const verdictOf = ({ blocked, failed }: Given['options']): Pick<Scope, 'verdict'> => {
  if (blocked === true && failed === true)
    throw refused('invalid_request', 'Nothing is blocked and failed at once.', 'Give one of the two.');
  if (blocked === true) return { verdict: 'blocked' };
  return failed === true ? { verdict: 'failed' } : {};
};

const scopeOf = async ({ context, options, args }: Given): Promise<Scope> => {
  const [session, run, text] = [textOption(options, 'session'), textOption(options, 'run'), textOption(options, 'text')];
  return {
    ...(args[0] === undefined ? {} : { environment_id: (await findEnvironment(context, args[0])).id }),
    ...(session === undefined ? {} : { session_id: (await findSession(context, session)).id }),
    ...(run === undefined ? {} : { setup_run_id: run }),
    ...verdictOf(options),
    ...(text === undefined ? {} : { text }),
  };
};

const isMeant = (attempt: LoggedAttempt, scope: Scope): boolean =>
  (scope.environment_id ?? attempt.environment_id) === attempt.environment_id &&
  (scope.session_id ?? scope.setup_run_id ?? attempt.sandbox_id) === attempt.sandbox_id &&
  (scope.verdict === undefined || scope.verdict === outcomeOf(attempt)) &&
  (scope.text === undefined || `${attempt.host ?? ''}:${attempt.port ?? ''}`.includes(scope.text.toLowerCase()));

/** Prints the newest and then what comes, until Ctrl-C or the host ends: a line each, in JSON mode one JSON value a line. */
const follow = async ({ print, ask, hear, host }: CommandContext, scope: Scope, limit: number): Promise<void> => {
  const written = new Set<string>();
  const write = (attempt: LoggedAttempt): void => {
    // One that lasts is told of again when it is over: that is another line, since what is printed stays.
    written.add(attempt.id);
    print.line(attempt, () => attemptText(attempt));
  };
  let early: LoggedAttempt[] | null = [];
  await hear((event: AppEvent) => {
    if (event.name !== 'egress.attempts') return;
    const meant = event.payload.attempts.filter((attempt) => isMeant(attempt, scope));
    if (early === null) meant.forEach(write);
    else early.push(...meant);
    if (event.payload.left_off > 0) print.note(`${event.payload.left_off} more came at the same moment; the log has them.`);
  });
  const page = await ask('egress.log', { ...scope, limit });
  page.attempts.reverse().forEach(write);
  early.filter(({ id }) => !written.has(id)).forEach(write);
  early = null;
  await (await host()).closed;
};

type Asked = CallInput<'egress.log'>;

const printPage = async ({ ask, print }: CommandContext, asked: Asked): Promise<void> => {
  const page = await ask('egress.log', asked);
  print.result(page, () => attemptTable(page.attempts));
  if (page.older > 0) print.note(`${counted(page.older, 'older attempt is', 'older attempts are')} counted by destination only: --grouped`);
  if (page.next_after !== null) print.note(`There is more: --cursor ${page.next_after}`);
};

const printSums = async ({ ask, print }: CommandContext, { after: _noPages, ...asked }: Asked): Promise<void> => {
  const sums = await ask('egress.summary', asked);
  print.result(sums, () => destinationTable(sums));
};

const addLog = (group: Command): void =>
  defineCommand(group, {
    usage: 'log [environment]',
    does: 'Show what sandboxes tried to reach, the newest first: of one environment, session or setup run, or of all',
    options: [
      ['-s, --session <session>', 'of one session'],
      ['-r, --run <run>', 'of one setup run'],
      ['-b, --blocked', 'only what was blocked'],
      ['--failed', 'only what was let through and then not found or not reached'],
      ['-t, --text <text>', 'only with this in host:port'],
      ['-l, --limit <count>', 'how many at most, 1 to 2000'],
      ['-c, --cursor <cursor>', 'where the page before ended'],
      ['-g, --grouped', 'by destination, with the rule that would allow what is blocked'],
      ['-f, --follow', 'then what comes, until Ctrl-C; with -o json one JSON value a line'],
    ],
    examples: [
      'egress log web --blocked',
      'egress log web --grouped',
      'egress log --session my-session --follow',
      'egress log web -o json',
    ],
    act: async (given) => {
      const { context, options } = given;
      const scope = await scopeOf(given);
      const limit = textOption(options, 'limit');
      if (options['follow'] === true) {
        await follow(context, scope, Number(limit ?? 20));
        return exitCodes.host;
      }
      await (options['grouped'] === true ? printSums : printPage)(context, {
        ...scope,
        ...(limit === undefined ? {} : { limit: Number(limit) }),
        ...(textOption(options, 'cursor') === undefined ? {} : { after: textOption(options, 'cursor') }),
      });
      return undefined;
    },
  });

const addPropose = (group: Command): void =>
  defineCommand(group, {
    usage: 'propose <run>',
    does: 'Propose the smallest policy that covers what a setup run, a session or an environment contacted',
    options: [
      ['-b, --blocked', 'cover what was blocked too, where a rule can allow it'],
      ['--save', 'save it as the policy of the environment; needs --accept-access'],
      ['--accept-access', 'with --save: agree to the access of the environment as it stands now'],
    ],
    examples: [
      'egress propose run_01k0000000000000000000000',
      'egress propose my-session --blocked -o json',
      'egress propose run_01k0000000000000000000000 --save --accept-access',
    ],
    act: async (given) => {
      const { context, options } = given;
      const asked = firstWord(given);
      const of = asked.startsWith('run_') ? { setup_run_id: asked } : await sessionOrEnvironment(context, asked);
      const proposal = await context.ask('egress.propose', { ...of, include_blocked: options['blocked'] === true });
      context.print.result(proposal, () => proposalText(proposal));
      if (options['save'] === true) await saveProposal(context, of, proposal, options['acceptAccess'] === true);
      return undefined;
    },
  });

type Contacted = Pick<CallInput<'egress.propose'>, 'environment_id' | 'session_id' | 'setup_run_id'>;

const environmentOf = async ({ ask }: CommandContext, { environment_id, session_id, setup_run_id = '' }: Contacted): Promise<string> => {
  if (environment_id !== undefined) return environment_id;
  if (session_id !== undefined) return (await ask('sessions.get', { session_id })).environment_id;
  return (await ask('setup_runs.get', { setup_run_id })).environment_id;
};

/** Saves it by the ordinary change of access. @throws precondition_required without the agreement @throws precondition_failed */
const saveProposal = async (context: CommandContext, of: Contacted, { policy }: PolicyProposal, isAgreed: boolean): Promise<void> => {
  const { id, name, network_policy, privileged, revision } = await context.ask('environments.get', {
    environment_id: await environmentOf(context, of),
  });
  const seen = isAgreed ? { expected_access: { network_policy, privileged } } : {};
  await context.ask('environments.update', { environment_id: id, patch: { network_policy: policy, revision, ...seen } });
  context.print.note(`Saved as the network policy of ${name}. Prove it: sandlot setup run ${id} --wait`);
};

/** A session of this name, else an environment. */
const sessionOrEnvironment = async (context: CommandContext, asked: string) => {
  if (asked.startsWith('env_')) return { environment_id: asked };
  const { sessions } = await context.ask('sessions.list', {});
  const isSession = sessions.some(({ id, name }) => id === asked || name === asked);
  return isSession
    ? { session_id: (await findSession(context, asked)).id }
    : { environment_id: (await findEnvironment(context, asked)).id };
};

/** A policy, or a whole body with one in it. @throws invalid_request */
const readPolicyText = (text: string): unknown => {
  try {
    const value = JSON.parse(text) as unknown;
    const isBody = value !== null && typeof value === 'object' && 'network_policy' in value;
    return isBody ? value.network_policy : value;
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : '';
    throw refused('invalid_request', `The file is not JSON: ${why}`, 'Write the policy as {"version":"v1","rules":[...]}.');
  }
};

const addReplay = (group: Command): void =>
  defineCommand(group, {
    usage: 'replay <environment>',
    does: 'Try a policy on everything that the sandboxes of an environment did: what would now be blocked; nothing is saved',
    options: [['-f, --file <file>', 'the policy as JSON; - is standard input']],
    examples: [
      'egress replay web --file policy.json',
      'egress propose run_01k0000000000000000000000 -o json | jq .policy | sandlot egress replay web -f -',
    ],
    act: async (given) => {
      const { context, options } = given;
      const file = textOption(options, 'file');
      if (file === undefined) throw refused('invalid_request', 'Which policy? Nothing was given.', 'Give --file policy.json, or --file -.');
      const environment = await findEnvironment(context, firstWord(given));
      const network_policy = readPolicyText(await readInput(file));
      const replay = await context.ask('egress.replay', { environment_id: environment.id, network_policy });
      context.print.result(replay, () => replayText(replay));
      return undefined;
    },
  });

/** Adds to `egress` what is about the log. */
export const addEgressLogCommands = (program: Command): void => {
  const known = program.commands.find((command) => command.name() === 'egress');
  const group = known ?? program.command('egress').description('The network of sandboxes: what was tried, what is allowed');
  addLog(group);
  addGrantCommands(group);
  addPropose(group);
  addReplay(group);
};
