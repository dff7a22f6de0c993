// The calls about agents: check, save, tell. An agent is told anew when one of its environments changes its name, access or place.
// Source: SPEC.md 8.
import { changeAgent, createAgent, withEnvironment, withoutEnvironment } from '../agents/agents.ts';
import { agentAccessOf, type EnvironmentAccess } from '../agents/effective-access.ts';
import { counted } from '../base/counted.ts';
import { SandlotError } from '../base/errors.ts';
import { bodyDigest } from '../base/idempotency.ts';
import type { CallArguments, CallOutput } from '../contract/calls.ts';
import type { Agent, AgentView, Environment, NetworkPolicy } from '../contract/model.ts';
import { effectiveAccess } from '../egress/effective-access.ts';
import type { HandlersOf, House } from './house.ts';

type Rooms = Pick<House, 'registry' | 'bus' | 'presets' | 'egress' | 'newId' | 'clock'>;

const findAgent = async ({ registry }: Pick<Rooms, 'registry'>, id: string): Promise<Agent> => {
  const agent = await registry.agents.find(id);
  if (agent !== null) return agent;
  throw new SandlotError('not_found', `There is no agent "${id}".`, { nextAction: 'List them with: sandlot agent list' });
};

/** The attached environments in their order; one that was lost with a damaged registry is left out. */
const environmentsOf = async ({ registry }: Pick<Rooms, 'registry'>, agent: Agent): Promise<Environment[]> => {
  const found = await Promise.all(agent.environment_ids.map((id) => registry.environments.find(id)));
  return found.filter((environment) => environment !== null);
};

const accessWords = (policy: NetworkPolicy): string => {
  if (!('rules' in policy)) return 'Unrestricted';
  const count = policy.rules.length;
  return count === 0 ? 'No access' : counted(count, 'rule');
};

/** An agent with what is known of its environments now. */
export const viewAgent = async (rooms: Pick<Rooms, 'registry'>, agent: Agent): Promise<AgentView> => ({
  ...agent,
  environments: (await environmentsOf(rooms, agent)).map(({ id, name, slug, description, archived_at, network_policy }) => ({
    ...{ id, name, slug, description, is_archived: archived_at !== null, access: accessWords(network_policy) },
  })),
});

const tell = async (rooms: Rooms, agent: Agent): Promise<AgentView> => {
  const view = await viewAgent(rooms, agent);
  rooms.bus.emit('agent.changed', view);
  return view;
};

const create = async (rooms: Rooms, { body, idempotency_key: key }: CallArguments<'agents.create'>): Promise<AgentView> => {
  const agent = createAgent(body, { id: rooms.newId('agt'), now: rooms.clock.iso() });
  const once = key === undefined ? undefined : { scope: 'agents.create', key, bodyDigest: bodyDigest(body) };
  return await tell(rooms, await rooms.registry.agents.insert(agent, once));
};

/** Saves what `make` says of the stored agent; nothing is saved or told when nothing differs. */
const change = async (rooms: Rooms, id: string, fieldsOf: (stored: Agent) => Parameters<typeof changeAgent>[1]): Promise<AgentView> => {
  const stored = await findAgent(rooms, id);
  const changed = changeAgent(stored, fieldsOf(stored), rooms.clock.iso());
  if (changed === stored) return await viewAgent(rooms, stored);
  return await tell(rooms, await rooms.registry.agents.replace(changed, stored.revision));
};

const list = async (rooms: Rooms, asked: CallArguments<'agents.list'>): Promise<CallOutput<'agents.list'>> => {
  const { limit, cursor, search, environment_id: environmentId } = asked;
  const page = await rooms.registry.agents.list({
    limit: limit ?? 100,
    ...(cursor === undefined ? {} : { cursor }),
    ...(search === undefined ? {} : { search }),
    ...(environmentId === undefined ? {} : { environmentId }),
  });
  return {
    agents: await Promise.all(page.agents.map((agent) => viewAgent(rooms, agent))),
    next_cursor: page.nextCursor,
    total: page.total,
  };
};

const access = async (rooms: Rooms, id: string): Promise<CallOutput<'agents.access'>> => {
  const agent = await findAgent(rooms, id);
  const each = (await environmentsOf(rooms, agent)).map(
    async (environment): Promise<EnvironmentAccess> => ({
      environment_id: environment.id,
      environment_name: environment.name,
      access: effectiveAccess(environment.network_policy, await rooms.presets.of(environment), rooms.egress.own),
    }),
  );
  return { agent_id: agent.id, revision: agent.revision, ...agentAccessOf(await Promise.all(each)) };
};

/** Tells the agents of an environment anew when what they show of it has changed. */
const followEnvironments = (rooms: Rooms): void => {
  const shown = new Map<string, string>();
  rooms.bus.subscribe((event) => {
    if (event.name !== 'environment.changed') return;
    const { id, name, slug, description, archived_at, network_policy } = event.payload;
    const now = JSON.stringify([name, slug, description, archived_at, network_policy]);
    const before = shown.get(id);
    shown.set(id, now);
    if (before === now) return;
    rooms.registry.agents
      .list({ limit: 100, environmentId: id })
      .then(({ agents }) => Promise.all(agents.map((agent) => tell(rooms, agent))))
      .catch(() => undefined);
  });
};

/** Makes the handlers of `agents.*`. */
export const createAgentCalls = (rooms: Rooms): HandlersOf<'agents'> => {
  followEnvironments(rooms);
  return {
    'agents.create': (asked) => create(rooms, asked),
    'agents.get': async ({ agent_id }) => await viewAgent(rooms, await findAgent(rooms, agent_id)),
    'agents.list': (asked) => list(rooms, asked),
    'agents.update': ({ agent_id, patch }) => change(rooms, agent_id, () => patch),
    'agents.delete': async ({ agent_id }) => {
      await rooms.registry.agents.remove(agent_id);
      rooms.bus.emit('agent.removed', { id: agent_id });
      return { ok: true };
    },
    'agents.attach': ({ agent_id, environment_id, position, revision }) =>
      change(rooms, agent_id, (agent) => ({
        environment_ids: withEnvironment(agent.environment_ids, environment_id, position),
        revision,
      })),
    'agents.detach': ({ agent_id, environment_id, revision }) =>
      change(rooms, agent_id, (agent) => ({ environment_ids: withoutEnvironment(agent, environment_id), revision })),
    'agents.set_default': ({ agent_id, environment_id, revision }) =>
      change(rooms, agent_id, () => ({ default_environment_id: environment_id, revision })),
    'agents.access': ({ agent_id }) => access(rooms, agent_id),
  };
};
