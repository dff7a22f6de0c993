// Ten thousand environments, each with a pinned build: the first page as a client gets it, with all that is computed beside each.
import { join } from 'node:path';
import sqlite3 from 'sqlite3';
import { openBenchHost } from './bench-host.ts';
import { benchDocker } from './bench-runtimes.ts';
import { median, type Ratio } from './ratio.ts';

const rounds = 50;
const count = 10_000;
const limitMs = 20;

// Copies of the first, with ids, names and times of their own; saving each by a call would take longer than all other benches.
const copies = `
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

const multiply = async (file: string): Promise<void> => {
  const database = await new Promise<sqlite3.Database>((resolve, reject) => {
    const opened: sqlite3.Database = new sqlite3.Database(file, (error) => (error ? reject(error) : resolve(opened)));
  });
  await new Promise<void>((resolve, reject) =>
    database.exec(`BEGIN IMMEDIATE; ${copies} COMMIT;`, (error) => (error ? reject(error) : resolve())),
  );
  await new Promise<void>((resolve) => database.close(() => resolve()));
};

const recipeYaml = `base: debian
env:
  STAGE: bench
initialize:
  - name: Greet
    run: echo hello
session_start:
  - name: Say where
    run: pwd
`;

/** Measures through the socket of a host. */
export const bench = async (): Promise<Ratio[]> => {
  const host = await openBenchHost();
  try {
    await host.pinned(await host.runtimeId(benchDocker()), recipeYaml);
    await multiply(join(host.folder, 'registry.db'));
    const ask = async (input: { search?: string }): Promise<number> => {
      const samples: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const began = performance.now();
        const page = await host.call('environments.list', input);
        samples.push(performance.now() - began);
        if (page.environments.length !== 100 || page.environments.some(({ image }) => image.state !== 'active'))
          throw new Error(`${page.environments.length} of ${page.total} environments came, or without their image.`);
      }
      return median(samples.slice(rounds / 5));
    };
    const limit = { baseline: limitMs, against: `the limit of ${limitMs} ms` };
    return [
      {
        what: 'First page (100) of 10,000 environments with pinned builds: `environments.list` at a client of the socket',
        ...{ ours: await ask({}), ...limit, bound: { kind: 'at most', ratio: 1 } },
      },
      { what: 'The same with a search that matches every tenth', ours: await ask({ search: 'bench 1' }), ...limit, bound: null },
    ];
  } finally {
    await host.close();
  }
};
