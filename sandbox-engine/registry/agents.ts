// Agents on disk: unique names, revisions, newest-first pages, and which environments each is attached to.
// What an agent may hold is decided in the agents room; here only that its environments exist when it is saved.
import type { Clock } from '../base/clock.ts';
import { SandlotError } from '../base/errors.ts';
import type { Agent, Environment } from '../contract/model.ts';
import { type BodyRow, instantOf, readBodies, readBody } from './body.ts';
import { beginning, readCursor, writeCursor } from './cursor.ts';
import type { Database, Reader, Transaction } from './database.ts';
import { foldCase } from './fold-case.ts';
import { findKey, rememberKey } from './idempotency-keys.ts';
import type { AgentQuery, AgentStore } from './registry.ts';

const notFound = (id: string): SandlotError =>
  new SandlotError('not_found', `There is no agent "${id}".`, { nextAction: 'List them with: sandlot agent list' });

const refuseTakenName = async (reader: Reader, { id, name }: Agent): Promise<void> => {
  const taken = await reader.get<{ id: string }>('SELECT id FROM agents WHERE name_folded = ? AND id <> ?', [foldCase(name), id]);
  if (taken === undefined) return;
  throw new SandlotError('already_exists', `There is already an agent "${name}". Give this one another name.`, {
    details: { path: '/name', agent_id: taken.id },
    nextAction: 'Choose another name, or change the agent that has it.',
  });
};

const saveEnvironments = async (transaction: Transaction, { id, environment_ids }: Agent): Promise<void> => {
  await transaction.run('DELETE FROM agent_environments WHERE agent_id = ?', [id]);
  for (const environmentId of environment_ids) {
    if ((await transaction.get('SELECT 1 FROM environments WHERE id = ?', [environmentId])) === undefined) {
      throw new SandlotError('not_found', `There is no environment "${environmentId}".`, {
        details: { environment_id: environmentId },
        nextAction: 'List them with: sandlot env list',
      });
    }
    await transaction.run('INSERT INTO agent_environments (agent_id, environment_id) VALUES (?, ?)', [id, environmentId]);
  }
};

const insertRow = async (transaction: Transaction, agent: Agent): Promise<void> => {
  await refuseTakenName(transaction, agent);
  const { id, name, created_at, revision } = agent;
  await transaction.run('INSERT INTO agents (id, name_folded, created_ms, revision, body) VALUES (?, ?, ?, ?, ?)', [
    ...[id, foldCase(name), instantOf(created_at), revision, JSON.stringify(agent)],
  ]);
  await saveEnvironments(transaction, agent);
};

const replaceRow = async (transaction: Transaction, agent: Agent, expectedRevision: number): Promise<void> => {
  const { id, name, revision } = agent;
  const held = await transaction.get<{ revision: number }>('SELECT revision FROM agents WHERE id = ?', [id]);
  if (held === undefined) throw notFound(id);
  if (held.revision !== expectedRevision) {
    throw new SandlotError(
      'revision_conflict',
      `"${name}" was changed by someone else: it is at revision ${held.revision}, not ${expectedRevision}. Read it again and repeat the change.`,
      {
        details: { agent_id: id, revision: held.revision, expected_revision: expectedRevision },
        nextAction: 'Read the agent again.',
      },
    );
  }
  await refuseTakenName(transaction, agent);
  await transaction.run('UPDATE agents SET name_folded = ?, revision = ?, body = ? WHERE id = ?', [
    ...[foldCase(name), revision, JSON.stringify(agent), id],
  ]);
  await saveEnvironments(transaction, agent);
};

const matching = `
  (?1 = '' OR instr(name_folded, ?1) > 0 OR instr(id, ?1) > 0)
  AND (?2 IS NULL OR EXISTS (SELECT 1 FROM agent_environments WHERE agent_id = agents.id AND environment_id = ?2))`;

const readPage = async (reader: Reader, { limit, cursor, search, environmentId }: AgentQuery) => {
  const from = cursor === undefined ? beginning : readCursor(cursor);
  const filter = [foldCase(search ?? ''), environmentId ?? null];
  const [counted, rows] = await Promise.all([
    reader.get<{ total: number }>(`SELECT count(*) AS total FROM agents WHERE ${matching}`, filter),
    reader.all<BodyRow & { id: string; created_ms: number }>(
      `SELECT id, created_ms, body FROM agents WHERE ${matching} AND (created_ms, id) < (?3, ?4) ORDER BY created_ms DESC, id DESC LIMIT ?5`,
      [...filter, from.createdMs, from.id, limit + 1],
    ),
  ]);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const hasMore = rows.length > page.length && last !== undefined;
  return {
    agents: readBodies<Agent>(page),
    nextCursor: hasMore ? writeCursor({ createdMs: last.created_ms, id: last.id }) : null,
    total: counted?.total ?? 0,
  };
};

/** Refuses while an agent has this environment. @throws environment_attached */
export const refuseAttached = async (reader: Reader, environmentId: string): Promise<void> => {
  const agents = readBodies<Agent>(
    await reader.all<BodyRow>(
      'SELECT body FROM agents WHERE id IN (SELECT agent_id FROM agent_environments WHERE environment_id = ?) ORDER BY created_ms, id',
      [environmentId],
    ),
  );
  if (agents.length === 0) return;
  const names = agents.map(({ name }) => `"${name}"`).join(', ');
  const environment = readBody<Environment>(await reader.get<BodyRow>('SELECT body FROM environments WHERE id = ?', [environmentId]));
  const to = `attached to ${agents.length === 1 ? 'the agent' : 'the agents'} ${names}`;
  throw new SandlotError('environment_attached', `"${environment?.name ?? environmentId}" is ${to}, so it cannot be deleted.`, {
    details: { environment_id: environmentId, agents: agents.map(({ id, name }) => ({ id, name })) },
    nextAction: `Detach it first, on the Agents page or with: sandlot agent detach ${agents[0]?.id} ${environmentId}`,
  });
};

/** The store of agents in this database. */
export const createAgentStore = (database: Database, clock: Clock): AgentStore => {
  const findIn = async (reader: Reader, id: string) =>
    readBody<Agent>(await reader.get<BodyRow>('SELECT body FROM agents WHERE id = ?', [id]));
  return {
    find: (id) => findIn(database, id),
    insert: (agent, once) =>
      database.transaction(
        async (transaction) => {
          const earlier = once && (await findKey(transaction, clock, once));
          if (earlier) {
            const first = await findIn(transaction, earlier);
            if (first === null) throw notFound(earlier);
            return first;
          }
          await insertRow(transaction, agent);
          if (once) await rememberKey(transaction, clock, once, agent.id);
          return agent;
        },
        { durable: true },
      ),
    replace: async (agent, expectedRevision) => {
      await database.transaction((transaction) => replaceRow(transaction, agent, expectedRevision), { durable: true });
      return agent;
    },
    list: (query) => readPage(database, query),
    remove: (id) =>
      database.transaction(
        async (transaction) => {
          if ((await transaction.run('DELETE FROM agents WHERE id = ?', [id])) === 0) throw notFound(id);
          await transaction.run('DELETE FROM agent_environments WHERE agent_id = ?', [id]);
        },
        { durable: true },
      ),
  };
};
