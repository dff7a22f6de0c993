// Setup runs on disk. What their results mean for an environment is decided in the setup room.
import type { SetupRun } from '../contract/model.ts';
import { type BodyRow, instantOf, readBodies, readBody } from './body.ts';
import type { Database } from './database.ts';
import { readTogether } from './read-together.ts';
import type { ImageOfEnvironment, SetupRunStore } from './registry.ts';

const unfinished = "status IN ('queued', 'provisioning', 'running')";
const newestFirst = 'ORDER BY created_ms DESC, id DESC';

const saveRun = async (database: Database, run: SetupRun): Promise<void> => {
  await database.run(
    `INSERT INTO setup_runs (id, environment_id, kind, status, runtime, prepared_image_id, created_ms, body)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET status = excluded.status, prepared_image_id = excluded.prepared_image_id, body = excluded.body`,
    [run.id, run.environment_id, run.kind, run.status, run.runtime, run.prepared_image_id, instantOf(run.created_at), JSON.stringify(run)],
  );
};

/** The newest of each environment on each runtime. */
const preparedImages = async (database: Database): Promise<ImageOfEnvironment[]> =>
  await database.all<ImageOfEnvironment>(
    `SELECT environment_id AS environmentId, prepared_image_id AS imageId FROM setup_runs AS run
     WHERE kind IN ('manual', 'refresh') AND status = 'succeeded' AND prepared_image_id IS NOT NULL
       AND EXISTS (SELECT 1 FROM environments WHERE environments.id = run.environment_id)
       AND NOT EXISTS (
         SELECT 1 FROM setup_runs AS later
         WHERE later.environment_id = run.environment_id AND later.runtime = run.runtime AND later.kind IN ('manual', 'refresh')
           AND later.status = 'succeeded' AND later.prepared_image_id IS NOT NULL
           AND (later.created_ms, later.id) > (run.created_ms, run.id))`,
  );

/** The store of setup runs in this database. */
export const createSetupRunStore = (database: Database): SetupRunStore => {
  // A session's own run never speaks for the environment.
  const newestVerdictRun = (condition: string) =>
    readTogether<SetupRun>(
      database,
      `SELECT environment_id AS key, body FROM setup_runs WHERE id IN (
         SELECT (
           SELECT id FROM setup_runs
           WHERE environment_id = wanted.value AND kind IN ('manual', 'refresh') AND ${condition} ${newestFirst} LIMIT 1
         ) FROM json_each(?) AS wanted)`,
    );
  // An observed run proves nothing.
  const ended = "status IN ('succeeded', 'failed') AND json_extract(body, '$.observed') IS NOT 1";
  const readEnded = newestVerdictRun(ended);
  const readFinished = newestVerdictRun(`${ended} AND json_extract(body, '$.failure_code') IS NOT 'host_stopped'`);
  const readInFlight = newestVerdictRun(unfinished);
  return {
    save: (run) => saveRun(database, run),
    find: async (id) => readBody(await database.get<BodyRow>('SELECT body FROM setup_runs WHERE id = ?', [id])),
    listByEnvironment: async (environmentId, limit) =>
      readBodies(
        await database.all<BodyRow>(`SELECT body FROM setup_runs WHERE environment_id = ? ${newestFirst} LIMIT ?`, [environmentId, limit]),
      ),
    listUnfinished: async () =>
      readBodies(await database.all<BodyRow>(`SELECT body FROM setup_runs WHERE ${unfinished} ORDER BY created_ms, id`)),
    verdictRuns: async (environmentId) => {
      const [newest, newestFinished, inFlight] = await Promise.all([
        readEnded(environmentId),
        readFinished(environmentId),
        readInFlight(environmentId),
      ]);
      return { newestFinished, inFlight, interrupted: newest?.failure_code === 'host_stopped' ? newest : null };
    },
    preparedImageIds: async () => [...new Set((await preparedImages(database)).map(({ imageId }) => imageId))],
    preparedImages: () => preparedImages(database),
  };
};
