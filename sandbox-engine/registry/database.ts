// The only door to SQLite: promises, prepared statements, one writer in order, one reader beside it. Knows no table.
// Source: sqlite.org/wal.html, sqlite.org/lang_transaction.html, node-sqlite3 API.
import { setTimeout as wait } from 'node:timers/promises';
import sqlite3 from 'sqlite3';
import { isLockConflict, toRegistryError } from './registry-error.ts';

export type Parameters = readonly (string | number | null)[];

export interface Reader {
  all: <Row>(sql: string, parameters?: Parameters) => Promise<Row[]>;
  /** The first row, or undefined. */
  get: <Row>(sql: string, parameters?: Parameters) => Promise<Row | undefined>;
}

export interface Transaction extends Reader {
  /** How many rows it changed. */
  run: (sql: string, parameters?: Parameters) => Promise<number>;
  /** Several statements, separated by `;`. */
  exec: (sql: string) => Promise<void>;
}

export interface Database extends Transaction {
  /** All of `work` or nothing. `durable` survives a power cut at once; without it only a crash of the process. */
  transaction: <Value>(work: (transaction: Transaction) => Promise<Value>, options?: { durable?: boolean }) => Promise<Value>;
  /** Waits for what was asked before. */
  close: () => Promise<void>;
}

/** How long a foreign lock is waited for, counted from the moment of asking. */
const patienceMs = 6000;
/** One try; short, because it holds a thread of Node's small pool. */
const tryMs = 100;

interface Connection extends Transaction {
  close: () => Promise<void>;
}

const openHandle = (file: string): Promise<sqlite3.Database> =>
  new Promise((resolve, reject) => {
    const handle: sqlite3.Database = new sqlite3.Database(file, (error) => (error ? reject(error) : resolve(handle)));
  });

const ended =
  (resolve: () => void, reject: (error: Error) => void) =>
  (error: Error | null): void =>
    error ? reject(error) : resolve();

/** Prepares each statement once; the cache ends with the connection. */
const prepareOnce = (handle: sqlite3.Database) => {
  const prepared = new Map<string, Promise<sqlite3.Statement>>();
  const prepare = (sql: string): Promise<sqlite3.Statement> => {
    const known = prepared.get(sql);
    if (known) return known;
    const made = new Promise<sqlite3.Statement>((resolve, reject) => {
      const statement: sqlite3.Statement = handle.prepare(sql, (error: Error | null) => (error ? reject(error) : resolve(statement)));
    });
    prepared.set(sql, made);
    void made.catch(() => prepared.delete(sql));
    return made;
  };
  const finalizeAll = async (): Promise<void> => {
    for (const statement of await Promise.all(prepared.values())) {
      await new Promise<void>((resolve) => statement.finalize(() => resolve()));
    }
    prepared.clear();
  };
  return { prepare, finalizeAll };
};

const openConnection = async (file: string): Promise<Connection> => {
  const handle = await openHandle(file);
  handle.configure('busyTimeout', tryMs);
  const { prepare, finalizeAll } = prepareOnce(handle);
  const all = async <Row>(sql: string, parameters: Parameters = []): Promise<Row[]> => {
    const statement = await prepare(sql);
    return await new Promise<Row[]>((resolve, reject) =>
      statement.all<Row>([...parameters], (error, rows) => (error ? reject(error) : resolve(rows))),
    );
  };
  return {
    all,
    // Statement.get would leave the row, and with it the read lock, open.
    get: async <Row>(sql: string, parameters: Parameters = []) => (await all<Row>(sql, parameters))[0],
    run: async (sql, parameters = []) => {
      const statement = await prepare(sql);
      return await new Promise<number>((resolve, reject) => {
        statement.run([...parameters], function done(error) {
          if (error) reject(error);
          else resolve(this.changes);
        });
      });
    },
    exec: (sql) => new Promise<void>((resolve, reject) => handle.exec(sql, ended(resolve, reject))),
    close: async () => {
      await finalizeAll();
      await new Promise<void>((resolve, reject) => handle.close(ended(resolve, reject)));
    },
  };
};

