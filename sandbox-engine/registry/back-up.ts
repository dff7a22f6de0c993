// Backups of the registry: one a day, and one before each change of its schema. The newest five are kept.
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import type { Database } from './database.ts';
import { listBackups, makePrivate, pruneBackups, type RegistryFiles, stampOf } from './registry-files.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** Writes a backup beside the others; it has its name only when it is whole. */
export const backUp = async (database: Database, files: RegistryFiles, name: string): Promise<void> => {
  await mkdir(files.backups, { recursive: true });
  const target = join(files.backups, name);
  await rm(`${target}.part`, { force: true });
  await database.run('VACUUM INTO ?', [`${target}.part`]);
  await makePrivate(`${target}.part`);
  await rename(`${target}.part`, target);
  await pruneBackups(files);
};

/** Once a day, and never of an empty registry: that would push out the backups worth having. */
export const backUpDaily = async (database: Database, files: RegistryFiles, clock: Clock): Promise<void> => {
  const [newest] = await listBackups(files);
  if (newest !== undefined && clock.now() - Date.parse(newest.at) < dayMs) return;
  if ((await database.get('SELECT 1 FROM environments LIMIT 1')) === undefined) return;
  await backUp(database, files, `registry-${stampOf(clock.iso())}.db`);
};
