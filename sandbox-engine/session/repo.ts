// Brings the environment's repository into the workspace: a URL is cloned inside by the sandbox user, a folder of this machine is
// copied, as it is or as commits on a branch of the session's own. The person's own git configuration plays no part.

import { dirname } from 'node:path';
import { SandlotError } from '../base/errors.ts';
import { repoFolder } from '../base/repo-folder.ts';
import type { ContainerRuntime } from '../container/container-runtime.ts';
import { sandboxUser, workspace } from '../container/sandbox-spec.ts';
import type { Environment } from '../contract/model.ts';
import { copyCommits, copyFolder } from './bring-folder.ts';
import { cloneAdvice, cloneCommand, commitScript, gitLogin, gitLogins, gitWords } from './clone-repo.ts';
import type { Packer } from './pack-folder.ts';
import { runInside } from './run-inside.ts';
import type { Owner } from './tar-header.ts';

type Repo = NonNullable<Environment['repo']>;

export interface Bringing {
  runtime: ContainerRuntime;
  containerId: string;
  repo: Repo;
  /** The slug of the environment that names it. */
  environment: string;
  /** The session's secrets as `NAME=value`, for git's login. */
  secrets: readonly string[];
  /** The branch of its own that a worktree gets. */
  sessionBranch: string;
  /** Packs a folder of this machine. */
  pack: Packer['pack'];
  /** Whom what is packed belongs to inside. */
  owner: () => Promise<Owner>;
  /** Hears how far it is. */
  say: (line: string) => void;
}

const noLfs = 'command -v git-lfs >/dev/null || { echo "git-lfs is not in this image, so they are pointers" >&2; exit 3; }';
const pullLarge = `${noLfs}; unset GIT_LFS_SKIP_SMUDGE; git lfs install --local --skip-repo >/dev/null && git "$@" lfs pull`;
const keepLogins = 'for line; do git config --local --add "${line%%=!*}" "${line#*=}" || exit $?; done';
const branchScript = `git init -q --template= --object-format="$1" . || exit $?
[ -z "$2" ] || git config --local remote.origin.url "$2" && git config --local remote.origin.fetch '+refs/heads/*:refs/remotes/origin/*'
git checkout -f -q -b "$3" "$4"`;
// Files that are tracked although the ignore files name them were left out of the copy.
const restoreTracked =
  'git rev-parse -q --git-dir >/dev/null 2>&1 && git ls-files -z -i -c --exclude-standard | git checkout-index -q -z --stdin; true';

/** The words that git gave, and what to do. */
const failed = ({ repo, environment }: Bringing, what: string, output: string, exitCode: number | null): SandlotError =>
  new SandlotError('runtime_error', `${what}: ${gitWords(output) || `exit code ${exitCode}`}`, {
    nextAction: cloneAdvice(output, repo.source, environment),
  });

// An image that has git-lfs fetches large files while git checks out, asked or not, and a file whose server does not answer ends the checkout half
// done. So they are pointers first, and fetched afterwards where they are wanted.
const envOf = ({ secrets }: Bringing): string[] => [
  ...secrets,
  'GIT_TERMINAL_PROMPT=0',
  'GIT_SSH_COMMAND=ssh -oBatchMode=yes',
  'GIT_LFS_SKIP_SMUDGE=1',
];

const inFolder = async (bringing: Bringing, command: string[], what: string, workdir = workspace): Promise<void> => {
  const { runtime, containerId, say } = bringing;
  const { exitCode, output } = await runInside(runtime, containerId, {
    command,
    user: sandboxUser,
    workdir,
    env: envOf(bringing),
    tell: say,
  });
  if (exitCode !== 0) throw failed(bringing, what, output, exitCode);
};

const sh = (script: string, ...rest: string[]): string[] => ['/bin/sh', '-c', script, 'sandlot-repo', ...rest];

