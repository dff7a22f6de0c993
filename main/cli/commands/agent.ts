// `sandlot agent ...`: which environments an agent may use, and what it can reach by them.
import type { Command } from 'commander';
import type { AgentAccess, AgentView } from '../../../sandbox-engine/contract/model.ts';
import type { CommandContext } from '../command-context.ts';
import { refused } from '../command-failed.ts';
import { agreeToFinal, yesOption } from '../confirm.ts';
import { defineCommand, firstWord, type Given, manyOption, textOption } from '../define-command.ts';
import { exitCodes } from '../exit-codes.ts';
import { findAgent, findEnvironment } from '../find-by-name.ts';
import { toFacts, toTable } from '../print.ts';

const describe = (agent: AgentView): string => {
  const facts = toFacts({
    Agent: agent.id,
    Name: agent.name,
    Description: agent.description || null,
    Revision: agent.revision,
  });
  const nothing = 'No environment is attached: it runs on the default base, at the default size, without network.';
  const rows = agent.environments.map(({ id, name, access, is_archived }, index) => [
    ...[index + 1, id === agent.default_environment_id ? 'default' : '', name, id, access],
    is_archived ? 'archived' : '',
  ]);
  return `${facts}\n\n${rows.length === 0 ? nothing : toTable(['PLACE', '', 'ENVIRONMENT', 'ID', 'ACCESS', ''], rows)}`;
};

const show = ({ print }: CommandContext, agent: AgentView): number => {
  print.result(agent, () => describe(agent));
  return exitCodes.ok;
};

const idsOf = async (context: CommandContext, asked: readonly string[]): Promise<string[]> =>
  (await Promise.all(asked.map((one) => findEnvironment(context, one)))).map(({ id }) => id);

const addCreate = (group: Command): void =>
  defineCommand(group, {
    usage: 'create <name>',
    does: 'Make an agent; the first environment that is attached is its default',
    options: [
      ['-e, --env <environment>', 'an environment to attach, in this order', 'many'],
      ['--default <environment>', 'which of them is the default, instead of the first'],
      ['-d, --description <text>', 'what it is for'],
      ['--idempotency-key <key>', 'the same key makes it only once'],
    ],
    examples: ['agent create builder --env web --env api', 'agent create helper --description "Answers questions"'],
    act: async (given) => {
      const { context, options } = given;
      const chosen = textOption(options, 'default');
      const [description, key] = [textOption(options, 'description'), textOption(options, 'idempotencyKey')];
      const agent = await context.ask('agents.create', {
        body: {
          name: firstWord(given),
          environment_ids: await idsOf(context, manyOption(options, 'env')),
          ...(chosen === undefined ? {} : { default_environment_id: (await findEnvironment(context, chosen)).id }),
          ...(description === undefined ? {} : { description }),
        },
        ...(key === undefined ? {} : { idempotency_key: key }),
      });
      return show(context, agent);
    },
  });

const addReads = (group: Command): void => {
  defineCommand(group, {
    usage: 'list',
    does: 'List agents, the newest first',
    options: [
      ['-s, --search <text>', 'only those with this in their name or id'],
      ['-e, --env <environment>', 'only those that this environment is attached to'],
      ['-l, --limit <count>', 'how many at most, 1 to 100'],
      ['-c, --cursor <cursor>', 'where the page before ended'],
    ],
    examples: ['agent list', 'agent list --env web -o json'],
    act: async ({ context, options }) => {
      const [search, cursor, limit] = [textOption(options, 'search'), textOption(options, 'cursor'), textOption(options, 'limit')];
      const environment = textOption(options, 'env');
      const page = await context.ask('agents.list', {
        ...(search === undefined ? {} : { search }),
        ...(cursor === undefined ? {} : { cursor }),
        ...(limit === undefined ? {} : { limit: Number(limit) }),
        ...(environment === undefined ? {} : { environment_id: (await findEnvironment(context, environment)).id }),
      });
      const rows = page.agents.map((one) => [
        ...[one.name, one.id, one.environments.find(({ id }) => id === one.default_environment_id)?.name ?? null],
        ...[one.environments.map(({ name }) => name).join(', ') || null, one.updated_at],
      ]);
      context.print.result(page, () => toTable(['NAME', 'ID', 'DEFAULT', 'ENVIRONMENTS', 'CHANGED'], rows));
      if (page.next_cursor !== null) context.print.note(`${page.total} in all; the next page: --cursor ${page.next_cursor}`);
      return undefined;
    },
  });
  defineCommand(group, {
    usage: 'get <agent>',
    does: 'Show one agent with its environments in their order; its id or name will do',
    examples: ['agent get builder', 'agent get builder -o json'],
    act: async (given) => show(given.context, await findAgent(given.context, firstWord(given))),
  });
};

