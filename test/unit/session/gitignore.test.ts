// Our reading of ignore files beside git's own, on the same folder.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isIgnored, readIgnoreRules } from '../../../sandbox-engine/session/gitignore.ts';
import { cpuMs } from '../egress/cpu-time.ts';

const paths = [
  'a.log',
  'b.txt',
  'build/out.js',
  'src/build/x',
  'src/a.log',
  'src/keep.log',
  'doc/a/b/c.md',
  'doc/c.md',
  'x y.txt',
  'trail ',
  '#hash',
  '!bang',
  'file1',
  'filea',
  'file-',
  'deep/one/two/three.tmp',
  'node_modules/p/i.js',
  'src/node_modules/q',
  'foo/bar',
  'foo/baz/bar',
  'a[1].txt',
  'star*name',
  '.env',
  'src/.env.local',
  'Größe.md',
  'sub/only.here',
  'only.here',
];

const texts: readonly (readonly [top: string, inSrc: string])[] = [
  ['*.log\n!keep.log\n', ''],
  ['*.log\n', '!a.log\n'],
  ['build/\n', ''],
  ['/build\n', ''],
  ['doc/**/c.md\n', ''],
  ['doc/*\n!doc/c.md\n', ''],
  ['**/node_modules\n', ''],
  ['node_modules/\n.env*\n', '/.env.local\n'],
  ['file[0-9]\n', ''],
  ['file[!0-9]\n', ''],
  ['file[a-c-]\n', ''],
  ['x\\ y.txt\ntrail\\ \n\\#hash\n\\!bang\n', ''],
  ['a\\[1\\].txt\nstar\\*name\n', ''],
  ['foo/**\n', ''],
  ['foo/**/bar\n', ''],
  ['/**/bar\n', ''],
  ['**\n!*/\n!*.md\n', ''],
  ['deep/*/three.tmp\n', ''],
  ['deep/*/*/three.tmp\n', ''],
  ['file?\n', ''],
  ['# nothing\n\n   \n', ''],
  ['*.log   \r\n', ''],
  ['sub/only.here\n', 'only.here\n'],
  ['file[\n', ''],
  ['Gr*e.md\n', ''],
  ['/*\n!/src\n/src/*\n!/src/a.log\n', ''],
];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandlot-ignore-'));
  for (const path of paths) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), '');
  }
  execFileSync('git', ['init', '-q', folder]);
});
afterAll(() => rmSync(folder, { recursive: true }));

const ours = (top: string, inSrc: string): string[] => {
  const files = [readIgnoreRules('', top), readIgnoreRules('src/', inSrc)];
  const isOut = (path: string): boolean => {
    const parts = path.split('/');
    return parts.some((_, at) =>
      isIgnored(files.slice(0, path.startsWith('src/') && at > 0 ? 2 : 1), parts.slice(0, at + 1).join('/'), at < parts.length - 1),
    );
  };
  return paths.filter(isOut);
};

test.each(texts)('%j with %j in a folder leaves out what git ignores', (top, inSrc) => {
  writeFileSync(join(folder, '.gitignore'), top);
  writeFileSync(join(folder, 'src/.gitignore'), inSrc);
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  const listed = execFileSync('git', ['-C', folder, 'ls-files', '-o', '-z', '--exclude-standard'], { env }).toString();
  const kept = new Set(listed.split('\0'));
  expect(ours(top, inSrc)).toEqual(paths.filter((path) => !kept.has(path)));
});

test.each([
  ['many stars', `${'*a'.repeat(40)}*b\n`],
  ['many folders', `${'**/a/'.repeat(150)}b\n`],
  ['spaces that are not at the end', `${' '.repeat(250_000)}x\n`],
])('a hostile ignore file of %s takes no time', (_, text) => {
  const began = cpuMs();
  const rules = readIgnoreRules('', text);
  expect([isIgnored([rules], 'a'.repeat(255), false), isIgnored([rules], 'a/'.repeat(1_000).slice(0, -1), false)]).toEqual([false, false]);
  expect(cpuMs() - began).toBeLessThan(2_000);
});