const fetchLarge = async (bringing: Bringing, login: readonly string[]): Promise<void> => {
  await inFolder(bringing, sh(pullLarge, ...login), 'The large files (LFS) were not fetched', bringing.repo.path);
};

const clone = async (bringing: Bringing): Promise<void> => {
  const { repo, secrets } = bringing;
  const login = gitLogin(secrets, repo.logins);
  await inFolder(bringing, ['mkdir', '-p', dirname(repo.path)], `The folder of ${repo.path} was not made`);
  await inFolder(bringing, cloneCommand(repo, login), `${repo.source} was not cloned`);
  if (repo.commit !== undefined) {
    const depth = repo.depth === undefined ? '' : `--depth=${repo.depth}`;
    const what = `${repo.commit} was not checked out`;
    await inFolder(bringing, sh(commitScript, repo.commit, depth, ...login), what, repo.path);
    if (repo.submodules) await updateSubmodules(bringing, login);
  }
  // What is pushed or fetched by hand later logs in the same way.
  const kept = gitLogins(secrets, repo.logins);
  if (kept.length > 0) await inFolder(bringing, sh(keepLogins, ...kept), 'The login was not kept', repo.path);
};

const updateSubmodules = async (bringing: Bringing, login: readonly string[]): Promise<void> => {
  const { repo } = bringing;
  const depth = repo.depth === undefined ? [] : ['--depth', String(repo.depth)];
  const command = ['git', ...login, 'submodule', 'update', '--init', '--recursive', '--progress', ...depth];
  await inFolder(bringing, command, 'The submodules were not fetched', repo.path);
};

const copy = async (bringing: Bringing): Promise<string | null> => {
  const { repo } = bringing;
  const note = await copyFolder(bringing);
  if (repo.leave_ignored === true) await inFolder(bringing, sh(restoreTracked), 'Tracked files were not restored', repo.path);
  const start = repo.commit ?? repo.branch;
  if (start === undefined) return note;
  const how = repo.commit === undefined ? [start] : ['--detach', start];
  // The folder's own hooks may need what the image does not have.
  await inFolder(bringing, ['git', '-c', 'core.hooksPath=/dev/null', 'checkout', '-q', ...how], `${start} was not checked out`, repo.path);
  return note;
};

const branchOff = async (bringing: Bringing): Promise<string | null> => {
  const { repo, secrets, sessionBranch } = bringing;
  const start = repo.commit ?? repo.branch ?? 'HEAD';
  const { note, exitCode, said } = await copyCommits(bringing, ({ objectFormat, originUrl }) => ({
    command: sh(branchScript, objectFormat, originUrl ?? '', sessionBranch, start),
    env: envOf(bringing),
  }));
  if (exitCode !== 0) throw failed(bringing, `The branch ${sessionBranch} was not made from ${start}`, said, exitCode);
  if (repo.submodules) await updateSubmodules(bringing, gitLogin(secrets, repo.logins));
  return note;
};

/** Names that git would take for an option, or that are none. */
const checkName = (name: string | undefined): void => {
  if (name === undefined || /^(?!-)[^\s~^:?*[\\\u0000-\u001f]+$/.test(name)) return;
  throw new SandlotError('invalid_request', `"${name}" is no name of a branch or commit.`, {
    nextAction: 'Correct it under Repository of the environment.',
  });
};

/** Clones or copies the repository to its path in the workspace. Answers a note for the person, or null.
 * @throws with git's own words and what to do, when that failed */
export const bringRepo = async (bringing: Bringing): Promise<string | null> => {
  const { repo, secrets } = bringing;
  checkName(repo.branch);
  checkName(repo.commit);
  if (repoFolder(repo) === null) {
    await clone(bringing);
    if (repo.lfs) await fetchLarge(bringing, gitLogin(secrets, repo.logins));
    return null;
  }
  const note = repo.mode === 'worktree' ? await branchOff(bringing) : await copy(bringing);
  if (repo.lfs) await fetchLarge(bringing, gitLogin(secrets, repo.logins));
  return note;
};
