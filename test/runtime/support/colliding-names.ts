// Two names that a sandbox's pool of addresses would give the same place: whichever is asked for first gets it.
import { createSyntheticPool } from '../../../sandbox-engine/egress/synthetic-pool.ts';

/** Finds such a pair under a suffix. */
export const collidingNames = (suffix: string): [string, string] => {
  const seen = new Map<string, string>();
  for (let count = 0; ; count++) {
    const name = `n${count}${suffix}`;
    const address = createSyntheticPool().addressOf(name) ?? '';
    const other = seen.get(address);
    if (other !== undefined) return [other, name];
    seen.set(address, name);
  }
};
