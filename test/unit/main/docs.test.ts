import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { completionScript, listCommands, shells } from '../../../main/cli/completion.ts';
import { createProgram } from '../../../main/cli/program.ts';
import { errorCodes } from '../../../sandbox-engine/contract/errors.ts';
import { apiDoc } from '../../../scripts/write-api-doc.ts';

const read = (name: string) => readFileSync(fileURLToPath(new URL(`../../../docs/${name}`, import.meta.url)), 'utf8');

const commands = listCommands(createProgram());
const leaves = commands.filter(({ below }) => below.length === 0);

test('docs/cli.md names every command and no other', () => {
  const documented = [...read('cli.md').matchAll(/^\| `sandlot ([a-z][a-z-]*(?: [a-z][a-z-]*)*)/gm)].map((match) => match[1]);
  expect(documented.sort()).toEqual(leaves.map(({ words }) => words).sort());
});

test('docs/cli.md names every option', () => {
  const page = read('cli.md');
  const missing = leaves.flatMap(({ words, options }) => {
    const row = page.split('\n').find((line) => line.startsWith(`| \`sandlot ${words}`)) ?? '';
    return options.filter((option) => option !== '--output' && !row.includes(option)).map((option) => `${words} ${option}`);
  });
  expect(missing).toEqual([]);
});

test('docs/troubleshooting.md has every error code and no other, each with what it means and what to do', () => {
  const rows = [...read('troubleshooting.md').matchAll(/^\| `([A-Za-z_]+)` \|(.*)\|$/gm)];
  expect(rows.map(([, code]) => code).sort()).toEqual([...errorCodes].sort());
  // Two sentences: what it means, and what to do next.
  const isWhole = (cells: string): boolean => cells.split('|').length === 2 && cells.split('|').every((cell) => /^ \S.{8,}\. $/.test(cell));
  expect(rows.flatMap(([, code, cells = '']) => (isWhole(cells) ? [] : [code]))).toEqual([]);
});

test('docs/api.md is what the contract says', () => {
  expect(read('api.md'), 'run: npx tsx scripts/write-api-doc.ts').toBe(apiDoc());
});

test.each(shells)('the completion of %s knows every command', (shell) => {
  const script = completionScript(createProgram(), shell);
  expect(commands.filter(({ words }) => !script.includes(words.split(' ').at(-1) ?? '')).map(({ words }) => words)).toEqual([]);
});

test('every command has an example in its help', () => {
  const withoutHelp = commands.filter(({ does }) => does === '').map(({ words }) => words);
  expect(withoutHelp).toEqual([]);
});
