// How many bytes are in a folder of the host's own. Links are counted, not followed.
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Bytes in a file or in all files below a folder; 0 when it is not there. What goes away meanwhile is not counted. */
export const folderSize = async (path: string): Promise<number> => {
  const found = await lstat(path).catch(() => null);
  if (found === null) return 0;
  if (!found.isDirectory()) return found.size;
  let bytes = 0;
  for (const name of await readdir(path).catch(() => [])) bytes += await folderSize(join(path, name));
  return bytes;
};
