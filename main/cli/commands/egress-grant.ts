// `sandlot egress grant|grants|revoke`: what a person allows beside the policy, or as a new rule of it.
import type { Command } from 'commander';
import type { CallInput, CallOutput } from '../../../sandbox-engine/contract/calls.ts';
import type { EgressGrant } from '../../../sandbox-engine/contract/model.ts';
import type { CommandContext } from '../command-context.ts';
import { refused } from '../command-failed.ts';
import { defineCommand, firstWord, textOption } from '../define-command.ts';
import { findEnvironment, findSession } from '../find-by-name.ts';
import { toFacts, toTable } from '../print.ts';

const terms = ['session', '15m', 'always'] as const;

type Asked = CallInput<'egress.grant'>;
type Owner = Pick<Asked, 'session_id' | 'environment_id'>;

const readTerm = (given: string | undefined): Asked['for'] => {
  const term = terms.find((known) => known === (given ?? 'session'));
  if (term === undefined) throw refused('invalid_request', `"${given}" is no time.`, 'Give --for session, --for 15m or --for always.');
  return term;
};

const ownerOf = async (context: CommandContext, options: Record<string, unknown>): Promise<Owner> => {
  const [session, environment] = [textOption(options, 'session'), textOption(options, 'environment')];
  if (session !== undefined) return { session_id: (await findSession(context, session)).id };
  if (environment !== undefined) return { environment_id: (await findEnvironment(context, environment)).id };
  throw refused('invalid_request', 'For whom? Nothing was given.', 'Give --session SESSION or --environment ENVIRONMENT.');
};

/** What the policy is now, as the proof that it was seen. */
const accessSeen = async ({ ask }: CommandContext, { environment_id, session_id = '' }: Owner): Promise<Pick<Asked, 'expected_access'>> => {
  const id = environment_id ?? (await ask('sessions.get', { session_id })).environment_id;
  const { network_policy, privileged } = await ask('environments.get', { environment_id: id });
  return { expected_access: { network_policy, privileged } };
};

const describe = ({ rule, insert_at, grant, applied_to, warnings }: CallOutput<'egress.grant'>): string =>
  toFacts({
    Rule: JSON.stringify(rule),
    Stands: insert_at === null ? null : `as rule ${insert_at + 1} of the environment`,
    Grant: grant?.id ?? '(preview: nothing was changed)',
    Until: grant?.until ?? null,
    Reached: applied_to.join(', ') || null,
    Warning: warnings.map(({ message }) => message).join(' ') || null,
  });

const addGrant = (group: Command): void =>
  defineCommand(group, {
    usage: 'grant <destination>',
    does: 'Allow one destination: for a session, for 15 minutes, or for good as a rule of the environment',
    options: [
      ['-s, --session <session>', 'for this session'],
      ['-e, --environment <environment>', 'for every sandbox of this environment: for 15m or always'],
      ['--for <time>', 'session, 15m or always; else session'],
      ['--reason <reason>', 'why it was blocked, where the log says not_recognised or private_address'],
      ['--preview', 'only show the rule and where it would stand'],
      ['--accept-access', 'for always: agree to the access of the environment as it stands now'],
    ],
    examples: ['egress grant api.example.com:443 --session my-session', 'egress grant api.example.com:443 -e web --for always --preview'],
    act: async (given) => {
      const { context, options } = given;
      const term = readTerm(textOption(options, 'for'));
      const owner = await ownerOf(context, options);
      const reason = textOption(options, 'reason') as Asked['reason'];
      const answer = await context.ask('egress.grant', {
        ...{ destination: firstWord(given), for: term },
        ...owner,
        ...(options['acceptAccess'] === true ? await accessSeen(context, owner) : {}),
        ...(reason === undefined ? {} : { reason }),
        ...(options['preview'] === true ? { preview: true } : {}),
      });
      context.print.result(answer, () => describe(answer));
      return undefined;
    },
  });

type Sessions = ReadonlyMap<string, CallOutput<'sessions.get'>>;

/** The sessions that some of them are for; one that is gone is not among them. */
const sessionsOf = async ({ ask }: CommandContext, grants: readonly EgressGrant[]): Promise<Sessions> => {
  const ids = new Set(grants.flatMap(({ session_id: id, revoked_at }) => (id === null || revoked_at !== null ? [] : [id])));
  const found = await Promise.all([...ids].map((id) => ask('sessions.get', { session_id: id }).catch(() => null)));
  return new Map(found.flatMap((session) => (session === null ? [] : [[session.id, session]])));
};

/** `session`: null where it is for all of an environment, undefined where its session is gone. */
const untilText = ({ revoked_at, until, environment_id }: EgressGrant, session: CallOutput<'sessions.get'> | null | undefined): string => {
  if (revoked_at !== null) return `taken back ${revoked_at}`;
  if (session === undefined) return 'ended with its session';
  if (session !== null && session.environment_id !== environment_id) return 'ended with the move of its session';
  return until ?? (session === null ? 'no end' : 'the end of its session');
};

/** Adds what is about grants. */
export const addGrantCommands = (group: Command): void => {
  addGrant(group);
  defineCommand(group, {
    usage: 'grants [environment]',
    does: 'List what was granted, by whom and until when',
    examples: ['egress grants web'],
    act: async ({ context, args }) => {
      const of = args[0] === undefined ? {} : { environment_id: (await findEnvironment(context, args[0])).id };
      const answer = await context.ask('egress.grants', of);
      const sessions = await sessionsOf(context, answer.grants);
      const rows = answer.grants.map((one) => [
        ...[one.id, one.destination, one.for, one.session_id ?? 'all', one.granted_by, one.granted_at],
        untilText(one, one.session_id === null ? null : sessions.get(one.session_id)),
      ]);
      context.print.result(answer, () => toTable(['ID', 'DESTINATION', 'FOR', 'SESSION', 'BY', 'SINCE', 'UNTIL'], rows));
      return undefined;
    },
  });
  defineCommand(group, {
    usage: 'revoke <grant>',
    does: 'Take back a grant; what it opened is closed within a second',
    examples: ['egress revoke grt_01k0000000000000000000000'],
    act: async (given) => {
      const grant = await given.context.ask('egress.revoke', { grant_id: firstWord(given) });
      given.context.print.result(grant, () => `${grant.destination} is no longer granted.`);
      return undefined;
    },
  });
};
