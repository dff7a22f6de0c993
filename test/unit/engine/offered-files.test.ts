import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOfferedFileCalls } from '../../../sandbox-engine/engine/offered-files.ts';

const calls = createOfferedFileCalls();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sandlot-offered-'));
  for (const name of ['plain', 'linked', 'large', 'none', 'folder/.sandlot.yml', 'plain/.git'])
    await mkdir(join(folder, name), { recursive: true });
  await writeFile(join(folder, 'plain/.sandlot.yml'), 'base: debian\n');
  await symlink('/etc/hostname', join(folder, 'linked/.sandlot.yml'));
  await writeFile(join(folder, 'large/.sandlot.yml'), 'x'.repeat(300_000));
});
afterAll(async () => await rm(folder, { recursive: true }));

test.each([
  ['plain', { file: { name: '.sandlot.yml', contents: 'base: debian\n' }, is_repository: true }],
  // A link could lead to any file of this machine.
  ['linked', { file: null, is_repository: false }],
  ['large', { file: null, is_repository: false }],
  ['folder', { file: null, is_repository: false }],
  ['none', { file: null, is_repository: false }],
])('the folder %s brings %j', async (name, found) => {
  expect(await calls['environments.find_file']({ folder: join(folder, name) })).toEqual(found);
});

test('a folder that is not there is said to be that', async () => {
  await expect(calls['environments.find_file']({ folder: join(folder, 'nowhere') })).rejects.toMatchObject({ code: 'not_found' });
});

test.each([
  ['base: debian\n', []],
  ['base: debian\nnetwork_policy: {}\n', ['It reaches every public address.']],
  [
    'base: debian\nnetwork_policy: { version: v1, rules: [{ action: allow, hosts: [a.example, b.example] }] }\n',
    ['It reaches a.example, b.example.'],
  ],
  [
    'base: debian\nsecrets: [KEY]\nprivileged: true\n',
    ['Its sessions are given the secrets KEY.', 'It is privileged: its sandboxes can reach past their walls.'],
  ],
  [
    'base: debian\nnetwork_policy: { version: v1, rules: [{ action: allow, presets: [github], hosts: [a.example] }, { action: deny, presets: [npm] }] }\n',
    ['It reaches a.example, preset github.'],
  ],
  [
    'base: debian\nnetwork_policy: { version: v1, rules: [{ action: allow, hosts: [nas.example], allow_private: true }] }\n',
    ['It reaches nas.example, also at addresses of your own network.'],
  ],
  ['base: debian\nsecrets: [KEY]\nsecret_files: [CERT, KEY]\n', ['Its sessions are given the secrets KEY, CERT.']],
  [
    'base: debian\nrepo: { source: a/b, logins: [{ host: git.example, secret: TOKEN }] }\n',
    ['It clones a/b.', 'It logs in to git.example with TOKEN.'],
  ],
  ['base: debian\nmounts: [{ source: /etc, target: /x, read_only: false }]\n', ['It wants folders of this machine: /etc (to write).']],
  [
    'base: debian\nrepo: { source: a/b }\nsession_start: [{ name: x, run: y }]\n',
    ['It clones a/b.', 'It runs 1 step at the start of each session.'],
  ],
])('the file %j asks for %j', async (contents, asks) => {
  expect((await calls['environments.preview_file']({ contents })).asks).toEqual(asks);
});
