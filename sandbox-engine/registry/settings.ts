// Small settings of the host itself, by key.
import type { Database } from './database.ts';
import type { Registry } from './registry.ts';

/** The store of settings in this database. */
export const createSettings = (database: Database): Pick<Registry, 'setting' | 'saveSetting'> => ({
  setting: async (key) => (await database.get<{ value: string }>('SELECT value FROM settings WHERE key = ?', [key]))?.value ?? null,
  saveSetting: async (key, value) => {
    await database.run('INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value', [
      key,
      value,
    ]);
  },
});
