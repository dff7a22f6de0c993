// The examples of the docs are what the programs take: commands with their options, environment files, npm scripts. Scripts that run are run in
// test/runtime/setup-docs.test.ts.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { listCommands } from '../../../main/cli/completion.ts';
import { createProgram } from '../../../main/cli/program.ts';
import { checkPolicy } from '../../../sandbox-engine/egress/check-policy.ts';
import { builtInPresets } from '../../../sandbox-engine/egress/presets.ts';
import { parseEnvironmentChange, parseEnvironmentFile } from '../../../sandbox-engine/recipe/environment-file.ts';
import { checkFields } from '../../../sandbox-engine/registry/environment-checks.ts';
import { checkScript } from '../../../sandbox-engine/setup/script.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
const read = (page: string): string => readFileSync(join(root, page), 'utf8');

const commands = new Map(listCommands(createProgram()).map((command) => [command.words, command]));
const everywhere = new Set(['--help', '--output', '-o', '--version']);

/** The longest command that the words begin with. */
const commandIn = (words: readonly string[]): string => {
  const lengths = words.map((_, at) => at + 1).filter((length) => commands.has(words.slice(0, length).join(' ')));
  return words.slice(0, Math.max(0, ...lengths)).join(' ');
};

/** What is wrong with a command line of ours; null when it is one that the program takes. Words in capitals stand for something. */
const fault = (line: string): string | null => {
  const words =
    line
      .split(/\s+#|\||&&|;| -- |…/)[0]
      ?.trim()
      .split(/\s+/)
      .slice(1) ?? [];
  const named = commandIn(words);
  if (named === '') return words.length === 0 || words[0]?.startsWith('-') ? null : `there is no "sandlot ${words[0]}"`;
  const command = commands.get(named);
  const below = words[named.split(' ').length];
  if (command !== undefined && command.below.length > 0 && below !== undefined && /^[a-z-]+$/.test(below))
    return `"${named}" has no "${below}"`;
  const options = words.filter((word) => /^--?[a-z]/.test(word)).map((word) => word.split('=')[0] ?? '');
  const unknown = options.filter((option) => !everywhere.has(option) && !command?.options.includes(option));
  return unknown.length === 0 ? null : `"${named}" has no ${unknown.join(', ')}`;
};

/** Command lines of ours: in fences one a line, elsewhere between back quotes. */
const linesOf = (text: string): string[] => {
  const fenced = [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(([, body = '']) => body.split('\n'));
  const inline = [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
  return [...fenced, ...inline].map((line) => line.trim().replaceAll('\\|', '/')).filter((line) => /^(?:bin\/)?sandlot [a-z]/.test(line));
};

test.each(pages)('the commands in %s are commands', (page) => {
  expect(linesOf(read(page)).flatMap((line) => (fault(line) === null ? [] : [`${line}: ${fault(line)}`]))).toEqual([]);
});

test('a command or an option that is none would be seen', () => {
  expect([
    fault('sandlot sesion list'),
    fault('sandlot session lanch shop'),
    fault('sandlot session launch shop --atach'),
    fault('sandlot session launch shop --attach'),
    linesOf('```sh\nbin/sandlot open\n```\nand `sandlot stop`').length,
  ]).toEqual(['there is no "sandlot sesion"', '"session" has no "lanch"', '"session launch" has no --atach', null, 2]);
});

const examples = pages.flatMap((page) =>
  [...read(page).matchAll(/^```yaml\n([\s\S]*?)^```/gm)].map(([, body = '']) => [page, body.split('\n')[0], body] as const),
);

test.each(examples)('the YAML in %s that begins with %j is an environment file', (_page, _first, body) => {
  expect(Object.keys(parseEnvironmentChange(body))).not.toEqual([]);
});

const files = readdirSync(join(root, 'examples'));

test.each(files)('examples/%s is an environment that is taken, without a warning, and its commands are commands', (name) => {
  const text = read(`examples/${name}`);
  const { network_policy: policy = { version: 'v1', rules: [] }, ...body } = parseEnvironmentFile(text, name);
  checkFields(body as Parameters<typeof checkFields>[0]);
  expect([body.name, checkPolicy(policy, builtInPresets()), body.setup ? checkScript(body.setup.script).warnings : []]).toEqual([
    name.replace('.yml', ''),
    expect.objectContaining({ ok: true }),
    [],
  ]);
  const lines = [...text.matchAll(/^# {3}(sandlot .*)/gm)].map(([, line = '']) => line);
  expect(lines.flatMap((line) => (fault(line) === null ? [] : [`${line}: ${fault(line)}`]))).toEqual([]);
});

test('npm scripts that are named are there', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const named = pages.flatMap((page) => [...read(page).matchAll(/`npm (?:run )?([a-z:]+)/g)].map(([, name = '']) => name));
  expect([named.length > 3, named.filter((name) => !['ci', 'install', 'rebuild'].includes(name) && !(name in scripts))]).toEqual([
    true,
    [],
  ]);
});
