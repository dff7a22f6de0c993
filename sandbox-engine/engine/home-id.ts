// The id of a data folder: it labels what the host makes in a runtime. Kept beside the registry, so that losing that loses no ownership.
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Reads the id of a data folder, or makes one. A folder that cannot be written gets one for this run only. */
export const readHomeId = async (dataFolder: string): Promise<string> => {
  const file = join(dataFolder, 'home-id');
  const stored = await readFile(file, 'utf8').catch(() => '');
  if (stored.trim() !== '') return stored.trim();
  const made = randomUUID();
  await mkdir(dataFolder, { recursive: true, mode: 0o700 }).catch(() => undefined);
  await writeFile(file, `${made}\n`, { mode: 0o600 }).catch(() => undefined);
  return made;
};
