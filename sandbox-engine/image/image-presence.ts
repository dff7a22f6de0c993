// Knows which images a runtime still has, without asking it each time: filled once, kept true by the runtime's own events.

import { SandlotError } from '../base/errors.ts';
import type { ContainerRuntime, RuntimeEvent } from '../container/container-runtime.ts';

export type Presence = 'present' | 'missing' | 'unknown';

export interface ImagePresence {
  /** `unknown` when the runtime cannot be asked now: nobody may conclude from it that an image is gone. */
  of: (runtimeId: string, imageId: string) => Promise<Presence>;
  /** Remembers what was just made or found. */
  notePresent: (runtimeId: string, imageId: string) => void;
  onRuntimeEvent: (runtimeId: string, event: RuntimeEvent) => void;
  /** Forgets what was known: after a gap in the runtime's events. */
  forget: (runtimeId: string) => void;
}

const bare = (imageId: string): string => imageId.replace(/^sha256:/, '');

/** Makes the memory of images; `runtimeOf` throws while a runtime is away. */
export const createImagePresence = (runtimeOf: (id: string) => ContainerRuntime): ImagePresence => {
  const present = new Map<string, Set<string>>();
  const known = (runtimeId: string): Set<string> => {
    const ids = present.get(runtimeId) ?? new Set<string>();
    present.set(runtimeId, ids);
    return ids;
  };
  return {
    of: async (runtimeId, imageId) => {
      if (known(runtimeId).has(bare(imageId))) return 'present';
      try {
        const details = await runtimeOf(runtimeId).inspectImage(imageId);
        if (details === null) return 'missing';
        known(runtimeId).add(bare(imageId));
        return 'present';
      } catch (thrown) {
        if (thrown instanceof SandlotError) return 'unknown';
        throw thrown;
      }
    },
    notePresent: (runtimeId, imageId) => {
      known(runtimeId).add(bare(imageId));
    },
    onRuntimeEvent: (runtimeId, event) => {
      if (event.type === 'image' && /delete|remove|untag|prune/.test(event.action)) known(runtimeId).delete(bare(event.id));
    },
    forget: (runtimeId) => {
      present.delete(runtimeId);
    },
  };
};
