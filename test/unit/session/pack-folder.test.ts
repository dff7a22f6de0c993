// What is packed of a folder of this machine: the same as is there, whoever made it and whatever is done to it meanwhile.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createPacker, packFolder } from '../../../sandbox-engine/session/pack-folder.ts';
import { type Packed, type PackRequest, readFolder } from '../../../sandbox-engine/session/read-folder.ts';
import { createTarHeader, headerOfLibrary } from '../../../sandbox-engine/session/tar-header.ts';

const root = { uid: 0, gid: 0 };

let folder: string;
let from: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandlot-pack-'));
  from = join(folder, 'from');
  mkdirSync(from);
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Everything at once; `during` is called with each sheet, while the folder is still being read. */
const read = (more: Partial<PackRequest> = {}, during: (nth: number) => void = () => undefined): Packed & { tar: Buffer } => {
  const sheets: Buffer[] = [];
  const packed = readFolder(
    { from, prefix: '', hasPrefixFolders: false, owner: root, leaveIgnored: false, only: 'all', ...more },
    (sheet) => {
      sheets.push(sheet);
      during(sheets.length);
    },
  );
  return { ...packed, tar: Buffer.concat(sheets) };
};

/** What a real tar makes of it: kind and rights, size, name, and where a link leads. */
const listOf = (tar: Buffer): string[] =>
  execFileSync('tar', ['-t', '-v', '--numeric-owner', '--quoting-style=escape'], { input: tar, env: { ...process.env, LC_ALL: 'C' } })
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/^(\S+) 0\/0 +(\d+) \S+ \S+ /, '$1 $2 '))
    .sort();

const bytesOf = (tar: Buffer, name: string): Buffer => execFileSync('tar', ['-x', '-O', '--', name], { input: tar, maxBuffer: 2 ** 26 });

test('a real tar finds names of any length and script, links, rights without those that give more, and nobody as the owner', () => {
  const [long, deep] = ['n'.repeat(240), `${'d'.repeat(90)}/${'e'.repeat(90)}`];
  mkdirSync(join(from, deep), { recursive: true });
  writeFileSync(join(from, deep, 'cut'), 'x');
  writeFileSync(join(from, long), 'long');
  writeFileSync(join(from, 'ünï\n-x'), 'odd');
  symlinkSync(`/${'t'.repeat(150)}`, join(from, 'far'));
  writeFileSync(join(from, 'gives'), '');
  chmodSync(join(from, 'gives'), 0o4755);
  const { tar, files, bytes, leftOut } = read({ prefix: 'top/' });
  expect([files, bytes, leftOut, tar.length % 512]).toEqual([7, 8, [], 0]);
  // A long name of a folder may be told without the slash at its end: that it is one, the first letter says.
  expect(listOf(tar).map((line) => line.replace(/^(d.*)\/$/, '$1'))).toEqual(
    [
      `-rw-r--r-- 1 top/${deep}/cut`,
      '-rw-r--r-- 3 top/\\303\\274n\\303\\257\\n-x',
      `-rw-r--r-- 4 top/${long}`,
      '-rwxr-xr-x 0 top/gives',
      `drwxr-xr-x 0 top/${'d'.repeat(90)}`,
      `drwxr-xr-x 0 top/${deep}`,
      `lrw-r--r-- 0 top/far -> /${'t'.repeat(150)}`,
    ].sort(),
  );
});

test.each([
  ['a', 0, 0o644, 0],
  [`${'x/'.repeat(49)}y`, 65_536, 0o755, 1_790_000_000],
  ['x'.repeat(100), 1, 0o600, 1],
  ['b~', 0o7777777777, 0o4777, 0o7777777777],
  ['b~', 0o77777777777, 0, 0o77777777777],
  ['b~', 2 ** 33, 0o644, 0o77777777777 + 1],
  ['with blank', 1, 0o644, 1],
  ['ü', 1, 0o644, 1],
])('the header of %j, %d bytes, is the one of the library to the last byte', (name, size, mode, modifiedAt) => {
  const entry = { name, kind: 'file', size, mode, modifiedAt, target: '' } as const;
  for (const owner of [root, { uid: 1_000, gid: 100_000 }, { uid: 2 ** 21, gid: 2 ** 31 }])
    expect(createTarHeader(owner)(entry).equals(headerOfLibrary(entry, owner))).toBe(true);
});

test('a size and a time that do not fit into their places are told beside them', () => {
  const entry = { name: 'x', kind: 'file', size: 2 ** 34, mode: 0o644, modifiedAt: -5, target: '' } as const;
  const header = createTarHeader(root)(entry);
  const beside = header.subarray(512, 1024).toString();
  const modifiedAt = Number.parseInt(header.subarray(1024 + 136, 1024 + 147).toString(), 8);
  expect([header.length, beside.includes('20 size=17179869184\n'), modifiedAt]).toEqual([1536, true, 0]);
});

