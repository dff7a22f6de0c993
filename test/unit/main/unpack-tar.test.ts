// What a sandbox sends is unpacked below one folder, whatever it says.
import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Pack, pack } from 'tar-stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sessionPath } from '../../../main/cli/commands/session-files.ts';
import { safePath, staysInside, unpackTar } from '../../../main/cli/unpack-tar.ts';
import { packFolder } from '../../../sandbox-engine/session/pack-folder.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandlot-unpack-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const archiveOf = (fill: (archive: Pack) => void): AsyncIterable<Buffer> => {
  const archive = pack();
  fill(archive);
  archive.finalize();
  return archive as AsyncIterable<Buffer>;
};

test('files and folders arrive with their contents; rights are the usual ones', async () => {
  const source = archiveOf((archive) => {
    archive.entry({ name: './top/', type: 'directory' });
    archive.entry({ name: './top/a/b.txt', mode: 0o4777 }, 'deep');
    archive.entry({ name: './top/plain', mode: 0o600 }, 'plain');
  });
  expect(await unpackTar(source, join(folder, 'out'))).toEqual({ files: 2, skipped: [] });
  expect([readFileSync(join(folder, 'out/a/b.txt'), 'utf8'), readFileSync(join(folder, 'out/plain'), 'utf8')]).toEqual(['deep', 'plain']);
  expect([lstatSync(join(folder, 'out/a/b.txt')).mode & 0o7777, lstatSync(join(folder, 'out/plain')).mode & 0o7777]).toEqual([
    0o755, 0o644,
  ]);
});

test('no name leads out, nothing is written through a link, and links that lead out and devices are left away', async () => {
  mkdirSync(join(folder, 'elsewhere'));
  mkdirSync(join(folder, 'out'));
  symlinkSync(join(folder, 'elsewhere'), join(folder, 'out/mine'));
  const source = archiveOf((archive) => {
    archive.entry({ name: '../../escaped' }, 'x');
    archive.entry({ name: 'top/../../escaped' }, 'x');
    archive.entry({ name: 'top/mine/through' }, 'x');
    archive.entry({ name: 'top/door', type: 'symlink', linkname: '../elsewhere' });
    archive.entry({ name: 'top/door/through' }, 'x');
    archive.entry({ name: 'top/abs', type: 'symlink', linkname: '/etc/passwd' });
    archive.entry({ name: 'top/hard', type: 'link', linkname: '/etc/passwd' });
    archive.entry({ name: 'top/null', type: 'character-device', devmajor: 1, devminor: 3 });
    archive.entry({ name: 'top/pipe', type: 'fifo' });
    archive.entry({ name: 'top/fine', type: 'symlink', linkname: 'kept' });
    archive.entry({ name: 'top/kept' }, 'kept');
  });
  const { files, skipped } = await unpackTar(source, join(folder, 'out'));
  expect([files, skipped]).toEqual([
    2,
    ['../../escaped', 'top/../../escaped', 'top/mine/through', 'top/hard', 'top/null', 'top/pipe', 'door', 'abs'],
  ]);
  expect([readdirSync(join(folder, 'elsewhere')), readdirSync(folder).sort()]).toEqual([[], ['elsewhere', 'out']]);
  expect([readlinkSync(join(folder, 'out/fine')), lstatSync(join(folder, 'out/door')).isDirectory()]).toEqual(['kept', true]);
});

test('a link that leads through another link is left away and told, whichever came first', async () => {
  mkdirSync(join(folder, 'elsewhere'));
  mkdirSync(join(folder, 'out'));
  symlinkSync(join(folder, 'elsewhere'), join(folder, 'out/mine'));
  const source = archiveOf((archive) => {
    archive.entry({ name: 'top/deep/er/kept' }, 'kept');
    archive.entry({ name: 'top/early', type: 'symlink', linkname: 'step/er/kept' });
    archive.entry({ name: 'top/step', type: 'symlink', linkname: 'deep' });
    archive.entry({ name: 'top/late', type: 'symlink', linkname: 'step/er/kept' });
    archive.entry({ name: 'top/old', type: 'symlink', linkname: 'mine/secret' });
    archive.entry({ name: 'top/up', type: 'symlink', linkname: 'step/../../elsewhere' });
    archive.entry({ name: 'top/deep/near', type: 'symlink', linkname: '../step' });
  });
  const { skipped } = await unpackTar(source, join(folder, 'out'));
  expect(skipped).toEqual(['early', 'late', 'old', 'up']);
  expect(readdirSync(join(folder, 'out')).sort()).toEqual(['deep', 'mine', 'step']);
  expect(readlinkSync(join(folder, 'out/deep/near'))).toBe('../step');
});

test('what is packed here comes out the same, links as links, with odd names and a large file', async () => {
  const from = join(folder, 'from');
  mkdirSync(join(from, 'sub/empty'), { recursive: true });
  writeFileSync(join(from, 'a\nb "c" ü'), 'odd');
  writeFileSync(join(from, 'x'.repeat(200)), 'long');
  writeFileSync(join(from, 'sub/large'), Buffer.alloc(5_000_000, 7));
  writeFileSync(join(from, 'sub/run'), '#!/bin/sh\n', { mode: 0o755 });
  symlinkSync('sub/run', join(from, 'link'));
  execFileSync('mkfifo', [join(from, 'pipe')]);
  const packed = packFolder(from, { prefix: 'top/' });
  const out = join(folder, 'out');
  const { files } = await unpackTar(packed.tar as AsyncIterable<Buffer>, out);
  expect([files, packed.leftOut()]).toEqual([4, ['pipe']]);
  execFileSync('rm', [join(from, 'pipe')]);
  expect(execFileSync('diff', ['-r', '--no-dereference', from, out]).toString()).toBe('');
});

test.each([
  ['./top/a', 'a'],
  ['top', ''],
  ['top//a/./b', 'a/b'],
  ['/etc/passwd', 'passwd'],
  ['top/..', null],
  ['top/../x', null],
  ['a/b\u0000c', null],
])('the name %j is unpacked as %j', (name, path) => {
  expect(safePath(name)).toBe(path);
});

test.each([
  ['a', 'b', true],
  ['a/b', '../c', true],
  ['a', '../c', false],
  ['a/b', '../../c', false],
  ['a/b', './../c', true],
  ['a', 'x/../c', false],
  ['a/b', '../x/../c', false],
  ['a/b', 'x/../../../c', false],
  ['a', '/etc', false],
  ['a', '', false],
])('a link at %j to %j stays inside: %s', (path, target, stays) => {
  expect(staysInside(path, target)).toBe(stays);
});

test.each([
  ['shop:/workspace/x', { session: 'shop', path: '/workspace/x' }],
  ['shop:', { session: 'shop', path: '/workspace' }],
  ['my shop:a:b', { session: 'my shop', path: 'a:b' }],
  ['./a:b', null],
  ['C:\\x', null],
  ['plain', null],
])('%j names %j', (text, meant) => {
  expect(sessionPath(text)).toEqual(meant);
});
