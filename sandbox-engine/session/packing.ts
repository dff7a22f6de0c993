// What is packed of a folder of this machine for a session, where it goes, and how far it is. Shared by the ways that lead there.
import { sizeText } from '../base/size-text.ts';
import type { ContainerRuntime } from '../container/container-runtime.ts';
import type { Environment } from '../contract/model.ts';
import type { PackedFolder, Packer } from './pack-folder.ts';
import type { Owner } from './tar-header.ts';

export interface FolderPlace {
  runtime: ContainerRuntime;
  containerId: string;
  repo: NonNullable<Environment['repo']>;
  pack: Packer['pack'];
  /** Whom what comes is to belong to. */
  owner: () => Promise<Owner>;
  say: (line: string) => void;
}

/** A command that is run inside after that. */
export interface Then {
  /** The folder in which; it need not be there before. */
  at: string;
  command: readonly string[];
  env: readonly string[];
}

export interface Packing {
  from: string;
  /** The folder inside. */
  to: string;
  options: { leaveIgnored?: boolean; only?: 'commits' | 'commits and large files' };
  then?: Then;
}

/** How the command ended, for whoever asked for it to judge; null where its output ended without that. */
export interface Ended {
  exitCode: number | null;
  said: string;
}

/** What came, and how the command after it ended; without one it has ended well. */
export interface Brought {
  packed: PackedFolder;
  ended: Ended;
}

/** Its pieces, with a word about each. */
export async function* told({ tar, count }: PackedFolder, say: FolderPlace['say']): AsyncGenerator<Buffer> {
  for await (const piece of tar) {
    yield piece as Buffer;
    const { files, bytes } = count();
    say(`${files} files, ${sizeText(bytes)}`);
  }
}
