import { describe, expect, test } from 'vitest';
import { readChanges } from '../../../sandbox-engine/session/changes-output.ts';
import { patchNameOf } from '../../../sandbox-engine/session/patch-name.ts';

const id = '0'.repeat(40);
const lines = (...fields: string[]): string => fields.map((field) => `${field}\0`).join('');
const begin = (branch = 'main', commits = '2', dirty = 'yes', ...told: string[]): string => lines(branch, commits, dirty, ...told, 'end');

describe('what the comparing script prints', () => {
  test('added, changed, deleted and renamed files, with names that hold a newline, a tab and an arrow', () => {
    const text =
      begin() +
      lines(`:000000 100644 ${id} ${id} A`, 'new\nfile', `:100644 100644 ${id} ${id} M`, 'a\tb', `:100644 000000 ${id} ${id} D`, 'gone') +
      lines(`:100644 100644 ${id} ${id} R090`, 'old', 'x => y') +
      lines('3\t0\tnew\nfile', '1\t2\ta\tb', '0\t7\tgone', '1\t1\t', 'old', 'x => y');
    const { files, ...all } = readChanges(text);
    expect(files.map(({ path, old_path, status, added, removed }) => [path, old_path, status, added, removed])).toEqual([
      ['a\tb', null, 'modified', 1, 2],
      ['gone', null, 'deleted', 0, 7],
      ['new\nfile', null, 'added', 3, 0],
      ['x => y', 'old', 'renamed', 1, 1],
    ]);
    expect(all).toEqual({ branch: 'main', commits: 2, has_uncommitted: true, files_total: 4, added: 5, removed: 10 });
  });

  test('what is binary, too large, a repository of its own, or beyond the limit', () => {
    const told = ['large', '? ', 'big', 'large', 'C ', 'grown', 'repository', '? ', 'sub/', 'more', '? ', 'x', 'more', '? ', 'y'];
    const text = begin('', '0', 'no', ...told) + lines(`:000000 100644 ${id} ${id} A`, 'bin', '-\t-\tbin');
    const { files, files_total, branch } = readChanges(text);
    expect(files.map(({ path, status, kind, is_binary, added }) => [path, status, kind, is_binary, added])).toEqual([
      ['big', 'added', 'large', true, null],
      ['bin', 'added', 'file', true, null],
      ['grown', 'modified', 'large', true, null],
      ['sub', 'added', 'repository', false, null],
    ]);
    expect([files_total, branch]).toEqual([6, null]);
  });

  test.each([
    ['nothing', ''],
    ['a text without any end', 'x'.repeat(10_000)],
    ['numbers that are none', begin('b', '-1', 'maybe') + lines('1e9\tx\ty')],
    ['a count for a file that was not listed', begin() + lines('1\t1\tghost')],
    ['a list that breaks off', begin() + lines(`:000000 100644 ${id} ${id} R100`)],
    ['an endless beginning', lines('b', '1', 'no', ...Array.from({ length: 999 }, () => 'large'))],
  ])('%s makes no file with a name and does not throw', (_what, text) => {
    const { files, commits } = readChanges(text);
    expect(files.every(({ path }) => path === '' || path === 'large')).toBe(true);
    expect(commits).toBeGreaterThanOrEqual(0);
  });

  test('at most 2,000 files are listed, all are counted', () => {
    const names = Array.from({ length: 3_000 }, (_, at) => `f${at}`);
    const text =
      begin() + lines(...names.flatMap((name) => [`:000000 100644 ${id} ${id} A`, name])) + lines(...names.map((name) => `2\t0\t${name}`));
    const { files, files_total, added } = readChanges(text);
    expect([files.length, files_total, added]).toEqual([2_000, 3_000, 6_000]);
  });
});

test.each([
  ['web', 'diff', 'web-changes.patch'],
  ['Fix the login!', 'commits', 'Fix-the-login-commits.patch'],
  ["it's $HOME; rm -rf *", 'bundle', 'it-s-HOME-rm--rf-commits.bundle'],
  ['--output=/etc/passwd', 'diff', 'output-etc-passwd-changes.patch'],
  ['../..', 'diff', 'session-changes.patch'],
  ['Käse\n☃', 'diff', 'Käse-changes.patch'],
  ['𝒳'.repeat(256), 'diff', `${'𝒳'.repeat(50)}-changes.patch`],
] as const)('a patch of %j as %s is saved as %s', (name, format, file) => {
  expect(patchNameOf(name, format)).toBe(file);
});
