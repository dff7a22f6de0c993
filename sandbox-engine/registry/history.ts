// A page of what happened, newest first: builds, setup runs, sessions. It goes on from the last row of the page before, so that what is
// added meanwhile shifts nothing.
import type { Build, Session, SetupRun } from '../contract/model.ts';
import { type BodyRow, readBodies } from './body.ts';
import { beginning, readCursor, writeCursor } from './cursor.ts';
import type { Reader } from './database.ts';

/** Which part of a history is wanted; of all environments unless one is named. */
interface HistoryQuery {
  environmentId?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

interface HistoryPage<T> {
  items: T[];
  nextCursor: string | null;
}

/** Pages of what happened, newest first. @throws invalid_request for a cursor that none gave out. */
export interface HistoryStore {
  builds: (query: HistoryQuery) => Promise<HistoryPage<Build>>;
  setupRuns: (query: HistoryQuery) => Promise<HistoryPage<SetupRun>>;
  sessions: (query: HistoryQuery) => Promise<HistoryPage<Session>>;
}

type Table = 'builds' | 'setup_runs' | 'sessions';

const readNewest = async <T>(reader: Reader, table: Table, query: HistoryQuery): Promise<HistoryPage<T>> => {
  const { environmentId, limit, cursor } = query;
  const from = cursor === undefined ? beginning : readCursor(cursor);
  const ofOne = environmentId === undefined ? '' : 'AND environment_id = ?';
  const rows = await reader.all<BodyRow & { id: string; created_ms: number }>(
    `SELECT id, created_ms, body FROM ${table} WHERE (created_ms, id) < (?, ?) ${ofOne} ORDER BY created_ms DESC, id DESC LIMIT ?`,
    [from.createdMs, from.id, ...(environmentId === undefined ? [] : [environmentId]), limit + 1],
  );
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const hasMore = rows.length > page.length && last !== undefined;
  return { items: readBodies<T>(page), nextCursor: hasMore ? writeCursor({ createdMs: last.created_ms, id: last.id }) : null };
};

/** The pages of this database. */
export const createHistoryStore = (database: Reader): HistoryStore => ({
  builds: (query) => readNewest(database, 'builds', query),
  setupRuns: (query) => readNewest(database, 'setup_runs', query),
  sessions: (query) => readNewest(database, 'sessions', query),
});
