// A damaged registry: its files are put aside, never deleted, and the damage stays announced until somebody has dealt with it.
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import type { RegistryState } from '../contract/model.ts';
import type { Finding } from './check-registry.ts';
import type { Database } from './database.ts';
import { listBackups, putAside, type RegistryFiles, stampOf } from './registry-files.ts';
import { createSettings } from './settings.ts';

/** Puts the damaged files aside; a copy that is sound without its -wal file joins the backups. */
export const setDamagedAside = async (
  files: RegistryFiles,
  clock: Clock,
  { problem, soundWithoutWal }: Finding,
): Promise<RegistryState> => {
  if (soundWithoutWal !== null) {
    await mkdir(files.backups, { recursive: true });
    await copyFile(soundWithoutWal, join(files.backups, `registry-${stampOf(clock.iso())}-without-wal.db`));
  }
  const keptAside = await putAside(files, clock.iso());
  const next = (await listBackups(files)).length > 0 ? 'Restore a backup, or go on with the empty one.' : 'There is no backup to restore.';
  const message = `The registry was damaged (${problem}). It is kept at ${keptAside} and an empty one was begun. ${next}`;
  return { status: 'damaged', message, kept_aside: keptAside, backups: [] };
};

/** Damage stays announced at each start until a backup is restored or something new is saved. */
export const rememberDamage = async (database: Database, found: RegistryState | null): Promise<RegistryState | null> => {
  const settings = createSettings(database);
  if (found !== null) {
    await settings.saveSetting('damage', JSON.stringify(found));
    return found;
  }
  const earlier = await settings.setting('damage');
  if (earlier === null) return null;
  if ((await database.get('SELECT 1 FROM environments LIMIT 1')) === undefined) return JSON.parse(earlier) as RegistryState;
  await database.run("DELETE FROM settings WHERE key = 'damage'");
  return null;
};
