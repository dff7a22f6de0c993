// What sandboxes tried to reach, on disk. Of each environment and each sandbox the newest attempts are kept one by one; those before are
// counted by destination, and of destinations too only so many are told apart: a flood stays small.
import { failureReasons } from '../contract/egress-outcome.ts';
import type { AttemptCause, EgressTally, KeptAttempt } from '../contract/model.ts';
import { instantOf } from './body.ts';
import type { Database, Transaction } from './database.ts';
import { readPlace } from './egress-place.ts';
import type { EgressFilter, EgressLogStore } from './registry.ts';

/** How much is kept one by one, and how many destinations are counted apart. */
export interface EgressCaps {
  environment: number;
  sandbox: number;
  destinations: number;
}

const egressCaps: EgressCaps = { environment: 10_000, sandbox: 4_000, destinations: 2_000 };

interface AttemptRow extends Omit<KeptAttempt, 'at' | 'cause' | 'session_id' | 'setup_run_id' | 'policy_revision'> {
  seq: number;
  at_ms: number;
  revision: number;
  cause: string | null;
}

const iso = (ms: number): string => new Date(ms).toISOString();

const attemptOf = ({ seq: _seq, at_ms, revision, cause, ...row }: AttemptRow): KeptAttempt => ({
  ...row,
  at: iso(at_ms),
  session_id: row.sandbox_id.startsWith('ses_') ? row.sandbox_id : null,
  setup_run_id: row.sandbox_id.startsWith('run_') ? row.sandbox_id : null,
  policy_revision: revision,
  cause: cause === null ? null : (JSON.parse(cause) as AttemptCause),
});

const columns = [
  ...['id', 'environment_id', 'sandbox_id', 'at_ms', 'host', 'port', 'protocol', 'mode', 'verdict', 'reason', 'rule', 'detail'],
  ...['revision', 'bytes_sent', 'bytes_received', 'duration_ms', 'count', 'cause'],
];

// The whole batch is one statement. A second telling of one id is the same attempt, later; it stays where it was in the order.
const insertSql = `
  INSERT INTO egress_attempts (${columns.join(', ')})
  SELECT ${columns.map((column) => `value ->> '$.${column}'`).join(', ')} FROM json_each(?) WHERE true
  ON CONFLICT (id) DO UPDATE SET
    verdict = excluded.verdict, reason = excluded.reason, protocol = excluded.protocol, detail = excluded.detail,
    bytes_sent = excluded.bytes_sent, bytes_received = excluded.bytes_received, duration_ms = excluded.duration_ms, count = excluded.count,
    cause = excluded.cause`;

const rowOf = ({ at, policy_revision, cause, ...attempt }: KeptAttempt) => ({
  ...attempt,
  at_ms: instantOf(at),
  revision: policy_revision,
  cause: cause === null ? null : JSON.stringify(cause),
});

const tallied = `
  sum(count) AS attempts, sum(bytes_sent) AS bytes_sent, sum(bytes_received) AS bytes_received, min(at_ms) AS first_ms, max(at_ms) AS last_ms`;

const addToOlder = `
  ON CONFLICT (environment_id, host, port, protocol, verdict, reason) DO UPDATE SET
    attempts = attempts + excluded.attempts, bytes_sent = bytes_sent + excluded.bytes_sent,
    bytes_received = bytes_received + excluded.bytes_received,
    first_ms = min(first_ms, excluded.first_ms), last_ms = max(last_ms, excluded.last_ms)`;

/** Counts the oldest attempts of one environment or sandbox by destination, and forgets them. */
const foldOldest = async (transaction: Transaction, column: 'environment_id' | 'sandbox_id', id: string, excess: number): Promise<void> => {
  const oldest = `SELECT seq FROM egress_attempts WHERE ${column} = ?1 ORDER BY seq LIMIT ?2`;
  await transaction.run(
    `INSERT INTO egress_older
     SELECT environment_id, coalesce(host, ''), coalesce(port, 0), protocol, verdict, reason, ${tallied}
     FROM egress_attempts WHERE seq IN (${oldest}) GROUP BY 1, 2, 3, 4, 5, 6 ${addToOlder}`,
    [id, excess],
  );
  await transaction.run(`DELETE FROM egress_attempts WHERE seq IN (${oldest})`, [id, excess]);
};

/** Counts the destinations that were tried longest ago as others. */
const foldDestinations = async (transaction: Transaction, environmentId: string, excess: number): Promise<void> => {
  const longestAgo = `SELECT rowid FROM egress_older WHERE environment_id = ?1 AND host <> '' ORDER BY last_ms LIMIT ?2`;
  await transaction.run(
    `INSERT INTO egress_older
     SELECT environment_id, '', 0, protocol, verdict, reason, sum(attempts), sum(bytes_sent), sum(bytes_received), min(first_ms), max(last_ms)
     FROM egress_older WHERE rowid IN (${longestAgo}) GROUP BY 1, 4, 5, 6 ${addToOlder}`,
    [environmentId, excess],
  );
  await transaction.run(`DELETE FROM egress_older WHERE rowid IN (${longestAgo})`, [environmentId, excess]);
};

const countOf = async (transaction: Transaction, table: string, column: string, id: string): Promise<number> => {
  const row = await transaction.get<{ held: number }>(`SELECT count(*) AS held FROM ${table} WHERE ${column} = ?`, [id]);
  return row?.held ?? 0;
};

