// Brings a folder by the runtime's archive call: Podman unpacks what it is given itself, in half of the time in which it hands it to a program
// inside. Docker is no faster so, and lets nobody into the container meanwhile.
import { posix } from 'node:path';
import { Readable } from 'node:stream';
import { SandlotError } from '../base/errors.ts';
import { workspace } from '../container/sandbox-spec.ts';
import type { PackedFolder } from './pack-folder.ts';
import { type Brought, type FolderPlace, type Packing, told } from './packing.ts';
import { runWhenTold } from './run-when-told.ts';

/** What goes before each name that is put below the workspace: `repo/`; empty for the workspace itself. @throws invalid_request */
const prefixOf = (path: string): string => {
  const below = posix.relative(workspace, posix.normalize(path));
  if (below === '..' || below.startsWith('../')) {
    throw new SandlotError('invalid_request', `${path} is not in ${workspace}.`, {
      nextAction: `Name a folder below ${workspace} as the path of the repository.`,
    });
  }
  return below === '' ? '' : `${below}/`;
};

const put = async (place: FolderPlace, { from, options }: Packing, prefix: string): Promise<PackedFolder> => {
  const { runtime, containerId, pack, owner, say } = place;
  const packed = pack(from, { ...options, prefix, hasPrefixFolders: true, owner: await owner() });
  try {
    await runtime.putArchive(containerId, workspace, Readable.from(told(packed, say)));
    return packed;
  } finally {
    packed.tar.destroy();
  }
};

/** Brings it; all of it belongs to the sandbox user then, whoever made the folder. */
export const putFolder = async (place: FolderPlace, packing: Packing): Promise<Brought> => {
  const putting = put(place, packing, prefixOf(packing.to));
  if (packing.then === undefined) return { packed: await putting, ended: { exitCode: 0, said: '' } };
  const { made, ...ended } = await runWhenTold(place.runtime, place.containerId, packing.then, putting);
  return { packed: made, ended };
};
