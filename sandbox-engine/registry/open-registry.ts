// Makes the registry from one SQLite file: the stores, its state, and putting a backup in its place.
import { copyFile, rename, rm } from 'node:fs/promises';
import type { Clock } from '../base/clock.ts';
import { SandlotError } from '../base/errors.ts';
import type { RegistryState } from '../contract/model.ts';
import { createAgentStore } from './agents.ts';
import { createAuditStore } from './audit.ts';
import { createBuildStore } from './builds.ts';
import { checkFile } from './check-registry.ts';
import type { Database } from './database.ts';
import { createEgressGrantStore } from './egress-grants.ts';
import { createEgressLogStore } from './egress-log.ts';
import { createEnvironmentStore } from './environments.ts';
import { createHistoryStore } from './history.ts';
import { type OpenedFile, openFile, refuseNewer } from './open-file.ts';
import { createPinStore } from './pins.ts';
import type { Registry } from './registry.ts';
import { toRegistryError } from './registry-error.ts';
import { listBackups, measureFile, putAside, putBack, type RegistryFiles, registryFiles } from './registry-files.ts';
import { createPresetStore } from './resolved-presets.ts';
import { createSecretUseStore } from './secret-uses.ts';
import { createSessionStore } from './sessions.ts';
import { createSettings } from './settings.ts';
import { createSetupRunStore } from './setup-runs.ts';
import { readStreamIds } from './stream-ids.ts';
import { createTemplateStore } from './templates.ts';

export interface OpenRegistryOptions {
  /** The data folder; made when it is not there. */
  folder: string;
  clock: Clock;
}

/** Copies a backup beside the registry once it has proved to be whole. */
const takeBackup = async (backupPath: string, candidate: string): Promise<void> => {
  if ((await measureFile(backupPath)) === null) {
    throw new SandlotError('not_found', `There is no backup at ${backupPath}.`, { details: { path: backupPath } });
  }
  await copyFile(backupPath, candidate);
  if (await measureFile(`${backupPath}-wal`)) await copyFile(`${backupPath}-wal`, `${candidate}-wal`);
  const { problem, schemaVersion } = await checkFile(candidate);
  refuseNewer(schemaVersion, backupPath);
  if (problem === null && schemaVersion > 0) return;
  throw new SandlotError(
    'registry_damaged',
    `${backupPath} is no sound registry (${problem ?? 'it is empty'}). Choose another backup; nothing was changed.`,
    {
      details: { path: backupPath },
    },
  );
};

const swap = async (files: RegistryFiles, candidate: string, iso: string): Promise<string> => {
  const keptAside = await putAside(files, iso);
  try {
    for (const side of ['', '-wal']) if (await measureFile(candidate + side)) await rename(candidate + side, files.database + side);
    return keptAside;
  } catch (thrown) {
    await putBack(files, keptAside);
    throw thrown;
  }
};

const removeCandidate = async (candidate: string): Promise<void> => {
  for (const side of ['', '-wal', '-shm']) await rm(candidate + side, { force: true });
};

const openStores = (database: Database, clock: Clock) => ({
  environments: createEnvironmentStore(database, clock),
  agents: createAgentStore(database, clock),
  templates: createTemplateStore(database),
  builds: createBuildStore(database),
  pins: createPinStore(database),
  setupRuns: createSetupRunStore(database),
  sessions: createSessionStore(database),
  history: createHistoryStore(database),
  secretUses: createSecretUseStore(database),
  egressLog: createEgressLogStore(database),
  egressGrants: createEgressGrantStore(database),
  presets: createPresetStore(database),
  audit: createAuditStore(database),
});

/** Opens the registry in a data folder. It opens also when the file is damaged or read-only: `state` says so.
 *  @throws registry_locked @throws registry_too_new @throws disk_full */
export const openRegistry = async ({ folder, clock }: OpenRegistryOptions): Promise<Registry> => {
  const files = registryFiles(folder);
  let opened: OpenedFile = await openFile(folder, clock);
  // The stores outlive a restore, so they reach the database through whichever file is open now.
  const database: Database = {
    all: (sql, parameters) => opened.database.all(sql, parameters),
    get: (sql, parameters) => opened.database.get(sql, parameters),
    run: (sql, parameters) => opened.database.run(sql, parameters),
    exec: (sql) => opened.database.exec(sql),
    transaction: (work, options) => opened.database.transaction(work, options),
    close: () => opened.close(),
  };
  const swapAndReopen = async (candidate: string): Promise<string> => {
    try {
      return await swap(files, candidate, clock.iso());
    } finally {
      opened = await openFile(folder, clock);
    }
  };
  const restore = async (backupPath: string): Promise<RegistryState> => {
    if (opened.state.status === 'read_only') throw new SandlotError('registry_read_only', opened.state.message);
    const candidate = `${files.database}.restoring`;
    try {
      await takeBackup(backupPath, candidate);
      await opened.close();
      const keptAside = await swapAndReopen(candidate);
      const message = `The backup ${backupPath} was restored. The registry that was there before is kept at ${keptAside}.`;
      opened.state = { status: 'recovered', message, kept_aside: keptAside, backups: await listBackups(files) };
      return opened.state;
    } catch (thrown) {
      throw toRegistryError(thrown, files.database);
    } finally {
      await removeCandidate(candidate);
    }
  };
  return {
    state: () => opened.state,
    ...openStores(database, clock),
    ...createSettings(database),
    streamIds: () => readStreamIds(database),
    restore,
    close: database.close,
  };
};
