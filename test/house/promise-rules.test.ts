// The five promise rules, each broken on purpose and linted with the configuration of the house.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

const broken: [rule: string, code: string][] = [
  ['no-floating-promises', 'const work = async (): Promise<void> => {};\nexport const run = (): void => { work(); };'],
  [
    'no-misused-promises',
    'const isFile = async (): Promise<boolean> => true;\nexport const run = (): number => { if (!isFile()) return 1; return 2; };',
  ],
  [
    'return-await',
    'const work = async (): Promise<number> => 1;\nexport const run = async (): Promise<number> => { try { return work(); } catch { return 0; } };',
  ],
  ['await-thenable', 'export const run = async (): Promise<number> => { const one = 1; return await one; };'],
  ['switch-exhaustiveness-check', "export const run = (kind: 'a' | 'b'): number => { switch (kind) { case 'a': return 1; } return 0; };"],
];

let house = '';
let found: { file: string; code: string }[] = [];

beforeAll(() => {
  house = mkdtempSync(join(tmpdir(), 'sandlot-lint-'));
  cpSync(join(root, '.oxlintrc.json'), join(house, '.oxlintrc.json'));
  cpSync(join(root, 'tsconfig.base.json'), join(house, 'tsconfig.base.json'));
  writeFileSync(join(house, 'tsconfig.json'), '{ "extends": "./tsconfig.base.json", "include": ["src"] }');
  writeFileSync(join(house, 'package.json'), '{ "type": "module" }');
  symlinkSync(join(root, 'node_modules'), join(house, 'node_modules'));
  mkdirSync(join(house, 'src'));
  for (const [rule, code] of broken) writeFileSync(join(house, `src/${rule}.ts`), `${code}\n`);
  writeFileSync(
    join(house, 'src/sound.ts'),
    'const work = async (): Promise<void> => {};\nexport const run = async (): Promise<void> => { await work(); };\n',
  );
  const run = spawnSync(join(root, 'node_modules/.bin/oxlint'), ['--type-aware', '--format', 'json', '.'], {
    cwd: house,
    encoding: 'utf8',
  });
  const report = JSON.parse(run.stdout) as { diagnostics: { filename: string; code: string }[] };
  found = report.diagnostics.map(({ filename, code }) => ({ file: filename, code: code.replace(/^.*\((.*)\)$/, '$1') }));
}, 60_000);

afterAll(() => rmSync(house, { recursive: true, force: true }));

test.each(broken)('%s fires on a file that breaks it', (rule) => {
  expect(found.filter(({ file }) => file === `src/${rule}.ts`).map(({ code }) => code)).toContain(rule);
});

test('no promise rule fires on sound code', () => {
  expect(found.filter(({ file }) => file === 'src/sound.ts')).toEqual([]);
});
