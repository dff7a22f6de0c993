// Finds out whether a registry file can be trusted, without changing it: what looks suspicious is read from a copy.
// Source: sqlite.org/pragma.html#pragma_quick_check; sqlite.org/wal.html (a WAL file does not say which database it belongs to).
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SandlotError } from '../base/errors.ts';
import { openDatabase, type Reader } from './database.ts';
import { applicationId } from './migrations.ts';
import { measureFile, type RegistryFiles } from './registry-files.ts';

export interface Finding {
  /** What is wrong, as the end of a sentence; null when nothing is. */
  problem: string | null;
  /** 0 for a registry that has no tables yet. */
  schemaVersion: number;
  /** Where a copy without the strange -wal file lies, when the registry is sound without it. */
  soundWithoutWal: string | null;
}

interface Inspection {
  problem: string | null;
  schemaVersion: number;
  registryId: string | null;
}

const readInspection = async (reader: Reader): Promise<Inspection> => {
  const application = await reader.get<{ application_id: number }>('PRAGMA application_id');
  const version = await reader.get<{ user_version: number }>('PRAGMA user_version');
  const tables = await reader.get<{ count: number }>('SELECT count(*) AS count FROM sqlite_schema');
  const schemaVersion = version?.user_version ?? 0;
  if (tables?.count === 0) return { problem: null, schemaVersion, registryId: null };
  if (application?.application_id !== applicationId) {
    return { problem: 'it is a database of another program', schemaVersion, registryId: null };
  }
  const rows = await reader.all<{ quick_check: string }>('PRAGMA quick_check(3)');
  const found = rows.map((row) => row.quick_check).join('; ');
  if (found !== 'ok') return { problem: found, schemaVersion, registryId: null };
  const id = await reader.get<{ value: string }>("SELECT value FROM settings WHERE key = 'registry_id'");
  return { problem: null, schemaVersion, registryId: id?.value ?? null };
};

/** Reads a database file from end to end. @throws registry_locked */
const inspect = async (file: string): Promise<Inspection> => {
  try {
    const database = await openDatabase(file, { readOnly: true });
    try {
      return await readInspection(database);
    } finally {
      await database.close();
    }
  } catch (thrown) {
    if (!(thrown instanceof SandlotError) || (thrown.code !== 'registry_damaged' && thrown.code !== 'internal')) throw thrown;
    return { problem: String(thrown.details['reason'] ?? thrown.message), schemaVersion: 0, registryId: null };
  }
};

const versionsOf = async (file: string): Promise<string> => JSON.stringify([await measureFile(file), await measureFile(`${file}-wal`)]);

/** Copies file and -wal so that both are of one moment, although somebody may be writing. */
const copyWithWal = async (file: string, copy: string): Promise<void> => {
  for (let tries = 0; tries < 10; tries += 1) {
    const before = await versionsOf(file);
    await copyFile(file, copy);
    await copyFile(`${file}-wal`, `${copy}-wal`);
    if ((await versionsOf(file)) === before) return;
  }
  throw new SandlotError(
    'registry_locked',
    `The registry ${file} is being written by another program. Close it, then start Sandlot again.`,
  );
};

const checkWithWal = async (file: string, folder: string): Promise<Finding> => {
  const whole = join(folder, 'whole.db');
  const alone = join(folder, 'alone.db');
  await copyWithWal(file, whole);
  await copyFile(file, alone);
  const withoutWal = await inspect(alone);
  const withWal = await inspect(whole);
  const { schemaVersion } = withWal;
  const isForeign = withoutWal.registryId !== null && withWal.registryId !== withoutWal.registryId;
  const problem = withWal.problem ?? (isForeign ? 'the -wal file beside it belongs to another registry' : null);
  const isSound = problem !== null && withoutWal.problem === null && withoutWal.registryId !== null;
  return { problem, schemaVersion, soundWithoutWal: isSound ? alone : null };
};

/** Checks a backup or any other registry file that no one has open. */
export const checkFile = async (file: string): Promise<Finding> => ({ ...(await inspect(file)), soundWithoutWal: null });

/** Checks the registry in its place and hands the finding to `then`; copies made for it are gone afterwards. @throws registry_locked */
export const checkRegistry = async <Value>(
  files: RegistryFiles,
  hasBackups: boolean,
  then: (finding: Finding) => Promise<Value>,
): Promise<Value> => {
  const main = await measureFile(files.database);
  const wal = await measureFile(`${files.database}-wal`);
  const fine: Finding = { problem: null, schemaVersion: 0, soundWithoutWal: null };
  if (main === null) return await then(wal === null || wal.size === 0 ? fine : { ...fine, problem: 'only its -wal file is there' });
  if (main.size === 0 && hasBackups) return await then({ ...fine, problem: 'it is empty' });
  if (wal === null || wal.size === 0) return await then(await checkFile(files.database));
  const folder = await mkdtemp(`${files.database}.check-`);
  try {
    return await then(await checkWithWal(files.database, folder));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
