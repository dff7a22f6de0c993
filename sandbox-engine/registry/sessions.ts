// Sessions with their terminals and execs on disk. Whether they still live is asked of the runtime, not of this.
import type { Exec, Session, Terminal } from '../contract/model.ts';
import { type BodyRow, instantOf, readBodies, readBody } from './body.ts';
import type { Database } from './database.ts';
import type { SessionStore } from './registry.ts';

const saveSession = async (database: Database, session: Session): Promise<void> => {
  await database.run(
    `INSERT INTO sessions (id, environment_id, created_ms, body) VALUES (?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET environment_id = excluded.environment_id, body = excluded.body`,
    [session.id, session.environment_id, instantOf(session.created_at), JSON.stringify(session)],
  );
};

// What ends with its session is told a moment later: nothing is written of a session that is gone.
const ofSession = 'WHERE EXISTS (SELECT 1 FROM sessions WHERE id = ?)';

const saveTerminal = async (database: Database, terminal: Terminal): Promise<void> => {
  await database.run(
    `INSERT INTO terminals (id, session_id, status, created_ms, body) SELECT ?, ?, ?, ?, ? ${ofSession}
     ON CONFLICT (id) DO UPDATE SET status = excluded.status, body = excluded.body`,
    [...[terminal.id, terminal.session_id, terminal.status, instantOf(terminal.created_at), JSON.stringify(terminal)], terminal.session_id],
  );
};

const saveExec = async (database: Database, exec: Exec): Promise<void> => {
  await database.run(
    `INSERT INTO execs (id, session_id, body) SELECT ?, ?, ? ${ofSession} ON CONFLICT (id) DO UPDATE SET body = excluded.body`,
    [exec.id, exec.session_id, JSON.stringify(exec), exec.session_id],
  );
};

const listSessions = async (database: Database, environmentId: string | undefined): Promise<Session[]> => {
  const order = 'ORDER BY created_ms DESC, id DESC';
  if (environmentId === undefined) return readBodies(await database.all<BodyRow>(`SELECT body FROM sessions ${order}`));
  return readBodies(await database.all<BodyRow>(`SELECT body FROM sessions WHERE environment_id = ? ${order}`, [environmentId]));
};

// Without LIKE, which would take some characters of a name for something else.
const namesLike = async (database: Database, beginning: string): Promise<string[]> => {
  const rows = await database.all<{ name: string }>(
    `SELECT json_extract(body, '$.name') AS name FROM sessions WHERE substr(json_extract(body, '$.name'), 1, length(?)) = ?`,
    [beginning, beginning],
  );
  return rows.map(({ name }) => name);
};

/** The store of sessions in this database. Terminals are listed in the order they were opened. */
export const createSessionStore = (database: Database): SessionStore => ({
  save: (session) => saveSession(database, session),
  find: async (id) => readBody(await database.get<BodyRow>('SELECT body FROM sessions WHERE id = ?', [id])),
  list: (environmentId) => listSessions(database, environmentId),
  namesLike: (beginning) => namesLike(database, beginning),
  saveTerminal: (terminal) => saveTerminal(database, terminal),
  findTerminal: async (id) => readBody(await database.get<BodyRow>('SELECT body FROM terminals WHERE id = ?', [id])),
  listTerminals: async (sessionId) =>
    readBodies(await database.all<BodyRow>('SELECT body FROM terminals WHERE session_id = ? ORDER BY created_ms, id', [sessionId])),
  listRunningTerminals: async () =>
    readBodies(await database.all<BodyRow>("SELECT body FROM terminals WHERE status = 'running' ORDER BY created_ms, id")),
  saveExec: (exec) => saveExec(database, exec),
  findExec: async (id) => readBody(await database.get<BodyRow>('SELECT body FROM execs WHERE id = ?', [id])),
  listExecs: async (sessionId) =>
    readBodies(await database.all<BodyRow>('SELECT body FROM execs WHERE session_id = ? ORDER BY id', [sessionId])),
  remove: (id) =>
    database.transaction(async (transaction) => {
      for (const sql of [
        'DELETE FROM execs WHERE session_id = ?',
        'DELETE FROM terminals WHERE session_id = ?',
        'DELETE FROM sessions WHERE id = ?',
      ]) {
        await transaction.run(sql, [id]);
      }
    }),
});
