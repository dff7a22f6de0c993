// Brings a folder of this machine into a session: as it is, or, as a worktree, the commits of its repository alone on a branch of the
// session's own. Both are copies that root inside may spoil: nothing inside leads back to the person's folder, and no git runs on it here.
import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SandlotError } from '../base/errors.ts';
import type { ContainerRuntime } from '../container/container-runtime.ts';
import { sandboxUser, workspace } from '../container/sandbox-spec.ts';
import type { Environment } from '../contract/model.ts';
import { type PackedFolder, packFolder } from './pack-folder.ts';

type Repo = NonNullable<Environment['repo']>;

export interface FolderPlace {
  runtime: ContainerRuntime;
  containerId: string;
  repo: Repo;
  say: (line: string) => void;
}

/** Pieces that are on their way while the next one is read. */
const mostUnderway = 8;

const sizeOf = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MiB`;

/** Unpacks inside, as the sandbox user: whoever made the folder, it belongs to the user then, and tar can leave nothing elsewhere. */
const unpack = async ({ runtime, containerId, say }: FolderPlace, packed: PackedFolder, path: string): Promise<void> => {
  const command = ['/bin/sh', '-c', 'mkdir -p -- "$1" && exec tar -x --no-same-owner -C "$1"', 'sandlot-unpack', path];
  const handle = await runtime.exec(containerId, { command, user: sandboxUser, workdir: workspace, stdin: true });
  let said = '';
  const heard = (async () => {
    for await (const { bytes } of handle.output) said = (said + bytes.toString('utf8')).slice(-4_096);
  })();
  heard.catch(() => undefined);
  try {
    const underway: Promise<void>[] = [];
    for await (const piece of packed.tar) {
      underway.push(handle.type(piece as Buffer));
      if (underway.length > mostUnderway) await underway.shift();
      const { files, bytes } = packed.count();
      say(`${files} files, ${sizeOf(bytes)}`);
    }
    await Promise.all(underway);
    handle.stdin.end();
    const exitCode = await handle.exitCode();
    await heard;
    if (exitCode !== 0)
      throw new SandlotError('runtime_error', `The folder was not copied to ${path}: ${said.trim() || `exit code ${exitCode}`}`);
  } finally {
    packed.tar.destroy();
    handle.close();
  }
};

const unreadable = (source: string, cause: unknown): SandlotError =>
  new SandlotError('not_found', `The repository folder ${source} cannot be read.`, {
    cause,
    nextAction: 'Correct the source of the repository in the environment, or make the folder readable for you.',
  });

/** A sentence about what stayed behind; null when nothing did. */
const leftOutNote = (names: readonly string[]): string | null => {
  if (names.length === 0) return null;
  const shown = names.slice(0, 5).map((name) => JSON.stringify(name));
  return `${names.length} ${names.length === 1 ? 'entry was' : 'entries were'} left out, unreadable or no files: ${shown.join(', ')}${names.length > 5 ? ' …' : ''}`;
};

/** Copies the folder as it is. Answers a note about what was left out, or null. @throws not_found */
export const copyFolder = async (place: FolderPlace): Promise<string | null> => {
  const { repo } = place;
  const found = await lstat(repo.source).catch((cause: unknown) => {
    throw unreadable(repo.source, cause);
  });
  if (!found.isDirectory()) throw unreadable(repo.source, new Error('It is no folder.'));
  const packed = packFolder(repo.source, { leaveIgnored: repo.leave_ignored === true });
  await unpack(place, packed, repo.path);
  return leftOutNote(packed.leftOut());
};

const gitFolderOf = async (source: string): Promise<string> => {
  const inside = await lstat(join(source, '.git')).catch(() => null);
  if (inside?.isDirectory() === true) return join(source, '.git');
  if (inside !== null) {
    const text = await readFile(join(source, '.git'), 'utf8').catch(() => '');
    const main = /^gitdir: (.*?)(?:\/\.git)?\/(?:worktrees|modules)\//.exec(text)?.[1];
    throw new SandlotError('invalid_request', `${source} is itself a worktree or submodule: its commits are kept elsewhere.`, {
      nextAction: main === undefined ? 'Name the repository that it belongs to.' : `Name that folder instead: ${main}`,
    });
  }
  const isBare = (await lstat(join(source, 'objects')).catch(() => null))?.isDirectory() === true;
  if (isBare) return source;
  throw new SandlotError('invalid_request', `${source} is no git repository, so a session cannot have a branch of it.`, {
    nextAction: 'Choose "copy" as the way of the repository, or make it one: git init',
  });
};

/** Only what commits are made of: no hooks, no configuration, nothing that leads elsewhere. */
const isOfCommits = (path: string, hasLfs: boolean): boolean => {
  if (/^objects\/info\/(?:http-)?alternates$|^objects\/(?:.*\/)?tmp_/.test(path)) return false;
  return /^(?:HEAD|packed-refs|shallow|objects|refs)(?:\/|$)/.test(path) || (hasLfs && /^lfs(?:$|\/objects(?:\/|$))/.test(path));
};

export interface BranchedFolder {
  note: string | null;
  /** `sha1` or `sha256`. */
  objectFormat: string;
  /** Where the person's repository fetches from, without any login; null when it is told none. */
  originUrl: string | null;
}

const readConfig = async (gitFolder: string): Promise<Pick<BranchedFolder, 'objectFormat' | 'originUrl'>> => {
  const config = await readFile(join(gitFolder, 'config'), 'utf8').catch(() => '');
  if (/^\s*refstorage\s*=\s*(?!files)/im.test(config)) {
    throw new SandlotError('invalid_request', 'The repository keeps its branches in a form that the git in sandboxes may not know.', {
      nextAction: 'Choose "copy" as the way of the repository.',
    });
  }
  const url = /\[remote "origin"\][^[]*?^\s*url\s*=\s*(\S+)\s*$/m.exec(config)?.[1] ?? '';
  return {
    objectFormat: /^\s*objectformat\s*=\s*sha256\s*$/im.test(config) ? 'sha256' : 'sha1',
    originUrl: /^https?:\/\/[^@\s]+$/.test(url) || /^(?:ssh:\/\/)?git@[^\s]+$/.test(url) ? url : null,
  };
};

/** Copies the commits of the folder's repository to the path's `.git`; checking out is the caller's. @throws not_found @throws invalid_request */
export const copyCommits = async (place: FolderPlace): Promise<BranchedFolder> => {
  const { repo } = place;
  await lstat(repo.source).catch((cause: unknown) => {
    throw unreadable(repo.source, cause);
  });
  const gitFolder = await gitFolderOf(repo.source);
  const borrowed = await readFile(join(gitFolder, 'objects/info/alternates'), 'utf8').catch(() => '');
  if (borrowed.trim() !== '') {
    throw new SandlotError('invalid_request', `${repo.source} borrows commits from ${borrowed.trim().split('\n')[0]}.`, {
      nextAction: `Let it have its own first: git -C ${repo.source} repack -a -d && rm ${join(gitFolder, 'objects/info/alternates')}`,
    });
  }
  const config = await readConfig(gitFolder);
  const packed = packFolder(gitFolder, { takes: (path) => isOfCommits(path, repo.lfs) });
  await unpack(place, packed, `${repo.path}/.git`);
  return { ...config, note: leftOutNote(packed.leftOut()) };
};
