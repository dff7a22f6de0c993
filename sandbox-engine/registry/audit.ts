// What was done here, on disk: the newest lines, in the order in which they came.
import type { AuditEntry } from '../contract/model.ts';
import { nounsOf, subjectOf } from './audit-subject.ts';
import { instantOf } from './body.ts';
import type { Database } from './database.ts';
import type { AuditStore } from './registry.ts';

const mostKept = 20_000;
/** How many may come beyond that before the oldest are dropped. */
const slack = 500;

interface AuditRow extends Omit<AuditEntry, 'at' | 'about'> {
  at_ms: number;
}

const entryOf = ({ at_ms, ...row }: AuditRow): AuditEntry => ({
  ...row,
  about: subjectOf(row.action),
  at: new Date(at_ms).toISOString(),
});

const addEntry = (database: Database, entry: Parameters<AuditStore['add']>[0]): Promise<AuditEntry> =>
  database.transaction(async (transaction) => {
    await transaction.run('INSERT INTO audit (at_ms, action, text, kind, environment_id, session_id) VALUES (?, ?, ?, ?, ?, ?)', [
      ...[instantOf(entry.at), entry.action, entry.text, entry.kind, entry.environment_id, entry.session_id],
    ]);
    const row = await transaction.get<{ seq: number }>('SELECT max(seq) AS seq FROM audit');
    const seq = row?.seq ?? 1;
    if (seq % slack === 0) await transaction.run('DELETE FROM audit WHERE seq <= ?', [seq - mostKept]);
    return { seq, ...entry, about: subjectOf(entry.action) };
  });

const listEntries = async (database: Database, query: Parameters<AuditStore['list']>[0]): Promise<AuditEntry[]> => {
  const rows = await database.all<AuditRow>(
    `SELECT seq, at_ms, action, text, kind, environment_id, session_id FROM audit
     WHERE (?1 IS NULL OR seq < ?1) AND (?2 IS NULL OR environment_id = ?2) AND (?3 IS NULL OR session_id = ?3)
       AND (?4 IS NULL OR instr(lower(text), lower(?4)) > 0)
       AND (?5 IS NULL OR instr(?5, ' ' || substr(action, 1, instr(action, '.') - 1) || ' ') > 0)
     ORDER BY seq DESC LIMIT ?6`,
    [
      ...[query.before ?? null, query.environmentId ?? null, query.sessionId ?? null, query.search ?? null],
      ...[query.about === undefined ? null : ` ${nounsOf(query.about).join(' ')} `, query.limit],
    ],
  );
  return rows.map(entryOf);
};

/** The store of it in this database. */
export const createAuditStore = (database: Database): AuditStore => ({
  add: (entry) => addEntry(database, entry),
  list: (query) => listEntries(database, query),
});
