// Turns what a person wrote (id, slug or name) into the one thing it means.
import type { AgentView, EnvironmentView, Session, Template } from '../../sandbox-engine/contract/model.ts';
import type { CommandContext } from './command-context.ts';
import { refused } from './command-failed.ts';

const isId = (prefix: string, text: string): boolean => new RegExp(`^${prefix}_[0-9a-z]{26}$`).test(text);

const theOne = <T extends { id: string }>(found: T[], noun: string, asked: string, next: string): T => {
  const [first, second] = found;
  if (first === undefined) throw refused('not_found', `There is no ${noun} "${asked}".`, next);
  if (second !== undefined) {
    throw refused(
      'invalid_request',
      `"${asked}" means ${found.length} ${noun}s: ${found.map(({ id }) => id).join(', ')}.`,
      'Give the id of one of them.',
    );
  }
  return first;
};

const allEnvironments = async ({ ask }: CommandContext, search?: string): Promise<EnvironmentView[]> => {
  const all: EnvironmentView[] = [];
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const page = await ask('environments.list', {
      limit: 100,
      include_archived: true,
      ...(search === undefined ? {} : { search }),
      ...(cursor === undefined ? {} : { cursor }),
    });
    all.push(...page.environments);
    cursor = page.next_cursor;
  }
  return all;
};

/** The environment that an id, a slug or a name means; the slug of one that is the name of another means two. @throws not_found, invalid_request */
export const findEnvironment = async (context: CommandContext, asked: string): Promise<EnvironmentView> => {
  if (isId('env', asked)) return await context.ask('environments.get', { environment_id: asked });
  const named = (await allEnvironments(context, asked)).filter(({ name, slug }) => name === asked || slug === asked);
  const found = named.length > 0 ? named : (await allEnvironments(context)).filter(({ slug }) => slug === asked);
  return theOne(found, 'environment', asked, 'See `sandlot env list --all`.');
};

/** The session that an id or a name means; one that is neither over nor deleted goes first. @throws not_found, invalid_request */
export const findSession = async (context: CommandContext, asked: string): Promise<Session> => {
  if (isId('ses', asked)) return await context.ask('sessions.get', { session_id: asked });
  const { sessions } = await context.ask('sessions.list', {});
  const named = sessions.filter(({ name }) => name === asked);
  const living = named.filter(({ status, deleted_at: deletedAt }) => status !== 'ended' && !deletedAt);
  return theOne(living.length > 0 ? living : named, 'session', asked, 'See `sandlot session list`.');
};

const allAgents = async ({ ask }: CommandContext, search: string): Promise<AgentView[]> => {
  const all: AgentView[] = [];
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const page = await ask('agents.list', { search, ...(cursor === undefined ? {} : { cursor }) });
    all.push(...page.agents);
    cursor = page.next_cursor;
  }
  return all;
};

/** The agent that an id or a name means. @throws not_found */
export const findAgent = async (context: CommandContext, asked: string): Promise<AgentView> => {
  if (isId('agt', asked)) return await context.ask('agents.get', { agent_id: asked });
  const named = (await allAgents(context, asked)).filter(({ name }) => name.toLowerCase() === asked.toLowerCase());
  return theOne(named, 'agent', asked, 'See `sandlot agent list`.');
};

/** The template that an id or a name means. @throws not_found */
export const findTemplate = async (context: CommandContext, asked: string): Promise<Template> => {
  const { items } = await context.ask('templates.list', {});
  const found = items.filter(({ id, name }) => id === asked || name.toLowerCase() === asked.toLowerCase());
  return theOne(found, 'template', asked, 'See `sandlot template list`.');
};
