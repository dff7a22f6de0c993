// Many environments in a moment, for the benches that need them.
import sqlite3 from 'sqlite3';

// Copies of the first, with ids, names and times of their own; saving each by a call would take longer than all other benches.
const copies = (count: number): string => `
  CREATE TEMP TABLE numbers AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count - 1}) SELECT i FROM n;
  CREATE TEMP TABLE model AS SELECT * FROM environments LIMIT 1;
  INSERT INTO builds SELECT substr(b.id, 1, 24) || printf('%06d', i), substr(b.environment_id, 1, 24) || printf('%06d', i), b.fingerprint,
      b.runtime, b.status, b.image_id, b.created_ms + i, json_set(b.body, '$.id', substr(b.id, 1, 24) || printf('%06d', i),
      '$.environment_id', substr(b.environment_id, 1, 24) || printf('%06d', i))
    FROM (SELECT * FROM builds LIMIT 1) AS b, numbers;
  INSERT INTO pins (id, environment_id, action, image_id, body)
    SELECT substr(p.id, 1, 24) || printf('%06d', i), substr(p.environment_id, 1, 24) || printf('%06d', i), p.action, p.image_id,
      json_set(p.body, '$.id', substr(p.id, 1, 24) || printf('%06d', i), '$.environment_id', substr(p.environment_id, 1, 24) || printf('%06d', i),
      '$.build_id', substr(json_extract(p.body, '$.build_id'), 1, 24) || printf('%06d', i))
    FROM (SELECT * FROM pins LIMIT 1) AS p, numbers;
  INSERT INTO environments SELECT substr(id, 1, 24) || printf('%06d', i), slug || '-' || (i + 1), slug_base, i + 1, created_ms + i, archived,
      revision, name_folded || ' ' || i, json_set(body, '$.id', substr(id, 1, 24) || printf('%06d', i), '$.slug', slug || '-' || (i + 1),
      '$.name', json_extract(body, '$.name') || ' ' || i)
    FROM model, numbers;`;

/** Makes so many environments of the one that is in a registry, each with its pinned build. */
export const multiply = async (file: string, count: number): Promise<void> => {
  const database = await new Promise<sqlite3.Database>((resolve, reject) => {
    const opened: sqlite3.Database = new sqlite3.Database(file, (error) => (error ? reject(error) : resolve(opened)));
  });
  await new Promise<void>((resolve, reject) =>
    database.exec(`BEGIN IMMEDIATE; ${copies(count)} COMMIT;`, (error) => (error ? reject(error) : resolve())),
  );
  await new Promise<void>((resolve) => database.close(() => resolve()));
};