/** Tries again while another process holds the lock, until `patienceMs` after `askedAt`. */
const patiently = async <Value>(file: string, askedAt: number, attempt: () => Promise<Value>): Promise<Value> => {
  for (;;) {
    try {
      return await attempt();
    } catch (thrown) {
      if (!isLockConflict(thrown) || performance.now() - askedAt > patienceMs) throw toRegistryError(thrown, file);
      await wait(tryMs / 2);
    }
  }
};

const commitOrRollBack = async <Value>(
  writer: Connection,
  file: string,
  work: (transaction: Transaction) => Promise<Value>,
): Promise<Value> => {
  try {
    const value = await work(writer);
    await writer.run('COMMIT');
    return value;
  } catch (thrown) {
    // A full disk has rolled back by itself; then there is nothing left to roll back.
    await writer.run('ROLLBACK').catch(() => undefined);
    throw toRegistryError(thrown, file);
  }
};

const openPair = async (file: string, setUp: readonly string[]): Promise<{ writer: Connection; reader: Connection }> => {
  const askedAt = performance.now();
  const opened: Connection[] = [];
  try {
    const writer = await patiently(file, askedAt, () => openConnection(file));
    opened.push(writer);
    for (const sql of setUp) await patiently(file, askedAt, () => writer.exec(sql));
    const reader = await patiently(file, askedAt, () => openConnection(file));
    opened.push(reader);
    await patiently(file, askedAt, () => reader.exec('PRAGMA query_only = 1'));
    return { writer, reader };
  } catch (thrown) {
    for (const connection of opened) await connection.close();
    throw thrown;
  }
};

const makeDatabase = (file: string, writer: Connection, reader: Connection): Database => {
  let tail: Promise<unknown> = Promise.resolve();
  const inOrder = <Value>(work: () => Promise<Value>): Promise<Value> => {
    const next = tail.then(work);
    tail = next.catch(() => undefined);
    return next;
  };
  const write = <Value>(attempt: () => Promise<Value>): Promise<Value> => {
    const askedAt = performance.now();
    return inOrder(() => patiently(file, askedAt, attempt));
  };
  const read = <Value>(attempt: () => Promise<Value>): Promise<Value> => patiently(file, performance.now(), attempt);
  return {
    all: (sql, parameters) => read(() => reader.all(sql, parameters)),
    get: (sql, parameters) => read(() => reader.get(sql, parameters)),
    run: (sql, parameters) => write(() => writer.run(sql, parameters)),
    exec: (sql) => write(() => writer.exec(sql)),
    transaction: (work, { durable = false } = {}) => {
      const askedAt = performance.now();
      return inOrder(async () => {
        if (durable) await writer.run('PRAGMA synchronous = FULL');
        try {
          await patiently(file, askedAt, () => writer.run('BEGIN IMMEDIATE'));
          return await commitOrRollBack(writer, file, work);
        } finally {
          if (durable) await writer.run('PRAGMA synchronous = NORMAL');
        }
      });
    },
    close: () =>
      inOrder(async () => {
        await reader.close();
        await writer.close();
      }),
  };
};

/** Opens (and makes) a database in WAL mode. `readOnly` refuses every write.
 *  @throws registry_locked @throws registry_damaged @throws registry_read_only @throws disk_full */
export const openDatabase = async (file: string, { readOnly = false } = {}): Promise<Database> => {
  const writing = ['PRAGMA journal_mode = WAL', 'PRAGMA synchronous = NORMAL', 'PRAGMA journal_size_limit = 16777216'];
  const { writer, reader } = await openPair(file, readOnly ? ['PRAGMA query_only = 1'] : writing);
  return makeDatabase(file, writer, reader);
};
