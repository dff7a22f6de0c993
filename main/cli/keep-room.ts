// Leaves this machine some of its disk, whatever a sandbox sends.
import { statfs } from 'node:fs/promises';
import { refused } from './command-failed.ts';

const keptFree = 536_870_912;
const lookEvery = 33_554_432;

/** To be told of each piece that is written below the folder; looks at once, and again now and then. @throws disk_full */
export const createRoom = (folder: string): ((bytes: number) => Promise<void>) => {
  let sinceLook = lookEvery;
  return async (bytes) => {
    sinceLook += bytes;
    if (sinceLook < lookEvery) return;
    sinceLook = 0;
    const { bavail, bsize } = await statfs(folder);
    if (bavail * bsize < keptFree)
      throw refused(
        'disk_full',
        `There is no room left at ${folder}, so the copy was stopped.`,
        'Free disk space, or copy to another disk.',
      );
  };
};
