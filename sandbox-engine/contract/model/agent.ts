// Agents: which environments each may use, which one it gets by default, and all that it can reach.
// Source: SPEC.md 8; seed kora ("Attach it to an agent").
import { z } from 'zod';
import { accessMark, accessRow } from './access.ts';
import { agentId, environmentId } from './id.ts';
import { presetId } from './network.ts';
import { isoTime } from './time.ts';

export const agent = z.strictObject({
  id: agentId,
  /** Unique, whatever its case. */
  name: z.string().min(1),
  description: z.string(),
  /** The attached environments in their order. */
  environment_ids: z.array(environmentId),
  /** The environment that it gets when it asks for none; null only when none is attached. */
  default_environment_id: environmentId.nullable(),
  /** Chosen by a person; else the first one is the default, also after a change of the order. */
  is_default_chosen: z.boolean(),
  revision: z.number().int().positive(),
  created_at: isoTime,
  updated_at: isoTime,
});
export type Agent = z.infer<typeof agent>;

/** An agent with what is known of its environments at the moment of asking, in their order. */
export const agentView = agent.extend({
  environments: z.array(
    z.strictObject({
      id: environmentId,
      name: z.string(),
      slug: z.string(),
      description: z.string(),
      is_archived: z.boolean(),
      /** `Unrestricted`, `No access`, `2 rules`. */
      access: z.string(),
    }),
  ),
});
export type AgentView = z.infer<typeof agentView>;

const giver = {
  environment_id: environmentId,
  environment_name: z.string(),
  rule: accessRow.shape.rule,
  preset: presetId.nullable(),
  /** `rule 2`, `preset npm: npm config`, `MCP server "docs"`. */
  from: z.string(),
  note: z.string().nullable(),
  /** What earlier rules of the same environment take out of it; another environment may still give it. */
  except: z.array(z.string()),
};

/** One pattern that some attached environment opens, and which of them do. */
export const agentAccessRow = z.strictObject({
  host: z.string(),
  ports: z.array(z.number().int()),
  marks: z.array(accessMark),
  given_by: z.array(z.strictObject(giver)),
});
export type AgentAccessRow = z.infer<typeof agentAccessRow>;

/** The union of what the attached environments open: an agent can use all of it, whichever of them its sandbox runs in. */
export const agentAccess = z.strictObject({
  agent_id: agentId,
  revision: z.number().int(),
  access: z.enum(['unrestricted', 'none', 'limited']),
  /** `Unrestricted, by "lab"`, `No access`, `12 hosts and 2 wildcards`. */
  headline: z.string(),
  /** The environments that open everything. */
  unrestricted_by: z.array(z.strictObject({ environment_id: environmentId, environment_name: z.string() })),
  hosts: z.number().int(),
  wildcards: z.number().int(),
  rows: z.array(agentAccessRow),
  /** Presets that open nothing yet, because nobody has asked which hosts they stand for. */
  open_presets: z.array(z.strictObject({ environment_id: environmentId, environment_name: z.string(), preset: presetId })),
  always_blocked: z.array(z.string()),
});
export type AgentAccess = z.infer<typeof agentAccess>;
