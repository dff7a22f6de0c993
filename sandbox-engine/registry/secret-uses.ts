// The ledger of secrets on disk: which session was given which secret, and when. Values are in the vault, never here.
import type { SecretUse } from '../contract/model.ts';
import { instantOf } from './body.ts';
import type { Database } from './database.ts';
import type { SecretUseStore } from './registry.ts';

interface UseRow {
  name: string;
  version: number;
  session_id: string;
  session_name: string;
  environment_id: string;
  environment_name: string;
  first_ms: number;
  last_ms: number;
  times: number;
}

/** Stands for a value that belongs to one session: SQLite takes two NULLs for different. */
const ofSession = 0;

const iso = (ms: number): string => new Date(ms).toISOString();

const useOf = ({ first_ms, last_ms, version, ...row }: UseRow): SecretUse => ({
  ...row,
  version: version === ofSession ? null : version,
  first_at: iso(first_ms),
  last_at: iso(last_ms),
});

const noteUses = async (database: Database, ...[uses, at]: Parameters<SecretUseStore['note']>): Promise<void> => {
  const now = instantOf(at);
  await database.transaction(async (transaction) => {
    for (const use of uses) {
      await transaction.run(
        `INSERT INTO secret_uses (name, version, session_id, session_name, environment_id, environment_name, first_ms, last_ms, times)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7, 1)
         ON CONFLICT (session_id, name, version) DO UPDATE SET last_ms = max(last_ms, excluded.last_ms), times = times + 1`,
        [use.name, use.version ?? ofSession, use.session_id, use.session_name, use.environment_id, use.environment_name, now],
      );
    }
  });
};

const listUses = async (database: Database, { name, sessionId, limit }: Parameters<SecretUseStore['list']>[0]): Promise<SecretUse[]> => {
  const rows = await database.all<UseRow>(
    `SELECT name, version, session_id, environment_name, first_ms, last_ms, times, secret_uses.environment_id AS environment_id,
       coalesce(json_extract(sessions.body, '$.name'), session_name) AS session_name
     FROM secret_uses LEFT JOIN sessions ON sessions.id = session_id
     WHERE (?1 IS NULL OR name = ?1) AND (?2 IS NULL OR session_id = ?2) ORDER BY last_ms DESC, seq DESC LIMIT ?3`,
    [name ?? null, sessionId ?? null, limit],
  );
  return rows.map(useOf);
};

/** The store of the ledger in this database. */
export const createSecretUseStore = (database: Database): SecretUseStore => ({
  note: (uses, at) => noteUses(database, uses, at),
  list: (query) => listUses(database, query),
  lastUses: async () => {
    const rows = await database.all<{ name: string; last_ms: number }>(
      `SELECT name, max(last_ms) AS last_ms FROM secret_uses WHERE version <> ${ofSession} GROUP BY name`,
    );
    return new Map(rows.map((row) => [row.name, iso(row.last_ms)]));
  },
  namedBy: () =>
    database.all(
      `SELECT named.value AS secret, environments.id AS id, json_extract(body, '$.name') AS name
       FROM environments, json_each(environments.body, '$.secrets') AS named
       UNION SELECT named.value, environments.id, json_extract(body, '$.name')
       FROM environments, json_each(environments.body, '$.secret_files') AS named ORDER BY name, id, secret`,
    ),
});
