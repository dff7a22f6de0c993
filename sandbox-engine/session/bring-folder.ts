// Brings a folder of this machine into a session: as it is, or, as a worktree, the commits of its repository alone on a branch of the
// session's own. Both are copies that root inside may spoil: nothing inside leads back to the person's folder, and no git runs on it here.
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { counted } from '../base/counted.ts';
import { SandlotError } from '../base/errors.ts';
import { readSmallFile } from '../base/read-small-file.ts';
import type { Ended, FolderPlace, Packing, Then } from './packing.ts';
import { putFolder } from './put-folder.ts';
import { unpackInside } from './unpack-inside.ts';

/** A sentence about what stayed behind; null when nothing did. */
const leftOutNote = (names: readonly string[]): string | null => {
  if (names.length === 0) return null;
  const shown = names.slice(0, 5).map((name) => JSON.stringify(name));
  return `${counted(names.length, 'entry was', 'entries were')} left out, unreadable or no files: ${shown.join(', ')}${names.length > 5 ? ' …' : ''}`;
};

/** Brings what is packed in the runtime's best way, and has a command run after it. Answers a note about what was left out, or null, and how
 *  the command ended. */
const bring = async (place: FolderPlace, packing: Packing): Promise<Ended & { note: string | null }> => {
  const { packed, ended } = await (place.runtime.kind === 'podman' ? putFolder(place, packing) : unpackInside(place, packing));
  return { ...ended, note: leftOutNote(packed.leftOut()) };
};

const unreadable = (source: string, cause: unknown): SandlotError =>
  new SandlotError('not_found', `The repository folder ${source} cannot be read.`, {
    cause,
    nextAction: 'Correct the source of the repository in the environment, or make the folder readable for you.',
  });

/** Copies the folder as it is. Answers a note about what was left out, or null. @throws not_found */
export const copyFolder = async (place: FolderPlace): Promise<string | null> => {
  const { repo } = place;
  const found = await lstat(repo.source).catch((cause: unknown) => {
    throw unreadable(repo.source, cause);
  });
  if (!found.isDirectory()) throw unreadable(repo.source, new Error('It is no folder.'));
  const packing = { from: repo.source, to: repo.path, options: { leaveIgnored: repo.leave_ignored === true } };
  return (await bring(place, packing)).note;
};

/** More than these files of a repository have. */
const mostGitBytes = 1_048_576;

/** Such a file; nothing where it is none: a sandbox may have had this folder. */
const readGit = async (path: string): Promise<string> => (await readSmallFile(path, mostGitBytes)) ?? '';

const gitFolderOf = async (source: string): Promise<string> => {
  const inside = await lstat(join(source, '.git')).catch(() => null);
  if (inside?.isDirectory() === true) return join(source, '.git');
  if (inside !== null) {
    const text = await readGit(join(source, '.git'));
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

/** What its configuration says of the person's repository. */
interface RepoConfig {
  /** `sha1` or `sha256`. */
  objectFormat: string;
  /** Where the person's repository fetches from, without any login; null when it is told none. */
  originUrl: string | null;
}

const readConfig = async (gitFolder: string): Promise<RepoConfig> => {
  const config = await readGit(join(gitFolder, 'config'));
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

/** Copies the commits of the folder's repository to the path's `.git`; checking out is what comes after it. Answers how that ended, and a note
 *  about what was left out, or null. @throws not_found @throws invalid_request */
export const copyCommits = async (
  place: FolderPlace,
  after: (config: RepoConfig) => Omit<Then, 'at'>,
): Promise<Ended & { note: string | null }> => {
  const { repo } = place;
  await lstat(repo.source).catch((cause: unknown) => {
    throw unreadable(repo.source, cause);
  });
  const gitFolder = await gitFolderOf(repo.source);
  const borrowed = await readGit(join(gitFolder, 'objects/info/alternates'));
  if (borrowed.trim() !== '') {
    throw new SandlotError('invalid_request', `${repo.source} borrows commits from ${borrowed.trim().split('\n')[0]}.`, {
      nextAction: `Let it have its own first: git -C ${repo.source} repack -a -d && rm ${join(gitFolder, 'objects/info/alternates')}`,
    });
  }
  const config = await readConfig(gitFolder);
  const only = repo.lfs ? 'commits and large files' : 'commits';
  const then = { at: repo.path, ...after(config) };
  return await bring(place, { from: gitFolder, to: `${repo.path}/.git`, options: { only }, then });
};
