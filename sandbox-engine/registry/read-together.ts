// Reads by key, many at once: what is asked for in one turn is one statement, so that a page of environments costs a few statements
// and not hundreds. Whoever asks for one key notices nothing.
import { type BodyRow, readBody } from './body.ts';
import type { Reader } from './database.ts';

interface KeyedRow extends BodyRow {
  key: string;
}

/** `sql` gets the keys as one JSON array and answers `key` and `body`, at most one row a key. Each caller gets a noun of its own. */
export const readTogether = <Noun>(database: Pick<Reader, 'all'>, sql: string): ((key: string) => Promise<Noun | null>) => {
  let asked: { keys: Set<string>; rows: Promise<Map<string, KeyedRow>> } | null = null;

  const read = async (keys: Set<string>): Promise<Map<string, KeyedRow>> => {
    await new Promise<void>((resolve) => process.nextTick(resolve));
    asked = null;
    const rows = await database.all<KeyedRow>(sql, [JSON.stringify([...keys])]);
    return new Map(rows.map((row) => [row.key, row]));
  };

  return async (key) => {
    if (asked === null) {
      const keys = new Set<string>();
      asked = { keys, rows: read(keys) };
    }
    asked.keys.add(key);
    return readBody<Noun>((await asked.rows).get(key));
  };
};
