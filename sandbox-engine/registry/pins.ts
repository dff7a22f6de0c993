// The pin ledger: lines are only ever added, and their order is the order they were added in.
import type { Pin } from '../contract/model.ts';
import { type BodyRow, readBodies } from './body.ts';
import type { Database } from './database.ts';
import { readTogether } from './read-together.ts';
import type { ImageOfEnvironment, PinStore } from './registry.ts';

const newestDecision = `
  SELECT environment_id AS key, body FROM pins WHERE seq IN (
    SELECT (
      SELECT seq FROM pins WHERE environment_id = wanted.value AND action IN ('pinned', 'unpinned') ORDER BY seq DESC LIMIT 1
    ) FROM json_each(?) AS wanted)`;

const decisionReader = (database: Database): PinStore['current'] => {
  const read = readTogether<Pin>(database, newestDecision);
  return async (environmentId) => {
    const newest = await read(environmentId);
    return newest?.action === 'pinned' ? newest : null;
  };
};

const pinnedImages = async (database: Database): Promise<ImageOfEnvironment[]> =>
  await database.all<ImageOfEnvironment>(
    `SELECT environment_id AS environmentId, image_id AS imageId FROM pins WHERE action = 'pinned' AND image_id IS NOT NULL
       AND seq IN (SELECT max(seq) FROM pins WHERE action IN ('pinned', 'unpinned') GROUP BY environment_id)
       AND EXISTS (SELECT 1 FROM environments WHERE environments.id = pins.environment_id)`,
  );

/** The store of pins in this database. */
export const createPinStore = (database: Database): PinStore => ({
  append: async (pin) => {
    await database.transaction(
      (transaction) =>
        transaction.run('INSERT INTO pins (id, environment_id, action, image_id, body) VALUES (?, ?, ?, ?, ?)', [
          pin.id,
          pin.environment_id,
          pin.action,
          pin.image_id,
          JSON.stringify(pin),
        ]),
      { durable: true },
    );
  },
  current: decisionReader(database),
  list: async (environmentId) =>
    readBodies(await database.all<BodyRow>('SELECT body FROM pins WHERE environment_id = ? ORDER BY seq DESC', [environmentId])),
  pinnedImageIds: async () => [...new Set((await pinnedImages(database)).map(({ imageId }) => imageId))],
  pinnedImages: () => pinnedImages(database),
  pinnedEnvironmentIds: async () => {
    const rows = await database.all<{ environment_id: string }>(
      `SELECT environment_id FROM pins WHERE action = 'pinned'
         AND seq IN (SELECT max(seq) FROM pins WHERE action IN ('pinned', 'unpinned') GROUP BY environment_id)`,
    );
    return rows.map((row) => row.environment_id);
  },
});
