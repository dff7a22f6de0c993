// The commands that clone a repository inside a sandbox, how git logs in there, and what to do when it does not work. Pure.
// Source: git-clone(1), gitcredentials(7).
import type { Environment, RepoLogin } from '../contract/model.ts';

type Repo = NonNullable<Environment['repo']>;

/** The address that git is given; `owner/name` is on GitHub. */
const urlOf = (source: string): string => (/^[\w.-]+\/[\w.-]+$/.test(source) ? `https://github.com/${source}.git` : source);

/** How GitHub's own tools call the variable that a token is in. */
const tokenNames = ['GITHUB_TOKEN', 'GH_TOKEN'];

type Login = RepoLogin & { isFile: boolean };

const helperFor = ({ host, secret, user = 'oauth2', isFile }: Login): string => {
  const value = isFile ? `$(cat "$${secret}_FILE")` : `$${secret}`;
  return `credential.https://${host}.helper=!f() { test "$1" = get && printf 'username=${user}\\npassword=%s\\n' "${value}"; }; f`;
};

/** What git is told so that it can log in: to each named host with its secret, to GitHub with a token that stands in its own variables, and
 * nowhere else. `key=value`, with names of variables in it: the values themselves are in no command line and no configuration. */
export const gitLogins = (env: readonly string[], logins: readonly RepoLogin[] = []): string[] => {
  const isVariable = (name: string): boolean => env.some((line) => line.startsWith(`${name}=`));
  const isThere = (name: string): boolean => isVariable(name) || isVariable(`${name}_FILE`);
  const token = tokenNames.find(isThere);
  const named = logins.filter(({ secret }) => isThere(secret));
  const github =
    token === undefined || named.some(({ host }) => host === 'github.com')
      ? []
      : [{ host: 'github.com', secret: token, user: 'x-access-token' }];
  return [...github, ...named].map((login) => helperFor({ ...login, isFile: !isVariable(login.secret) }));
};

/** The same as git's options. */
export const gitLogin = (env: readonly string[], logins: readonly RepoLogin[] = []): string[] =>
  gitLogins(env, logins).flatMap((line) => ['-c', line]);

/** The command that clones a repository given by URL or `owner/name`. With a commit to stand on, nothing is checked out yet. */
export const cloneCommand = (repo: Repo, login: readonly string[] = []): string[] => [
  'git',
  ...login,
  'clone',
  '--progress',
  ...(repo.branch === undefined ? [] : ['--branch', repo.branch]),
  ...(repo.depth === undefined ? [] : ['--depth', String(repo.depth)]),
  ...(repo.commit === undefined ? [] : ['--no-checkout']),
  ...(repo.submodules && repo.commit === undefined
    ? ['--recurse-submodules', ...(repo.depth === undefined ? [] : ['--shallow-submodules'])]
    : []),
  '--',
  urlOf(repo.source),
  repo.path,
];

/** The command that stands a clone on its commit or tag, which is fetched when the clone did not bring it. Arguments follow. */
export const commitScript = `commit=$1; depth=$2; shift 2
give_up() { code=$?; git reset -q --hard; exit $code; }
git rev-parse -q --verify "$commit^{commit}" >/dev/null || git "$@" fetch --progress $depth origin "$commit" || give_up
git rev-parse -q --verify "$commit^{commit}" >/dev/null || commit=FETCH_HEAD
git checkout -q --detach "$commit"`;

/** Git's words without its progress and without what stands between `//` and `@` in addresses. */
export const gitWords = (output: string): string =>
  output
    .split(/[\r\n]+/)
    .filter(
      (line) =>
        line.trim() !== '' &&
        !/^Cloning into '|^(?:remote: )?[A-Z][\w ]+:\s+\d+%|^(?:remote: )?(?:Enumerating|Counting|Compressing) objects/.test(line),
    )
    .slice(-8)
    .join('\n')
    .replace(/(\w:\/\/)[^/@\s]+@/g, '$1');

/** Its host, and what a test of the policy is asked about. */
const addressOf = (source: string): { host: string; tested: string } => {
  const url = URL.canParse(urlOf(source)) ? new URL(urlOf(source)) : null;
  return { host: url?.hostname ?? '', tested: `${url?.protocol === 'http:' ? 'http' : 'https'}://${url?.host}` };
};

const advices: readonly (readonly [RegExp, (source: string, environment: string) => string])[] = [
  [
    /could not resolve host|failed to connect|connection (?:refused|timed out|reset)|response 403|network is unreachable|proxy connect aborted/i,
    (source, environment) => {
      const { host, tested } = addressOf(source);
      return host === ''
        ? 'See whether the address is right and the network policy allows it.'
        : `See whether the address is right and the network policy allows ${host}: sandlot egress test ${environment} ${tested}`;
    },
  ],
  [
    /authentication failed|could not read (?:username|password)|terminal prompts disabled|repository.*not found|returned error: 40[134]|permission denied \(publickey|host key verification/i,
    () =>
      'If it is private, give its sessions a token: for GitHub the secret GITHUB_TOKEN, for other hosts under "logins" of the repository.',
  ],
  [
    /remote branch .* not found|couldn't find remote ref|did not match any|not our ref|unknown revision|bad revision|needed a single revision|is not a commit/i,
    () => 'Correct the branch or commit of the repository in the environment.',
  ],
  [
    /missing protocol: ""/,
    () => 'They are not in the folder, and it names no server that has them: run git lfs pull there, and launch again.',
  ],
  [/already exists and is not an empty/i, () => 'Choose another path for the repository: the image brings files of its own there.'],
  [/git-lfs is not in this image/, () => 'Add git-lfs to packages.apt of the recipe, build, pin, and launch again.'],
  [/git: not found|"git": executable|exec: "?git/i, () => 'Add git to packages.apt of the recipe, and build again.'],
  [/no space left/i, () => 'Free disk space: sandlot prune lists what is not needed.'],
];

/** What to do about it, as a sentence. `environment`: by what a command line finds it. */
export const cloneAdvice = (output: string, source: string, environment: string): string =>
  advices.find(([form]) => form.test(output))?.[1](source, environment) ??
  'Correct the repository in the environment and launch again, or clone it by hand in a terminal.';
