// Builds on disk, found by id, environment and fingerprint. They outlive their environment: history stays readable.
import { SandlotError } from '../base/errors.ts';
import type { Build } from '../contract/model.ts';
import { type BodyRow, instantOf, readBodies, readBody } from './body.ts';
import type { Database, Transaction } from './database.ts';
import { readTogether } from './read-together.ts';
import type { BuildStore } from './registry.ts';

const newest = 'ORDER BY created_ms DESC, id DESC LIMIT ?';

const saveRow = async (transaction: Pick<Transaction, 'run'>, build: Build): Promise<void> => {
  await transaction.run(
    `INSERT INTO builds (id, environment_id, fingerprint, runtime, status, image_id, created_ms, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET fingerprint = excluded.fingerprint, status = excluded.status, image_id = excluded.image_id,
       body = excluded.body`,
    [
      build.id,
      build.environment_id,
      build.fingerprint,
      build.runtime,
      build.status,
      build.image_id,
      instantOf(build.created_at),
      JSON.stringify(build),
    ],
  );
};

/** The store of builds in this database. */
export const createBuildStore = (database: Database): BuildStore => ({
  save: (build) => saveRow(database, build),
  find: readTogether(database, 'SELECT id AS key, body FROM builds WHERE id IN (SELECT value FROM json_each(?))'),
  listByEnvironment: async (environmentId, limit) =>
    readBodies(await database.all<BodyRow>(`SELECT body FROM builds WHERE environment_id = ? ${newest}`, [environmentId, limit])),
  findSucceeded: async (fingerprint, runtime) =>
    readBody(
      await database.get<BodyRow>(
        `SELECT body FROM builds WHERE status = 'succeeded' AND fingerprint = ? AND runtime = ? AND image_id IS NOT NULL ${newest}`,
        [fingerprint, runtime, 1],
      ),
    ),
  listUnfinished: async () =>
    readBodies(await database.all<BodyRow>("SELECT body FROM builds WHERE status IN ('queued', 'running') ORDER BY created_ms, id")),
  listRecent: async (limit) => readBodies(await database.all<BodyRow>(`SELECT body FROM builds ${newest}`, [limit])),
  saveBootTest: (id, bootTest) =>
    database.transaction(async (transaction) => {
      const build = readBody<Build>(await transaction.get<BodyRow>('SELECT body FROM builds WHERE id = ?', [id]));
      if (build === null) throw new SandlotError('not_found', `There is no build ${id}.`, { details: { build_id: id } });
      await saveRow(transaction, { ...build, boot_test: bootTest });
    }),
});
