// Failures of git.
import { type HintRule, when } from './hint-kinds.ts';

export const gitRules: HintRule[] = [
  when(
    'git_auth',
    /could not read (?:Username|Password)|Authentication failed for|Permission denied \(publickey|terminal prompts disabled|unable to access [^\n]*returned error: 40[13]/i,
    'Git was not let in: setup runs carry no credentials.',
    'Use a public address, or clone in the session: repositories of the environment are cloned there with its secrets.',
  ),
  when(
    'git_unknown_host',
    /Host key verification failed|authenticity of host/i,
    'The key of the git server is not known in the sandbox.',
    'Use an https address, or add the key: ssh-keyscan SERVER >> ~/.ssh/known_hosts',
  ),
  when(
    'git_not_found',
    /repository '([^'\n]+)' (?:not found|does not exist)|'([^'\n]+)' does not appear to be a git repository|(Repository) not found/i,
    'There is no git repository at "$1$2$3", or it is a private one.',
    'Check the address. Setup runs carry no credentials: a private repository is cloned in the session.',
  ),
  when(
    'git_ownership',
    /detected dubious ownership in repository at '([^']+)'/,
    'Git refuses the repository at $1, since it belongs to another user.',
    'Give it to the sandbox user: sudo chown -R "$(id -u)" "$1"',
  ),
  when(
    'git_no_repository',
    /fatal: not a git repository/,
    "There is no git repository in this folder: the environment's own is cloned when a session starts, after setup.",
    'Move this line to the session start, or clone what it needs first.',
  ),
  when(
    'git_ref',
    /Remote branch (\S+) not found|pathspec '([^']+)' did not match|couldn't find remote ref (\S+)/,
    'The repository has no branch, tag or file "$1$2$3".',
    'Check the name; a shallow clone (`--depth`) has only what was asked for.',
  ),
  when(
    'git_identity',
    /Please tell me who you are|empty ident name/,
    'Git does not know who commits.',
    'Say it before the commit: git config --global user.name "…" && git config --global user.email "…"',
  ),
];
