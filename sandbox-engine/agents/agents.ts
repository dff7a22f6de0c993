// What an agent holds and what a change makes of it: pure, no clock and no disk. That its environments exist is the store's to see.
// Source: SPEC.md 8; seed kora: the first attached environment is the default, "Make default" changes it.
import { SandlotError } from '../base/errors.ts';
import type { Agent } from '../contract/model.ts';

/** What may be written of an agent. */
export interface AgentFields {
  name?: string | undefined;
  description?: string | undefined;
  environment_ids?: readonly string[] | undefined;
  /** null: the first one, whichever that is. */
  default_environment_id?: string | null | undefined;
}

const mostEnvironments = 100;

const refuse = (path: string, message: string, nextAction: string): never => {
  throw new SandlotError('invalid_request', message, { details: { path }, nextAction });
};

const checkName = (name: string): void => {
  if (name.trim() === '') refuse('/name', 'The name is blank.', 'Write at least one visible character.');
  if (/[\p{Cc}\p{Surrogate}]/u.test(name)) {
    refuse('/name', 'The name holds a control character or half a character.', 'Leave out line breaks, tabs and the like.');
  }
};

const checkList = (ids: readonly string[]): void => {
  const twice = ids.findIndex((id, index) => ids.indexOf(id) < index);
  if (twice >= 0) refuse(`/environment_ids/${twice}`, `The environment ${ids[twice]} is named twice.`, 'Name it once.');
  if (ids.length > mostEnvironments) {
    refuse('/environment_ids', `An agent can have ${mostEnvironments} environments, not ${ids.length}.`, 'Detach some of them.');
  }
};

const notAttached = (id: string): never =>
  refuse(
    '/default_environment_id',
    `The environment ${id} is not attached to this agent, so it cannot be its default.`,
    'Attach it first.',
  );

type Choice = Pick<Agent, 'default_environment_id' | 'is_default_chosen'>;

/** The default of a list: the chosen one for as long as it is in the list, else the first. */
const defaultOf = (ids: readonly string[], chosen: string | null): Choice =>
  chosen !== null && ids.includes(chosen)
    ? { default_environment_id: chosen, is_default_chosen: true }
    : { default_environment_id: ids[0] ?? null, is_default_chosen: false };

/** A new agent. @throws invalid_request */
export const createAgent = (fields: AgentFields & { name: string }, { id, now }: { id: string; now: string }): Agent => {
  const { name, description = '', environment_ids: ids = [], default_environment_id: chosen = null } = fields;
  checkName(name);
  checkList(ids);
  if (chosen !== null && !ids.includes(chosen)) notAttached(chosen);
  return {
    ...{ id, name, description, environment_ids: [...ids], ...defaultOf(ids, chosen) },
    ...{ revision: 1, created_at: now, updated_at: now },
  };
};

const checkRevision = ({ id, name, revision }: Agent, seen: number | undefined): void => {
  if (seen === undefined || seen === revision) return;
  throw new SandlotError(
    'revision_conflict',
    `"${name}" was changed by someone else: it is at revision ${revision}, not ${seen}. Read it again and repeat the change.`,
    { details: { agent_id: id, revision, expected_revision: seen }, nextAction: 'Read the agent again.' },
  );
};

/** The changed agent; the stored one itself when nothing differs. @throws invalid_request @throws revision_conflict */
export const changeAgent = (stored: Agent, fields: AgentFields & { revision?: number | undefined }, now: string): Agent => {
  checkRevision(stored, fields.revision);
  const { name = stored.name, description = stored.description, environment_ids: ids = stored.environment_ids } = fields;
  checkName(name);
  checkList(ids);
  const { default_environment_id: asked } = fields;
  if (typeof asked === 'string' && !ids.includes(asked)) notAttached(asked);
  const kept = stored.is_default_chosen ? stored.default_environment_id : null;
  const written = { name, description, environment_ids: [...ids], ...defaultOf(ids, asked === undefined ? kept : asked) };
  const isSame = (Object.keys(written) as (keyof typeof written)[]).every(
    (key) => JSON.stringify(written[key]) === JSON.stringify(stored[key]),
  );
  return isSame ? stored : { ...stored, ...written, revision: stored.revision + 1, updated_at: now };
};

/** The list with an environment at a place; without one at its end, or where it is already. */
export const withEnvironment = (ids: readonly string[], id: string, position?: number): string[] => {
  if (position === undefined) return ids.includes(id) ? [...ids] : [...ids, id];
  const others = ids.filter((one) => one !== id);
  return [...others.slice(0, position), id, ...others.slice(position)];
};

/** The list without an environment. @throws not_found when it is not attached */
export const withoutEnvironment = (agent: Agent, id: string): string[] => {
  if (agent.environment_ids.includes(id)) return agent.environment_ids.filter((one) => one !== id);
  throw new SandlotError('not_found', `The environment ${id} is not attached to "${agent.name}".`, {
    details: { agent_id: agent.id, environment_id: id },
    nextAction: `See what is attached: sandlot agent get ${agent.id}`,
  });
};
