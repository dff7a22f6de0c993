// Brings the environment's repository into the workspace: a URL is cloned inside by the sandbox user, a folder of this machine is
// copied as it is. The person's own git configuration plays no part.
import { lstat, open, readdir, readlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Pack, pack } from 'tar-stream';
import { SandlotError } from '../base/errors.ts';
import type { ContainerRuntime } from '../container/container-runtime.ts';
import { sandboxUser, workspace } from '../container/sandbox-spec.ts';
import type { Environment } from '../contract/model.ts';
import { runInside } from './run-inside.ts';

type Repo = NonNullable<Environment['repo']>;

const urlOf = (source: string): string => (/^[\w.-]+\/[\w.-]+$/.test(source) ? `https://github.com/${source}.git` : source);

/** How GitHub's own tools call the variable that a token is in. */
const tokenNames = ['GITHUB_TOKEN', 'GH_TOKEN'];

/** Git's options that let it log in to GitHub, and nowhere else, with a token that it finds in its variables. The value is in no command
 * line and stays in no configuration. Pure. Source: gitcredentials(7). */
export const gitLogin = (env: readonly string[]): string[] => {
  const token = tokenNames.find((name) => env.some((line) => line.startsWith(`${name}=`)));
  if (token === undefined) return [];
  const helper = `!f() { test "$1" = get && printf 'username=x-access-token\\npassword=%s\\n' "$${token}"; }; f`;
  return ['-c', `credential.https://github.com.helper=${helper}`];
};

/** The command that clones a repository given by URL or `owner/name`. Pure. */
export const cloneCommand = (repo: Repo, login: readonly string[] = []): string[] => [
  'git',
  ...login,
  'clone',
  ...(repo.branch === undefined ? [] : ['--branch', repo.branch]),
  ...(repo.depth === undefined ? [] : ['--depth', String(repo.depth)]),
  ...(repo.submodules ? ['--recurse-submodules'] : []),
  '--',
  urlOf(repo.source),
  repo.path,
];

/** Writes one file piece by piece: a folder may hold files larger than memory. What grows meanwhile is cut at its size. */
const addFile = async (archive: Pack, from: string, name: string): Promise<void> => {
  const file = await open(from);
  try {
    const { size, mode, mtime } = await file.stat();
    const header = { name, size, mode: mode & 0o777, mtime };
    if (size === 0) return void archive.entry(header, '');
    await pipeline(file.createReadStream({ end: size - 1, autoClose: false }), archive.entry(header));
  } finally {
    await file.close();
  }
};

const addTree = async (archive: Pack, from: string, name: string): Promise<void> => {
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const path = join(from, entry.name);
    const inside = `${name}${entry.name}`;
    if (entry.isFile()) await addFile(archive, path, inside);
    else if (entry.isDirectory()) {
      const { mode, mtime } = await lstat(path);
      archive.entry({ name: inside, type: 'directory', mode: mode & 0o777, mtime });
      await addTree(archive, path, `${inside}/`);
    } else if (entry.isSymbolicLink()) archive.entry({ name: inside, type: 'symlink', linkname: await readlink(path) });
  }
};

const must = async (
  runtime: ContainerRuntime,
  containerId: string,
  user: string,
  command: string[],
  what: string,
  secrets: readonly string[] = [],
): Promise<void> => {
  const env = [...secrets, 'GIT_TERMINAL_PROMPT=0'];
  const { exitCode, output } = await runInside(runtime, containerId, { command, user, workdir: workspace, env });
  if (exitCode !== 0) throw new SandlotError('runtime_error', `${what}: ${output.trim() === '' ? `exit code ${exitCode}` : output.trim()}`);
};

const copyFolder = async (runtime: ContainerRuntime, containerId: string, repo: Repo): Promise<void> => {
  const entries = await readdir(repo.source).catch((cause: unknown) => {
    throw new SandlotError('not_found', `The repository folder ${repo.source} cannot be read.`, { cause });
  });
  if (entries.length > 0) {
    await must(runtime, containerId, sandboxUser, ['mkdir', '-p', repo.path], `The folder ${repo.path} was not made`);
    const archive = pack();
    const added = addTree(archive, repo.source, '').then(
      () => archive.finalize(),
      (thrown: unknown) => archive.destroy(thrown as Error),
    );
    await Promise.all([runtime.putArchive(containerId, repo.path, Readable.from(archive)), added]);
  }
  await must(
    runtime,
    containerId,
    'root',
    ['chown', '-R', `${sandboxUser}:`, repo.path],
    `${repo.path} was not handed to the sandbox user`,
  );
  if (repo.branch === undefined) return;
  await must(
    runtime,
    containerId,
    sandboxUser,
    ['git', '-C', repo.path, 'checkout', repo.branch],
    `Branch ${repo.branch} was not checked out`,
  );
};

/** Clones or copies the repository to its path in the workspace; `secrets` are the session's, as `NAME=value`, for git's login.
 * @throws with git's own words when that failed */
export const bringRepo = async (
  runtime: ContainerRuntime,
  containerId: string,
  repo: Repo,
  secrets: readonly string[] = [],
): Promise<void> => {
  if (repo.branch?.startsWith('-')) throw new SandlotError('invalid_request', `"${repo.branch}" is no name of a branch.`);
  const login = gitLogin(secrets);
  const inside = (command: string[], what: string) => must(runtime, containerId, sandboxUser, command, what, secrets);
  if (repo.source.startsWith('/')) await copyFolder(runtime, containerId, repo);
  else {
    await inside(['mkdir', '-p', dirname(repo.path)], `The folder of ${repo.path} was not made`);
    await inside(cloneCommand(repo, login), `${repo.source} was not cloned`);
  }
  if (repo.lfs) await inside(['git', ...login, '-C', repo.path, 'lfs', 'pull'], 'The large files (LFS) were not fetched');
};
