// Opens the registry's file whatever state it is in, and says plainly which: in order, read-only or damaged.
import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { SandlotError } from '../base/errors.ts';
import type { RegistryState } from '../contract/model.ts';
import { backUp, backUpDaily } from './back-up.ts';
import { checkRegistry } from './check-registry.ts';
import { rememberDamage, setDamagedAside } from './damage.ts';
import { type Database, openDatabase } from './database.ts';
import { migrate, schemaVersion } from './migrations.ts';
import { toRegistryError } from './registry-error.ts';
import { isWritable, listBackups, makePrivate, measureFile, type RegistryFiles, registryFiles, stampOf } from './registry-files.ts';

export interface OpenedFile {
  database: Database;
  state: RegistryState;
  /** Closes the database and removes what was only made to read it. */
  close: () => Promise<void>;
}

/** @throws registry_too_new for a schema that only a later Sandlot knows. */
export const refuseNewer = (found: number, file: string): void => {
  if (found <= schemaVersion) return;
  throw new SandlotError(
    'registry_too_new',
    `The registry ${file} was written by a newer Sandlot (schema ${found}; this one knows ${schemaVersion}). Update Sandlot, or restore a backup made before the update.`,
    { details: { path: file, schema: found, known_schema: schemaVersion }, nextAction: 'Update Sandlot.' },
  );
};

/** Brings the schema up, after a backup when there is something to lose. */
const bringUp = async (database: Database, files: RegistryFiles, clock: Clock, version: number): Promise<void> => {
  if (version > 0 && version < schemaVersion)
    await backUp(database, files, `registry-${stampOf(clock.iso())}-before-schema-${schemaVersion}.db`);
  await migrate(database, version);
  await database.run("INSERT INTO settings (key, value) VALUES ('registry_id', ?) ON CONFLICT (key) DO NOTHING", [randomUUID()]);
};

const okState = (files: RegistryFiles): RegistryState => ({
  status: 'ok',
  message: `The registry ${files.database} is in order.`,
  kept_aside: null,
  backups: [],
});

const openWritable = async (files: RegistryFiles, clock: Clock): Promise<OpenedFile> => {
  const hasBackups = (await listBackups(files)).length > 0;
  const checked = await checkRegistry(files, hasBackups, async (finding) => {
    if (finding.problem !== null) return { version: 0, damage: await setDamagedAside(files, clock, finding) };
    refuseNewer(finding.schemaVersion, files.database);
    return { version: finding.schemaVersion, damage: null };
  });
  const database = await openDatabase(files.database);
  try {
    await makePrivate(files.database);
    await bringUp(database, files, clock, checked.version);
    const damage = await rememberDamage(database, checked.damage);
    if (damage === null) await backUpDaily(database, files, clock);
    const state = { ...(damage ?? okState(files)), backups: await listBackups(files) };
    return { database, state, close: database.close };
  } catch (thrown) {
    await database.close();
    throw thrown;
  }
};

/** Reads from a copy: SQLite cannot read a file in WAL mode in a folder where it may not write. */
const openReadOnly = async (files: RegistryFiles, clock: Clock): Promise<OpenedFile> => {
  const folder = await mkdtemp(join(tmpdir(), 'sandlot-read-only-'));
  const removeCopy = () => rm(folder, { recursive: true, force: true });
  const copies = registryFiles(folder);
  try {
    for (const side of ['', '-wal']) {
      if (await measureFile(files.database + side)) await copyFile(files.database + side, copies.database + side);
    }
    const { close, state } = await openWritable(copies, clock);
    await close();
    const database = await openDatabase(copies.database, { readOnly: true });
    const isDamaged = state.status === 'damaged';
    const message = `The data folder cannot be written, so nothing can be saved${isDamaged ? ', and the registry in it is damaged' : ''}. Make ${files.database} and its folder writable for you, then start Sandlot again.`;
    const closeBoth = async () => {
      await database.close();
      await removeCopy();
    };
    return { database, state: { status: 'read_only', message, kept_aside: null, backups: await listBackups(files) }, close: closeBoth };
  } catch (thrown) {
    await removeCopy();
    throw thrown;
  }
};

/** Opens the registry in this folder; a damaged one is put aside and an empty one begun.
 *  @throws registry_locked @throws registry_too_new @throws disk_full */
export const openFile = async (folder: string, clock: Clock): Promise<OpenedFile> => {
  const files = registryFiles(folder);
  try {
    await mkdir(folder, { recursive: true });
    return (await isWritable(files)) ? await openWritable(files, clock) : await openReadOnly(files, clock);
  } catch (thrown) {
    throw toRegistryError(thrown, files.database);
  }
};