/** More than one sheet before and after what is looked at, which is reached in the order of the names in this folder's listing. */
const fill = (name: string, count: number): void => {
  mkdirSync(join(from, name), { recursive: true });
  for (let index = 0; index < count; index += 1) writeFileSync(join(from, name, `${index}`), Buffer.alloc(200_000, 1));
};

test('a folder that becomes a link while it is read leads nowhere', () => {
  mkdirSync(join(folder, 'private'));
  fill('work', 12);
  for (let index = 0; index < 12; index += 1) writeFileSync(join(folder, 'private', `${index}`), 'secret');
  const swap = (): void => {
    renameSync(join(from, 'work'), join(folder, 'aside'));
    symlinkSync(join(folder, 'private'), join(from, 'work'));
  };
  const { tar, files } = read({}, (nth) => (nth === 1 ? swap() : undefined));
  expect([files, tar.includes('secret')]).toEqual([13, false]);
});

test.each([
  ['a small file that became shorter', 100_000, 10, 10],
  ['a large file that became shorter is filled with zeros', 3_000_000, 600_000, 3_000_000],
  ['a small file that grew', 10, 200_000, 200_000],
])('%s comes whole enough for what is behind it', (_, before, after, packed) => {
  const path = join(from, 'changing');
  writeFileSync(path, Buffer.alloc(before, 7));
  fill('other', 5);
  const isLarge = before > 262_144;
  if (!isLarge) truncateSync(path, after);
  const { tar } = read({}, () => (isLarge ? truncateSync(path, after) : undefined));
  expect(bytesOf(tar, 'changing').length).toBe(packed);
  expect(listOf(tar).filter((line) => line.includes('other/')).length).toBe(6);
});

test('the folders of a prefix are there before what is in them, where that is asked for', () => {
  writeFileSync(join(from, 'a'), 'x');
  const names = (hasPrefixFolders: boolean) =>
    listOf(read({ prefix: 'repo/.git/', hasPrefixFolders }).tar).map((line) =>
      line.split(' ').slice(0, 1).concat(line.split(' ').slice(2)).join(' '),
    );
  expect(names(true)).toEqual(['-rw-r--r-- repo/.git/a', 'drwxr-xr-x repo/', 'drwxr-xr-x repo/.git/']);
  expect(names(false)).toEqual(['-rw-r--r-- repo/.git/a']);
});

test('of commits nothing goes along that runs, borrows or configures', () => {
  for (const name of ['hooks', 'objects/info', 'objects/ab', 'refs/heads', 'lfs/objects', 'lfs/tmp', 'worktrees/x'])
    mkdirSync(join(from, name), { recursive: true });
  for (const name of ['config', 'HEAD', 'hooks/pre-commit', 'objects/info/alternates', 'objects/info/packs', 'objects/ab/tmp_obj_1'])
    writeFileSync(join(from, name), 'x');
  for (const name of ['objects/ab/cdef', 'refs/heads/main', 'lfs/objects/1', 'lfs/tmp/1', 'packed-refs', 'worktrees/x/gitdir'])
    writeFileSync(join(from, name), 'x');
  const names = (only: PackRequest['only']) =>
    listOf(read({ only }).tar)
      .map((line) => line.split(' ')[2])
      .filter((name) => name?.endsWith('/') === false);
  expect(names('commits')).toEqual(['HEAD', 'objects/ab/cdef', 'objects/info/packs', 'packed-refs', 'refs/heads/main']);
  expect(names('commits and large files')).toContain('lfs/objects/1');
  expect(names('commits and large files')).not.toContain('lfs/tmp/1');
});

const all = async (tar: AsyncIterable<unknown>): Promise<number> => {
  let pieces = 0;
  for await (const _ of tar) pieces += 1;
  return pieces;
};

test('a folder that is not there fails the stream, and one that nobody reads on lets the thread go', async () => {
  await expect(all(packFolder(join(folder, 'nowhere')).tar)).rejects.toThrow('ENOENT');
  fill('much', 60);
  const { tar } = packFolder(from);
  for await (const _ of tar) break;
  await expect.poll(() => tar.closed).toBe(true);
  expect(await all(packFolder(from).tar)).toBeGreaterThan(20);
});

test('one folder after the other is packed as if it were the first, also after one that was left or failed, and two at once', async () => {
  fill('much', 60);
  const packer = createPacker();
  packer.prepare();
  const whole = async (): Promise<[number, number, string[]]> => {
    const { tar, count, leftOut } = packer.pack(from);
    return [await all(tar), count().files, leftOut()];
  };
  const first = await whole();
  expect(first).toEqual([expect.any(Number), 61, []]);
  for (let nth = 0; nth < 2; nth += 1) expect(await whole()).toEqual(first);
  for await (const _ of packer.pack(from).tar) break;
  expect(await whole()).toEqual(first);
  await expect(all(packer.pack(join(folder, 'nowhere')).tar)).rejects.toThrow('ENOENT');
  expect(await Promise.all([whole(), whole()])).toEqual([first, first]);
  packer.close();
  expect(await whole()).toEqual(first);
});
