import { expect, test } from 'vitest';
import { cloneAdvice, cloneCommand, gitWords } from '../../../sandbox-engine/session/clone-repo.ts';
import { sessionBranchOf } from '../../../sandbox-engine/session/fill-workspace.ts';

const repo = { source: 'owner/name', submodules: false, lfs: false, path: '/workspace/repo' };
const tail = ['--', 'https://github.com/owner/name.git', '/workspace/repo'];

test.each([
  [{}, []],
  [{ branch: 'feat/a/b', depth: 1 }, ['--branch', 'feat/a/b', '--depth', '1']],
  [{ submodules: true }, ['--recurse-submodules']],
  [{ submodules: true, depth: 2 }, ['--depth', '2', '--recurse-submodules', '--shallow-submodules']],
  // What stands on a commit is checked out afterwards, its submodules too.
  [{ commit: 'v1.2', submodules: true }, ['--no-checkout']],
])('a clone with %j is told %j', (over, options) => {
  expect(cloneCommand({ ...repo, ...over })).toEqual(['git', 'clone', '--progress', ...options, ...tail]);
});

test('a source that looks like an option stays an address', () => {
  expect(cloneCommand({ ...repo, source: '--upload-pack=x' }).slice(-3)).toEqual(['--', '--upload-pack=x', '/workspace/repo']);
});

test.each([
  [
    "fatal: unable to access 'https://git.example/x/': Could not resolve host: git.example",
    'https://git.example/x',
    'egress test web-shop https://git.example',
  ],
  ['fatal: unable to access: Could not resolve host: forge', 'http://me:pw@forge:8080/x', 'egress test web-shop http://forge:8080'],
  ['batch request: missing protocol: ""', '/home/me/x', 'git lfs pull'],
  ['fatal: unable to access: Proxy CONNECT aborted; CONNECT tunnel failed, response 403', 'a/b', 'allows github.com'],
  ["fatal: could not read Username for 'https://github.com': terminal prompts disabled", 'a/b', 'GITHUB_TOKEN'],
  ['remote: HTTP Basic: Access denied\nfatal: Authentication failed for', 'https://git.example/x', 'logins'],
  ["fatal: repository 'https://github.com/a/b.git/' not found", 'a/b', 'GITHUB_TOKEN'],
  ['fatal: Remote branch nope not found in upstream origin', 'a/b', 'Correct the branch'],
  ["fatal: destination path '/workspace' already exists and is not an empty directory.", 'a/b', 'another path'],
  ['something that nobody has seen before', 'a/b', 'by hand'],
])('%j leads to advice', (output, source, advice) => {
  expect(cloneAdvice(output, source, 'web-shop')).toContain(advice);
});

test("git's words are shown without its progress and without logins in addresses", () => {
  const said =
    "Cloning into '/workspace/repo'...\nremote: Counting objects:  10% (1/10)\rremote: Counting objects: 100% (10/10)\rReceiving objects:  50% (5/10)\rReceiving objects: 100%\nfatal: unable to access 'https://me:tok3n@git.example/x/': 500\n";
  expect(gitWords(said)).toBe("fatal: unable to access 'https://git.example/x/': 500");
});

test.each([
  ['Web App β #1', 'sandlot/web-app-1-6rbnyh'],
  ['../..', 'sandlot/6rbnyh'],
  ['-x.lock', 'sandlot/x-lock-6rbnyh'],
  ['x'.repeat(200), `sandlot/${'x'.repeat(40)}-6rbnyh`],
])('the session %j works on the branch %s', (name, branch) => {
  expect(sessionBranchOf({ id: 'ses_01m8mc7e6k3y74xgwx0w6rbnyh', name })).toBe(branch);
});
