import { expect, test } from 'vitest';
import { withRepo } from '../../../renderer/src/environments/use-offered-file.ts';
import { readPatch } from '../../../renderer/src/session/patch-lines.ts';

test('a patch is read with its line numbers, also where a line looks like a head', () => {
  const patch = [
    'diff --git a/x b/x',
    '--- a/x',
    '+++ b/x',
    '@@ -1,3 +1,3 @@ begin',
    ' one',
    '--- two',
    '+++ zwei',
    ' three',
    '\\ No newline at end of file',
    '@@ -9 +9,0 @@',
    '-@@ -1 +1 @@',
    '',
  ].join('\n');
  expect(readPatch(patch).map(({ kind, text, before, after }) => [kind, text, before, after])).toEqual([
    ['head', 'diff --git a/x b/x', null, null],
    ['head', '--- a/x', null, null],
    ['head', '+++ b/x', null, null],
    ['hunk', '@@ -1,3 +1,3 @@ begin', null, null],
    ['same', 'one', 1, 1],
    ['removed', '-- two', 2, null],
    ['added', '++ zwei', null, 2],
    ['same', 'three', 3, 3],
    ['note', '\\ No newline at end of file', null, null],
    ['hunk', '@@ -9 +9,0 @@', null, null],
    ['removed', '@@ -1 +1 @@', 9, null],
  ]);
});

test('an empty patch has no line, and what is none is shown as it is', () => {
  expect([readPatch(''), readPatch('hello').map(({ kind }) => kind)]).toEqual([[], ['head']]);
});

test.each([
  ['base: debian\n', '/home/me/app', 'base: debian\n\n# The repository that this file came with.\nrepo:\n  source: "/home/me/app"\n'],
  ['base: debian\nrepo: { source: a/b }\n', '/home/me/app', 'base: debian\nrepo: { source: a/b }\n'],
  ['{"base": "debian"}', '/home/me/app', '{"base": "debian"}'],
  ['base: debian', null, 'base: debian'],
  ['base: debian', 'a/"b', 'base: debian\n\n# The repository that this file came with.\nrepo:\n  source: "a/\\"b"\n'],
])('%j from %j is offered as %j', (contents, source, text) => {
  expect(withRepo(contents, source)).toBe(text);
});