const addUpdate = (group: Command): void =>
  defineCommand(group, {
    usage: 'update <agent>',
    does: 'Change its name, its description, or the list of its environments; what is not named stays',
    options: [
      ['-n, --name <name>', 'its new name'],
      ['-d, --description <text>', 'what it is for'],
      ['-e, --env <environment>', 'the whole list, in this order', 'many'],
    ],
    examples: ['agent update builder --name maker', 'agent update builder --env api --env web'],
    act: async (given) => {
      const { context, options } = given;
      const agent = await findAgent(context, firstWord(given));
      const [name, description] = [textOption(options, 'name'), textOption(options, 'description')];
      const environments = manyOption(options, 'env');
      if (name === undefined && description === undefined && environments.length === 0)
        throw refused('invalid_request', 'Nothing to change was given.', 'Give --name, --description or --env.');
      const patch = {
        ...(name === undefined ? {} : { name }),
        ...(description === undefined ? {} : { description }),
        ...(environments.length === 0 ? {} : { environment_ids: await idsOf(context, environments) }),
      };
      return show(context, await context.ask('agents.update', { agent_id: agent.id, patch }));
    },
  });

/** The agent and the environment that a command names first and second. */
const bothOf = async ({ context, args }: Given) => ({
  agent_id: (await findAgent(context, args[0] ?? '')).id,
  environment_id: (await findEnvironment(context, args[1] ?? '')).id,
});

const addAttachments = (group: Command): void => {
  defineCommand(group, {
    usage: 'attach <agent> <environment>',
    does: 'Let an agent use an environment',
    options: [['--position <place>', 'its place in the order, 1 being the first; else the last; it moves one that is attached']],
    examples: ['agent attach builder web', 'agent attach builder api --position 1'],
    act: async (given) => {
      const place = textOption(given.options, 'position');
      const position = place === undefined ? {} : { position: Number(place) - 1 };
      return show(given.context, await given.context.ask('agents.attach', { ...(await bothOf(given)), ...position }));
    },
  });
  defineCommand(group, {
    usage: 'detach <agent> <environment>',
    does: 'Take an environment from an agent',
    examples: ['agent detach builder web'],
    act: async (given) => show(given.context, await given.context.ask('agents.detach', await bothOf(given))),
  });
  defineCommand(group, {
    usage: 'default <agent> <environment>',
    does: 'Make an attached environment the default of an agent',
    examples: ['agent default builder api'],
    act: async (given) => show(given.context, await given.context.ask('agents.set_default', await bothOf(given))),
  });
};

const accessText = ({ headline, rows, open_presets, always_blocked }: AgentAccess): string => {
  const giver = ({ environment_name, from, except }: AgentAccess['rows'][number]['given_by'][number]): string =>
    `${environment_name} (${from}${except.length === 0 ? '' : `, not ${except.join(', ')}`})`;
  const lines = rows.map(({ host, ports, given_by }) => [host, ports.join(', '), given_by.map(giver).join('; ')]);
  const open = open_presets.map(({ environment_name, preset }) => `The preset ${preset} of "${environment_name}" is not resolved yet.`);
  return [
    headline,
    ...(lines.length === 0 ? [] : [toTable(['HOST', 'PORTS', 'GIVEN BY'], lines)]),
    ...(open.length === 0 ? [] : [open.join('\n')]),
    `Never reached:\n${always_blocked.map((line) => `  ${line}`).join('\n')}`,
  ].join('\n\n');
};

/** Adds `agent` and what is below it. */
export const addAgentCommands = (program: Command): void => {
  const group = program.command('agent').description('Agents: which environments each may use, and what it reaches by them');
  addReads(group);
  addCreate(group);
  addUpdate(group);
  addAttachments(group);
  defineCommand(group, {
    usage: 'access <agent>',
    does: 'All that an agent can reach: the union of its environments, with the rule and environment that gives each',
    examples: ['agent access builder', 'agent access builder -o json'],
    act: async (given) => {
      const agent = await findAgent(given.context, firstWord(given));
      const access = await given.context.ask('agents.access', { agent_id: agent.id });
      given.context.print.result(access, () => accessText(access));
      return undefined;
    },
  });
  defineCommand(group, {
    usage: 'delete <agent>',
    does: 'Delete an agent for good; its environments stay',
    options: [yesOption],
    examples: ['agent delete builder', 'agent delete builder --yes'],
    act: async (given) => {
      const agent = await findAgent(given.context, firstWord(given));
      await agreeToFinal(given.options, {
        question: `Delete the agent "${agent.name}" for good? Its environments stay.`,
        agreed: `sandlot agent delete ${agent.id} --yes`,
      });
      const done = await given.context.ask('agents.delete', { agent_id: agent.id });
      given.context.print.result(done, () => `"${agent.name}" is deleted; its environments stay.`);
      return undefined;
    },
  });
};
