// Whom the workspace of a sandbox belongs to, by number: an image may have had a user of that name, or of that number, before ours was made.
import { pipeline } from 'node:stream/promises';
import { extract } from 'tar-stream';
import { SandlotError } from '../base/errors.ts';
import type { ContainerRuntime } from '../container/container-runtime.ts';
import { workspace } from '../container/sandbox-spec.ts';
import type { Owner } from './tar-header.ts';

/** Looks at the folder itself, and at nothing in it. @throws runtime_error */
const look = async (runtime: ContainerRuntime, containerId: string): Promise<Owner> => {
  const archive = await runtime.getArchive(containerId, workspace);
  const tar = extract();
  // Whoever reads is told the same.
  pipeline(archive, tar).catch(() => undefined);
  try {
    for await (const { header } of tar) return { uid: header.uid ?? 0, gid: header.gid ?? 0 };
    throw new SandlotError('runtime_error', `The runtime did not say whom ${workspace} belongs to.`);
  } finally {
    archive.destroy();
  }
};

/** Answers for a container of this image. */
export type OwnerOf = (runtime: ContainerRuntime, containerId: string, imageId: string | null) => Promise<Owner>;

const mostKept = 500;

/** Asks once for each image: a look takes the runtime as long as starting a command. */
export const createOwnerOf = (): OwnerOf => {
  const known = new Map<string, Owner>();
  return async (runtime, containerId, imageId) => {
    const key = `${runtime.id} ${imageId}`;
    const kept = imageId === null ? undefined : known.get(key);
    if (kept !== undefined) return kept;
    const owner = await look(runtime, containerId);
    if (imageId !== null && known.size < mostKept) known.set(key, owner);
    return owner;
  };
};
