// Brings a folder of this machine into a session: as it is, or, as a worktree, the commits of its repository alone on a branch of the
// session's own. Both are copies that root inside may spoil: nothing inside leads back to the person's folder, and no git runs on it here.
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { counted } from '../base/counted.ts';
import { SandlotError } from '../base/errors.ts';
import { readSmallFile } from '../base/read-small-file.ts';
import { sizeText } from '../base/size-text.ts';
import type { ContainerRuntime, ExecHandle } from '../container/container-runtime.ts';
import { sandboxUser, workspace } from '../container/sandbox-spec.ts';
import type { Environment } from '../contract/model.ts';
import type { PackedFolder, Packer } from './pack-folder.ts';

type Repo = NonNullable<Environment['repo']>;

export interface FolderPlace {
  runtime: ContainerRuntime;
  containerId: string;
  repo: Repo;
  pack: Packer['pack'];
  say: (line: string) => void;
}

/** Pieces that are on their way while the next one is read. */
const mostUnderway = 4;

// Tells how unpacking ended, and then what came after it: one exec for both, since starting one takes as long as git takes for the objects.
// All in one stream: a runtime brings what was last said on stdout before what was said on stderr earlier, as often as not.
const unpackScript = `exec 2>&1; to=$1; at=$2; shift 2
mkdir -p -- "$to" && tar -x -b 512 --no-same-owner -C "$to" || { printf '\\n:%s:\\n' "$?"; exit 1; }
cd -- "$at" && "$@" </dev/null; printf '\\n:0:%s\\n' "$?"`;

/** What is done inside after unpacking, in the folder of the repository. */
interface After {
  command: readonly string[];
  env: readonly string[];
}

/** How that ended, for whoever asked for it to judge; null where the output ended without it. */
interface Ended {
  exitCode: number | null;
  said: string;
}

interface Heard extends Ended {
  tarCode: number | null;
}

/** Hears from inside how it went: the runtime knows that a good while later. */
const hear = async (handle: ExecHandle): Promise<Heard> => {
  let said = '';
  for await (const { bytes } of handle.output) {
    said = (said + bytes.toString('utf8')).slice(-4_096);
    const told = /\n:(\d+):(\d*)\n$/.exec(said);
    if (told !== null) return { tarCode: Number(told[1]), exitCode: Number(told[2]), said: said.slice(0, told.index) };
  }
  return { tarCode: null, exitCode: null, said };
};

/** Sends all of it, or as much as is taken. */
const send = async (handle: ExecHandle, packed: PackedFolder, heard: Promise<Heard>, say: FolderPlace['say']): Promise<void> => {
  let isOver = false;
  heard.catch(() => undefined).finally(() => (isOver = true));
  const underway: Promise<void>[] = [];
  for await (const piece of packed.tar) {
    underway.push(handle.type(piece as Buffer));
    if (underway.length > mostUnderway) await underway.shift();
    if (isOver) return;
    const { files, bytes } = packed.count();
    say(`${files} files, ${sizeText(bytes)}`);
  }
  await Promise.all(underway);
  handle.stdin.end();
};

const nothing: After = { command: ['true'], env: [] };

/** Unpacks inside in records of 256 KiB, as the sandbox user: whoever made the folder, it belongs to the user then, and tar can leave nothing
 *  elsewhere. Answers how what comes after it ended. */
const unpack = async (place: FolderPlace, packed: PackedFolder, to: string, after = nothing): Promise<Ended> => {
  const { runtime, containerId, repo, say } = place;
  const command = ['/bin/sh', '-c', unpackScript, 'sandlot-unpack', to, repo.path, ...after.command];
  let handle: ExecHandle | null = null;
  try {
    handle = await runtime.exec(containerId, { command, env: [...after.env], user: sandboxUser, workdir: workspace, stdin: true });
    const heard = hear(handle);
    await send(handle, packed, heard, say);
    const { tarCode, ...ended } = await heard;
    if (tarCode === 0) return ended;
    const why = ended.said.trim() || `exit code ${tarCode ?? (await handle.exitCode())}`;
    throw new SandlotError('runtime_error', `The folder was not copied to ${to}: ${why}`);
  } finally {
    packed.tar.destroy();
    handle?.close();
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
  return `${counted(names.length, 'entry was', 'entries were')} left out, unreadable or no files: ${shown.join(', ')}${names.length > 5 ? ' …' : ''}`;
};

/** Copies the folder as it is. Answers a note about what was left out, or null. @throws not_found */
export const copyFolder = async (place: FolderPlace): Promise<string | null> => {
  const { repo } = place;
  const found = await lstat(repo.source).catch((cause: unknown) => {
    throw unreadable(repo.source, cause);
  });
  if (!found.isDirectory()) throw unreadable(repo.source, new Error('It is no folder.'));
  const packed = place.pack(repo.source, { leaveIgnored: repo.leave_ignored === true });
  await unpack(place, packed, repo.path);
  return leftOutNote(packed.leftOut());
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
export const copyCommits = async (place: FolderPlace, after: (config: RepoConfig) => After): Promise<Ended & { note: string | null }> => {
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
  const packed = place.pack(gitFolder, { only: repo.lfs ? 'commits and large files' : 'commits' });
  const ended = await unpack(place, packed, `${repo.path}/.git`, after(config));
  return { ...ended, note: leftOutNote(packed.leftOut()) };
};
