// Words of an environment in tables, the same as in the window.
import type { ImageState, Resources } from '../../sandbox-engine/contract/model.ts';

const sizes = { small: '1 CPU · 2 GiB', medium: '2 CPU · 4 GiB', large: 'Whole runtime' };

/** `2 CPU · 4 GiB`, with `· GPU` when one is asked for. */
export const resourceWords = ({ size, cpus, memory_gib, gpu }: Resources): string => {
  const amount = size === 'custom' ? `${cpus ?? '?'} CPU · ${memory_gib ?? '?'} GiB` : sizes[size];
  return gpu ? `${amount} · GPU` : amount;
};

/** What stands for the pinned image in a column. */
export const imageWords: Record<ImageState['state'], string> = { active: 'pinned', stale: 'stale', missing: 'missing', none: 'not built' };