/** Not at each attempt beyond the cap, but when a tenth has come together. */
const isOver = (held: number, cap: number): boolean => held > cap + Math.ceil(cap / 10);

const keepWithin = async (transaction: Transaction, attempts: readonly KeptAttempt[], caps: EgressCaps): Promise<void> => {
  for (const id of new Set(attempts.map(({ sandbox_id }) => sandbox_id))) {
    const held = await countOf(transaction, 'egress_attempts', 'sandbox_id', id);
    if (isOver(held, caps.sandbox)) await foldOldest(transaction, 'sandbox_id', id, held - caps.sandbox);
  }
  for (const id of new Set(attempts.map(({ environment_id }) => environment_id))) {
    const held = await countOf(transaction, 'egress_attempts', 'environment_id', id);
    if (isOver(held, caps.environment)) await foldOldest(transaction, 'environment_id', id, held - caps.environment);
    const apart = await countOf(transaction, 'egress_older', 'environment_id', id);
    if (isOver(apart, caps.destinations)) await foldDestinations(transaction, id, apart - caps.destinations);
  }
};

const isFailure = `reason IN (${failureReasons.map((reason) => `'${reason}'`).join(', ')})`;

// ?1 environment, ?2 sandbox, ?3 what became of it, ?4 text; null is any.
const matching = `
  (?1 IS NULL OR environment_id = ?1) AND (?2 IS NULL OR sandbox_id = ?2)
  AND (?3 IS NULL OR iif(verdict = 'blocked' AND ${isFailure}, 'failed', verdict) = ?3)
  AND (?4 IS NULL OR instr(coalesce(host, '') || ':' || coalesce(port, ''), ?4) > 0)`;

const parametersOf = ({ environmentId, sandboxId, verdict, text }: EgressFilter): (string | null)[] => [
  environmentId ?? null,
  sandboxId ?? null,
  verdict ?? null,
  text === undefined || text === '' ? null : text.toLowerCase(),
];

// The planner takes no index for `?1 IS NULL OR`: what is asked for is said to it.
const from = ({ environmentId, sandboxId }: EgressFilter): string => {
  if (sandboxId !== undefined) return 'egress_attempts INDEXED BY egress_attempts_of_sandbox WHERE sandbox_id = ?2 AND';
  return environmentId === undefined
    ? 'egress_attempts WHERE'
    : 'egress_attempts INDEXED BY egress_attempts_of_environment WHERE environment_id = ?1 AND';
};

interface TallyRow extends Omit<EgressTally, 'first_at' | 'last_at'> {
  first_ms: number;
  last_ms: number;
}

const tallyOf = ({ first_ms, last_ms, host, port, ...row }: TallyRow): EgressTally => ({
  ...row,
  host: host === '' ? null : host,
  port: port === 0 ? null : port,
  first_at: iso(first_ms),
  last_at: iso(last_ms),
});

/** What is counted by destination only; of a single sandbox nobody knows it any more. */
const olderTallies = async (database: Database, filter: EgressFilter): Promise<EgressTally[]> => {
  if (filter.sandboxId !== undefined) return [];
  const rows = await database.all<TallyRow>(
    `SELECT host, port, protocol, verdict, reason, attempts, bytes_sent, bytes_received, first_ms, last_ms
     FROM egress_older AS older WHERE ${matching.replaceAll('sandbox_id', 'NULL')}`,
    parametersOf(filter),
  );
  return rows.map(tallyOf);
};

/** The store of attempts in this database. */
export const createEgressLogStore = (database: Database, caps: EgressCaps = egressCaps): EgressLogStore => ({
  save: async (attempts) => {
    if (attempts.length === 0) return;
    await database.transaction(async (transaction) => {
      await transaction.run(insertSql, [JSON.stringify(attempts.map(rowOf))]);
      await keepWithin(transaction, attempts, caps);
    });
  },
  list: async ({ after, limit, ...filter }) => {
    const rows = await database.all<AttemptRow>(
      `SELECT seq, ${columns.join(', ')} FROM ${from(filter)} ${matching} AND seq < ?5 ORDER BY seq DESC LIMIT ?6`,
      [...parametersOf(filter), after === undefined ? Number.MAX_SAFE_INTEGER : readPlace(after), limit + 1],
    );
    const page = rows.slice(0, limit);
    return { attempts: page.map(attemptOf), nextAfter: rows.length > limit ? String(page.at(-1)?.seq ?? 0) : null };
  },
  tallies: async (filter) => {
    const rows = await database.all<TallyRow>(
      `SELECT host, port, protocol, verdict, reason, ${tallied} FROM ${from(filter)} ${matching} GROUP BY 1, 2, 3, 4, 5`,
      parametersOf(filter),
    );
    return [...rows.map(tallyOf), ...(await olderTallies(database, filter))];
  },
  olderCount: async (filter) => (await olderTallies(database, filter)).reduce((sum, { attempts }) => sum + attempts, 0),
  forget: (environmentId) =>
    database.transaction(async (transaction) => {
      for (const table of ['egress_attempts', 'egress_older', 'egress_grants']) {
        await transaction.run(`DELETE FROM ${table} WHERE environment_id = ?`, [environmentId]);
      }
    }),
});
