// Whether there is room on the disk of a runtime for one more sandbox. A runtime does not limit how much a workspace takes: what can be
// kept is that nothing is begun on a disk that is full.
import { statfs } from 'node:fs/promises';
import { SandlotError } from '../base/errors.ts';
import type { Environment } from '../contract/model.ts';
import type { House } from './house.ts';

const gib = 1024 ** 3;
/** With less than this a sandbox would fail in its first minute, and the machine with it. */
const leastFreeBytes = gib;

/** Free bytes of the disk that a runtime is on; null where this machine cannot see it. */
export const freeBytes = async ({ runtimes }: Pick<House, 'runtimes'>, runtimeId: string): Promise<number | null> => {
  const { isElsewhere, rootFolder } = await runtimes.get(runtimeId).info();
  if (isElsewhere || rootFolder === '') return null;
  try {
    const { bavail, bsize } = await statfs(rootFolder);
    return bavail * bsize;
  } catch {
    // A folder that only another user may look at.
    return null;
  }
};

/** @throws disk_full when a sandbox could not work there */
export const assertRoom = async (house: Pick<House, 'runtimes'>, { name, runtime }: Environment): Promise<void> => {
  const free = await freeBytes(house, runtime);
  if (free === null || free >= leastFreeBytes) return;
  throw new SandlotError('disk_full', `"${name}" was not started: the disk of "${runtime}" has ${Math.round(free / 1024 ** 2)} MiB left.`, {
    details: { free_bytes: free, needed_bytes: leastFreeBytes },
    nextAction: 'See what can go: sandlot disk',
  });
};
