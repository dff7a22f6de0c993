import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checkHostFolders } from '../../../sandbox-engine/session/check-host-folders.ts';

const mountOf = (source: string) => ({ repo: null, mounts: [{ source, target: '/x', read_only: true }] });
const repoOf = (source: string) => ({ mounts: [], repo: { source, submodules: false, lfs: false, path: '/workspace/repo' } });
const codeOf = (work: Promise<void>): Promise<string> =>
  work.then(
    () => 'taken',
    ({ code }: { code: string }) => code,
  );

test('a folder and a file may be mounted; what is missing, a link, a path through a link and a socket may not', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sandlot-mounts-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const own = join(folder, 'sandlot');
  for (const name of ['inner', 'sandlot']) await mkdir(join(folder, name));
  await writeFile(join(folder, 'file'), '');
  await symlink('/', join(folder, 'root'));
  const server = createServer().listen(join(folder, 'any.sock'));
  onTestFinished(() => void server.close());
  const codes = await Promise.all(
    ['inner', 'file', 'none', 'root', 'root/etc', 'any.sock'].map((name) => codeOf(checkHostFolders(mountOf(join(folder, name)), own))),
  );
  expect(codes).toEqual(['taken', 'taken', 'not_found', 'forbidden', 'forbidden', 'forbidden']);
});

test('a repository that is a folder obeys the same, and nothing that holds or lies in the data folder is taken', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sandlot-mounts-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const own = join(folder, 'home', 'sandlot');
  await mkdir(join(own, 'backups'), { recursive: true });
  await mkdir(join(folder, 'shop'));
  await symlink(join(folder, 'shop'), join(folder, 'link'));
  const codes = await Promise.all(
    ['shop', 'link', 'none', 'home', 'home/sandlot', 'home/sandlot/backups'].flatMap((name) => [
      codeOf(checkHostFolders(repoOf(join(folder, name)), own)),
      codeOf(checkHostFolders(mountOf(join(folder, name)), own)),
    ]),
  );
  const twice = ['taken', 'forbidden', 'not_found', 'forbidden', 'forbidden', 'forbidden'].flatMap((code) => [code, code]);
  expect(codes).toEqual(twice);
  expect(await codeOf(checkHostFolders(repoOf('owner/name'), own))).toBe('taken');
});

test('of a folder that is gone it is said where it is changed', async () => {
  const nextOf = (work: Promise<void>) => work.catch(({ nextAction }: { nextAction: string }) => nextAction);
  expect(
    await Promise.all([repoOf('/nowhere/at/all'), mountOf('/nowhere/at/all')].map((one) => nextOf(checkHostFolders(one, '/x')))),
  ).toEqual([
    'Put it back, or change it in the environment: its repository, on the Overview.',
    'Put it back, or change it in the environment: its folders of this machine, under Privileges.',
  ]);
});
