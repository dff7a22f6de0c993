// The hosts of presets as they were resolved for each environment: what is used until somebody resolves them anew.
import type { ResolvedPreset } from '../contract/model.ts';
import type { Database } from './database.ts';
import type { PresetStore } from './registry.ts';

interface PresetRow {
  image_id: string | null;
  body: string;
}

/** The store of resolved presets in this database. */
export const createPresetStore = (database: Database): PresetStore => ({
  list: async (environmentId) => {
    const rows = await database.all<PresetRow>('SELECT image_id, body FROM resolved_presets WHERE environment_id = ? ORDER BY preset', [
      environmentId,
    ]);
    return rows.map(({ image_id, body }) => ({ imageId: image_id, preset: JSON.parse(body) as ResolvedPreset }));
  },
  put: (environmentId, presets) =>
    database.transaction(async (transaction) => {
      for (const { imageId, preset } of presets) {
        await transaction.run(
          `INSERT INTO resolved_presets (environment_id, preset, image_id, body) VALUES (?1, ?2, ?3, ?4)
           ON CONFLICT (environment_id, preset) DO UPDATE SET image_id = excluded.image_id, body = excluded.body`,
          [environmentId, preset.id, imageId, JSON.stringify(preset)],
        );
      }
    }),
  keepOnly: (environmentId, ids) =>
    database.transaction(async (transaction) => {
      await transaction.run('DELETE FROM resolved_presets WHERE environment_id = ? AND preset NOT IN (SELECT value FROM json_each(?))', [
        environmentId,
        JSON.stringify(ids),
      ]);
    }),
});
