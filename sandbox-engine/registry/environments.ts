// Environments on disk: unique slugs, revisions, newest-first pages. The rules of a change are in environment-rules.ts.
import type { Clock } from '../base/clock.ts';
import { SandlotError } from '../base/errors.ts';
import type { Environment } from '../contract/model.ts';
import { refuseAttached } from './agents.ts';
import { type BodyRow, instantOf, readBodies, readBody } from './body.ts';
import { beginning, readCursor, writeCursor } from './cursor.ts';
import type { Database, Reader, Transaction } from './database.ts';
import { foldCase } from './fold-case.ts';
import { findKey, rememberKey } from './idempotency-keys.ts';
import type { EnvironmentPage, EnvironmentQuery, EnvironmentStore } from './registry.ts';
import { slugFromName } from './slug.ts';

const matching = `
  (?1 OR archived = 0) AND (?2 = '' OR instr(name_folded, ?2) > 0 OR instr(id, ?2) > 0)
  AND (?3 = '{}' OR NOT EXISTS (
    SELECT 1 FROM json_each(?3) AS wanted WHERE NOT EXISTS (
      SELECT 1 FROM environment_metadata AS held
      WHERE held.environment_id = environments.id AND held.key = wanted.key AND held.value = wanted.value)))`;

const notFound = (id: string): SandlotError =>
  new SandlotError('not_found', `There is no environment ${id}. List them with \`sandlot env list\`.`, { details: { environment_id: id } });

const saveMetadata = async (transaction: Transaction, { id, metadata }: Environment): Promise<void> => {
  await transaction.run('DELETE FROM environment_metadata WHERE environment_id = ?', [id]);
  for (const [key, value] of Object.entries(metadata)) {
    await transaction.run('INSERT INTO environment_metadata (environment_id, key, value) VALUES (?, ?, ?)', [id, key, value]);
  }
};

/** The first free of `name`, `name-2`, `name-3`, …; a number once taken by a living environment is passed over. */
const freeSlug = async (reader: Reader, base: string): Promise<{ slug: string; number: number }> => {
  const row = await reader.get<{ highest: number | null }>('SELECT max(slug_number) AS highest FROM environments WHERE slug_base = ?', [
    base,
  ]);
  for (let number = (row?.highest ?? 0) + 1; ; number += 1) {
    const slug = number === 1 ? base : `${base}-${number}`;
    if ((await reader.get('SELECT 1 FROM environments WHERE slug = ?', [slug])) === undefined) return { slug, number };
  }
};

const insertRow = async (transaction: Transaction, given: Environment): Promise<Environment> => {
  if (await transaction.get('SELECT 1 FROM environments WHERE id = ?', [given.id])) {
    throw new SandlotError('already_exists', `There is already an environment ${given.id}.`, { details: { environment_id: given.id } });
  }
  const base = slugFromName(given.name);
  const { slug, number } = await freeSlug(transaction, base);
  const environment: Environment = { ...given, slug };
  await transaction.run(
    `INSERT INTO environments (id, slug, slug_base, slug_number, created_ms, archived, revision, name_folded, body)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      environment.id,
      slug,
      base,
      number,
      instantOf(environment.created_at),
      environment.archived_at === null ? 0 : 1,
      environment.revision,
      foldCase(environment.name),
      JSON.stringify(environment),
    ],
  );
  await saveMetadata(transaction, environment);
  return environment;
};

const replaceRow = async (transaction: Transaction, environment: Environment, expectedRevision: number): Promise<void> => {
  const { id, revision, name, archived_at } = environment;
  const changed = await transaction.run(
    'UPDATE environments SET revision = ?, archived = ?, name_folded = ?, body = ? WHERE id = ? AND revision = ?',
    [revision, archived_at === null ? 0 : 1, foldCase(name), JSON.stringify(environment), id, expectedRevision],
  );
  if (changed === 0) {
    const held = await transaction.get<{ revision: number }>('SELECT revision FROM environments WHERE id = ?', [id]);
    if (held === undefined) throw notFound(id);
    throw new SandlotError(
      'revision_conflict',
      `"${name}" was changed by someone else: it is at revision ${held.revision}, not ${expectedRevision}. Read it again and repeat the change.`,
      { details: { environment_id: id, revision: held.revision, expected_revision: expectedRevision } },
    );
  }
  await saveMetadata(transaction, environment);
};

const readPage = async (database: Reader, query: EnvironmentQuery): Promise<EnvironmentPage> => {
  const from = query.cursor === undefined ? beginning : readCursor(query.cursor);
  const filter = [query.includeArchived ? 1 : 0, foldCase(query.search ?? ''), JSON.stringify(query.metadata ?? {})];
  const [counted, rows] = await Promise.all([
    database.get<{ total: number }>(`SELECT count(*) AS total FROM environments WHERE ${matching}`, filter),
    database.all<BodyRow & { id: string; created_ms: number }>(
      `SELECT id, created_ms, body FROM environments WHERE ${matching} AND (created_ms, id) < (?4, ?5)
       ORDER BY created_ms DESC, id DESC LIMIT ?6`,
      [...filter, from.createdMs, from.id, query.limit + 1],
    ),
  ]);
  const page = rows.slice(0, query.limit);
  const last = page.at(-1);
  const hasMore = rows.length > page.length && last !== undefined;
  return {
    environments: readBodies(page),
    nextCursor: hasMore ? writeCursor({ createdMs: last.created_ms, id: last.id }) : null,
    total: counted?.total ?? 0,
  };
};

/** The store of environments in this database. */
export const createEnvironmentStore = (database: Database, clock: Clock): EnvironmentStore => {
  const find = async (id: string) => readBody<Environment>(await database.get<BodyRow>('SELECT body FROM environments WHERE id = ?', [id]));
  return {
    find,
    insert: (environment, once) =>
      database.transaction(
        async (transaction) => {
          const earlier = once && (await findKey(transaction, clock, once));
          if (earlier) {
            const row = await transaction.get<BodyRow>('SELECT body FROM environments WHERE id = ?', [earlier]);
            const first = readBody<Environment>(row);
            if (first === null) throw notFound(earlier);
            return first;
          }
          const inserted = await insertRow(transaction, environment);
          if (once) await rememberKey(transaction, clock, once, inserted.id);
          return inserted;
        },
        { durable: true },
      ),
    replace: async (environment, expectedRevision) => {
      await database.transaction((transaction) => replaceRow(transaction, environment, expectedRevision), { durable: true });
      return environment;
    },
    list: (query) => readPage(database, query),
    remove: (id) =>
      database.transaction(
        async (transaction) => {
          await refuseAttached(transaction, id);
          const removed = await transaction.run('DELETE FROM environments WHERE id = ?', [id]);
          if (removed === 0) throw notFound(id);
          await transaction.run('DELETE FROM environment_metadata WHERE environment_id = ?', [id]);
        },
        { durable: true },
      ),
    findByIdempotencyKey: (scope, key, bodyDigest) => findKey(database, clock, { scope, key, bodyDigest }),
    rememberIdempotencyKey: (scope, key, bodyDigest, resourceId) =>
      database.transaction((transaction) => rememberKey(transaction, clock, { scope, key, bodyDigest }, resourceId), { durable: true }),
  };
};
