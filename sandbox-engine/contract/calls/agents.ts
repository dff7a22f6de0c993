// Calls about agents: which environments each may use, and what that opens.
import { z } from 'zod';
import { agentAccess, agentId, agentView, environmentId } from '../model.ts';
import { cursor, done, idempotencyKey, name } from './input.ts';

const byAgent = z.strictObject({ agent_id: agentId });

/** When given and not the stored one: 409 `revision_conflict`. */
const revision = z.number().int().positive().optional();

const oneEnvironment = byAgent.extend({ environment_id: environmentId, revision });

export const agentCalls = {
  'agents.create': {
    input: z.strictObject({
      body: z.strictObject({
        name,
        description: z.string().optional(),
        /** In their order; the first is the default unless another one is named. */
        environment_ids: z.array(environmentId).optional(),
        default_environment_id: environmentId.optional(),
      }),
      idempotency_key: idempotencyKey,
    }),
    output: agentView,
  },
  'agents.get': { input: byAgent, output: agentView },
  /** Newest first. */
  'agents.list': {
    input: z.strictObject({
      limit: z.number().int().min(1).max(100).optional(),
      cursor,
      /** Matches name or id, any case. */
      search: z.string().optional(),
      /** Only those that it is attached to. */
      environment_id: environmentId.optional(),
    }),
    output: z.strictObject({ agents: z.array(agentView), next_cursor: z.string().nullable(), total: z.number().int() }),
  },
  /** What is left out stays. `environment_ids` replaces the list and its order; `default_environment_id: null` makes the first the default. */
  'agents.update': {
    input: byAgent.extend({
      patch: z.strictObject({
        name: name.optional(),
        description: z.string().optional(),
        environment_ids: z.array(environmentId).optional(),
        default_environment_id: environmentId.nullable().optional(),
        revision,
      }),
    }),
    output: agentView,
  },
  /** For good; its environments stay as they are. */
  'agents.delete': { input: byAgent, output: done },
  /** At the end of the list, or at that place, 0 being the first. Attached already, it is moved when a place is given. */
  'agents.attach': { input: oneEnvironment.extend({ position: z.number().int().nonnegative().optional() }), output: agentView },
  /** When it was the default, the first of those that stay is. */
  'agents.detach': { input: oneEnvironment, output: agentView },
  /** One that is attached; it stays the default whatever the order. */
  'agents.set_default': { input: oneEnvironment, output: agentView },
  /** All that the agent can reach: the union over its environments, rule by rule, presets expanded. */
  'agents.access': { input: byAgent, output: agentAccess },
} as const;
