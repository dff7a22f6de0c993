// Where the registry, its backups and what was put aside lie in the data folder. Moves and lists files; reads no table, deletes nothing
// but the oldest backups.
import { chmod, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { RegistryState } from '../contract/model.ts';

export interface RegistryFiles {
  database: string;
  backups: string;
  keptAside: string;
}

const keptBackups = 5;
/** SQLite keeps the newest commits beside the file until they are written back into it. */
const sides = ['', '-wal', '-shm'] as const;

/** The paths below this data folder. */
export const registryFiles = (folder: string): RegistryFiles => ({
  database: join(folder, 'registry.db'),
  backups: join(folder, 'backups'),
  keptAside: join(folder, 'kept-aside'),
});

/** A time as part of a file name: `2026-11-29T18-05-11-123Z`. */
export const stampOf = (iso: string): string => iso.replace(/[:.]/g, '-');

const timeOf = (file: string): string | null => {
  const [, day, hours, minutes, seconds, ms] = /(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z/.exec(file) ?? [];
  return day === undefined ? null : `${day}T${hours}:${minutes}:${seconds}.${ms}Z`;
};

const isMissing = (thrown: unknown): boolean =>
  typeof thrown === 'object' && thrown !== null && 'code' in thrown && thrown.code === 'ENOENT';

/** The size in bytes and the time of the last change, or null when there is no such file. */
export const measureFile = async (file: string): Promise<{ size: number; changedMs: number } | null> => {
  try {
    const { size, mtimeMs } = await stat(file);
    return { size, changedMs: mtimeMs };
  } catch (thrown) {
    if (isMissing(thrown)) return null;
    throw thrown;
  }
};

/** Backups with a date in their name, newest first. */
export const listBackups = async (files: RegistryFiles): Promise<RegistryState['backups']> => {
  const names = await readdir(files.backups).catch((thrown: unknown) => {
    if (isMissing(thrown)) return [];
    throw thrown;
  });
  const backups: RegistryState['backups'] = [];
  for (const name of names.filter((each) => each.endsWith('.db'))) {
    const at = timeOf(name);
    const path = join(files.backups, name);
    const measured = await measureFile(path);
    if (at !== null && measured !== null) backups.push({ path, at, size: measured.size });
  }
  return backups.sort((a, b) => (a.at < b.at ? 1 : -1));
};

/** Keeps the newest five backups. */
export const pruneBackups = async (files: RegistryFiles): Promise<void> => {
  for (const backup of (await listBackups(files)).slice(keptBackups)) await rm(backup.path);
};

/** Moves the registry and what lies beside it under a dated name; answers the new path of the registry itself. */
export const putAside = async (files: RegistryFiles, iso: string): Promise<string> => {
  await mkdir(files.keptAside, { recursive: true });
  const target = join(files.keptAside, `registry-${stampOf(iso)}.db`);
  for (const side of sides) {
    if (await measureFile(files.database + side)) await rename(files.database + side, target + side);
  }
  return target;
};

/** Lets nobody but the owner read these files; SQLite gives the files beside it the mode of the database. */
export const makePrivate = async (file: string): Promise<void> => {
  for (const side of sides) {
    // Not there, or a file system without modes: the folder itself is for the owner only.
    await chmod(file + side, 0o600).catch(() => undefined);
  }
};

/** Undoes putAside. */
export const putBack = async (files: RegistryFiles, keptAside: string): Promise<void> => {
  for (const side of sides) {
    if (await measureFile(keptAside + side)) await rename(keptAside + side, files.database + side);
  }
};

/** False when the folder or the registry in it cannot be written by us; a full disk is not that. */
export const isWritable = async (files: RegistryFiles): Promise<boolean> => {
  const probe = `${files.database}.probe-${process.pid}`;
  try {
    await (await open(probe, 'w')).close();
    await rm(probe);
    for (const side of sides) {
      if (await measureFile(files.database + side)) await (await open(files.database + side, 'r+')).close();
    }
    return true;
  } catch (thrown) {
    const code = typeof thrown === 'object' && thrown !== null && 'code' in thrown ? thrown.code : '';
    if (code === 'EROFS' || code === 'EACCES' || code === 'EPERM') return false;
    throw thrown;
  }
};
