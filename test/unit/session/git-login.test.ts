// Git itself is asked what it would log in with.
import { execFile } from 'node:child_process';
import { expect, test } from 'vitest';
import type { RepoLogin } from '../../../sandbox-engine/contract/model.ts';
import { cloneCommand, gitLogin } from '../../../sandbox-engine/session/clone-repo.ts';

const token = "ghp_4f9a2c7d1e'x";

/** What git answers for a host, with the given variables and nobody to ask. */
const fill = (host: string, env: string[], logins: RepoLogin[] = []): Promise<string> =>
  new Promise((resolve) => {
    const variables = Object.fromEntries(env.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
    const quiet = { PATH: process.env['PATH'], GIT_TERMINAL_PROMPT: '0', GIT_CONFIG_NOSYSTEM: '1', HOME: '/nowhere', ...variables };
    const git = execFile('git', [...gitLogin(env, logins), 'credential', 'fill'], { env: quiet }, (_failed, stdout) => resolve(stdout));
    git.stdin?.end(`protocol=https\nhost=${host}\n\n`);
  });

test.each([
  ['github.com', [`GITHUB_TOKEN=${token}`], true],
  ['github.com', ['OTHER=x', `GH_TOKEN=${token}`], true],
  ['github.com', ['OTHER=x'], false],
  ['evil.example', [`GITHUB_TOKEN=${token}`], false],
  ['github.com.evil.example', [`GITHUB_TOKEN=${token}`], false],
])('for %s with %j git has the token: %s', async (host, env, expected) => {
  const answer = await fill(host, env);
  expect([answer.includes(`password=${token}\n`), answer.includes(token)]).toEqual([expected, expected]);
});

test('the token is in no word of the command', () => {
  const repo = { source: 'owner/name', submodules: false, lfs: false, path: '/workspace/repo' };
  const command = cloneCommand(repo, gitLogin([`GITHUB_TOKEN=${token}`]));
  expect([command[0], command.includes('clone'), command.join(' ').includes('ghp_')]).toEqual(['git', true, false]);
});

const forge: RepoLogin[] = [
  { host: 'git.example.com', secret: 'FORGE_TOKEN' },
  { host: 'git.example.com:8443', secret: 'OTHER_TOKEN', user: 'x-token-auth' },
];
test.each([
  ['git.example.com', ['FORGE_TOKEN=forge1', 'OTHER_TOKEN=other2'], 'oauth2', 'forge1'],
  ['git.example.com:8443', ['FORGE_TOKEN=forge1', 'OTHER_TOKEN=other2'], 'x-token-auth', 'other2'],
  ['evil.git.example.com', ['FORGE_TOKEN=forge1', 'OTHER_TOKEN=other2'], null, null],
  ['git.example.com.evil', ['FORGE_TOKEN=forge1', 'OTHER_TOKEN=other2'], null, null],
  ['git.example.com:9', ['FORGE_TOKEN=forge1', 'OTHER_TOKEN=other2'], null, null],
  // A secret that the session has not got logs in nowhere.
  ['git.example.com', ['OTHER_TOKEN=other2'], null, null],
  ['github.com', ['FORGE_TOKEN=forge1', `GITHUB_TOKEN=${token}`], 'x-access-token', token],
])('%s is given what its login names, with %j: %s', async (host, env, user, password) => {
  const answer = await fill(host, env, forge);
  expect([/^username=(.*)$/m.exec(answer)?.[1] ?? null, /^password=(.*)$/m.exec(answer)?.[1] ?? null]).toEqual([user, password]);
});
