// Reads a small text file in a folder that others may have written to: what waits, never ends or leads elsewhere is no such file.
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

// A pipe is not waited for, and neither is whoever holds a lease. Source: open(2), fcntl(2).
const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Its text; null when it is no file of its own, is larger, or cannot be read. */
export const readSmallFile = async (path: string, mostBytes: number): Promise<string | null> => {
  const file = await open(path, flags).catch(() => null);
  if (file === null) return null;
  try {
    const found = await file.stat();
    return found.isFile() && found.size <= mostBytes ? await file.readFile('utf8') : null;
  } finally {
    await file.close();
  }
};
