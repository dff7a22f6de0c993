// Replaces a file as a whole: whoever reads it, also after a crash or a power cut, finds the old contents or the new ones.
import { type FileHandle, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { SandlotError } from '../base/errors.ts';

const half = '.half-';

const syncFolder = async (folder: string): Promise<void> => {
  let handle: FileHandle;
  try {
    handle = await open(folder, 'r');
  } catch {
    // Windows opens no folders; a rename is durable there by itself.
    return;
  }
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

const writeFailure = (file: string, thrown: unknown): SandlotError => {
  const { code, message } = thrown as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new SandlotError('disk_full', `The disk that holds ${file} is full: nothing was changed.`, {
      cause: thrown,
      nextAction: 'Free some space on that disk, then try again.',
    });
  }
  if (code === 'EROFS' || code === 'EACCES' || code === 'EPERM') {
    return new SandlotError('registry_read_only', `${file} cannot be written: ${message}.`, {
      cause: thrown,
      nextAction: `Make ${dirname(file)} writable for you, then try again.`,
    });
  }
  return new SandlotError('internal', `${file} cannot be written: ${message}`, { cause: thrown });
};

/** Writes a file that only its owner can read, whole or not at all. @throws disk_full @throws registry_read_only */
export const writeAtomically = async (file: string, contents: string): Promise<void> => {
  const written = `${file}${half}${process.pid}`;
  try {
    const handle = await open(written, 'w', 0o600);
    try {
      await handle.writeFile(contents);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(written, file);
    await syncFolder(dirname(file));
  } catch (thrown) {
    await rm(written, { force: true }).catch(() => undefined);
    throw writeFailure(file, thrown);
  }
};

/** Removes what a killed host left half written beside a file. */
export const removeHalves = async (file: string): Promise<void> => {
  const names = await readdir(dirname(file)).catch(() => []);
  for (const name of names) {
    if (name.startsWith(basename(file) + half)) await rm(join(dirname(file), name), { force: true }).catch(() => undefined);
  }
};
