// One host a data folder: a file that names its owner. An owner that is gone (kill -9, power cut) is found out and replaced.
import { randomBytes } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { processStart } from './process-start.ts';

interface Owner {
  pid: number;
  start: string;
  nonce: string;
}

export interface HostLock {
  /** False when somebody took the lock over although we live: then we are not the host. */
  isOurs: () => Promise<boolean>;
  release: () => Promise<void>;
}

const readText = async (path: string): Promise<string | null> => await readFile(path, 'utf8').catch(() => null);

const isAlive = async (text: string): Promise<boolean> => {
  try {
    const owner = JSON.parse(text) as Owner;
    return (await processStart(owner.pid)) === owner.start;
  } catch {
    // Not written by us, or cut short by a crash: nobody holds it.
    return false;
  }
};

/** Puts a complete file in place, or fails when there is one: nobody ever sees half a lock. */
const place = async (path: string, text: string): Promise<boolean> => {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, text, { mode: 0o600, flag: 'wx' });
  try {
    await link(draft, path);
    return true;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw thrown;
  } finally {
    await rm(draft, { force: true });
  }
};

/** Moves a dead owner's lock away; puts it back when another starter was faster and it is no longer the dead one. */
const removeStale = async (path: string, stale: string): Promise<void> => {
  const aside = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    await rename(path, aside);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw thrown;
  }
  if ((await readText(aside)) !== stale) await link(aside, path).catch(() => undefined);
  await rm(aside, { force: true });
};

/** Takes the lock of a data folder; null when a living process holds it. */
export const takeHostLock = async (dataFolder: string): Promise<HostLock | null> => {
  const path = join(dataFolder, 'host.lock');
  const owner: Owner = { pid: process.pid, start: (await processStart(process.pid)) ?? '', nonce: randomBytes(9).toString('hex') };
  const ours = JSON.stringify(owner);
  for (let attempt = 0; attempt < 20; attempt += 1) {
    if (await place(path, ours)) {
      const isOurs = async () => (await readText(path)) === ours;
      return { isOurs, release: async () => void ((await isOurs()) && (await rm(path, { force: true }))) };
    }
    const held = await readText(path);
    if (held !== null && (await isAlive(held))) return null;
    if (held !== null) await removeStale(path, held);
  }
  return null;
};
