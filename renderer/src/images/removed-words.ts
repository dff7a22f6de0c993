import type { OwnImage } from '../../../sandbox-engine/contract/model.ts';
import { formatBytes, shortDigest } from '../ui/format.ts';

type Removed = Pick<OwnImage, 'id' | 'kind' | 'frees_bytes'>;

/** What is said when an image is gone: a runtime may keep apart from it what it built. Pure. */
export const removedWords = ({ id, kind, frees_bytes: frees }: Removed): string => {
  const done = `Image ${shortDigest(id)} is removed${frees === null ? '' : `, which frees ${formatBytes(frees)}`}.`;
  return kind === 'build' || kind === 'base' ? `${done} What was built for it may stay in the build cache of the runtime.` : done;
};
