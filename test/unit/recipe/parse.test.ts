import { describe, expect, test } from 'vitest';
import { SandlotError } from '../../../sandbox-engine/base/errors.ts';
import { recipe as recipeSchema } from '../../../sandbox-engine/contract/model.ts';
import { checkRecipe, parseRecipe } from '../../../sandbox-engine/recipe/parse.ts';

const first = (source: string): string => {
  const { problems } = checkRecipe(source);
  const problem = problems[0];
  return problem === undefined ? 'accepted' : `${problem.line}:${problem.column} ${problem.message}`;
};

const scalars = 'base: python\nenv:\n  COUNTRY: no\n  ACCEPT: Y\n  DEBUG: true\n  PORT: 8080\n  EMPTY: ""\n';
const typed = { COUNTRY: 'no', ACCEPT: 'Y', DEBUG: 'true', PORT: '8080', EMPTY: '' };

describe('scalars are what was typed', () => {
  test('a plain scalar in env keeps its source text', () => {
    expect(parseRecipe(scalars).recipe.env).toEqual(typed);
  });

  test('a YAML 1.1 header does not change it', () => {
    expect(parseRecipe(`%YAML 1.1\n---\n${scalars}`).recipe.env).toEqual(typed);
  });

  test('a variable without a value is refused once, at its line, with what to write', () => {
    const { problems, parsed } = checkRecipe(`${scalars}  NOTHING:\n`);
    expect(parsed).toBeNull();
    expect(problems).toEqual([
      { line: 8, column: 3, path: 'env.NOTHING', message: 'env.NOTHING has no value. Write "" for an empty text' },
    ]);
  });

  test('version-like numbers in a package list stay what was typed', () => {
    expect(parseRecipe('packages:\n  apt: [7zip]\n  pip:\n    - ruff==0.10\n').recipe.packages).toMatchObject({
      apt: ['7zip'],
      pip: ['ruff==0.10'],
    });
  });

  test('tabs in the body of a step are kept byte for byte', () => {
    const body = 'cat <<-EOF\n\ttext\n\tEOF\n';
    const source = `initialize:\n  - run: |\n${body.replaceAll(/^/gm, '      ').trimEnd()}\n`;
    expect(parseRecipe(source).recipe.initialize[0]?.run).toBe(body);
  });
});

describe('refused with a position', () => {
  test.each([
    ['a repeated key', 'base: python\nenv:\n  A: x\nbase: node\n', /^4:1 the key "base" is there twice/],
    ['a second document', 'base: python\n---\nbase: node\n', /^2:1 .*more than one document/],
    ['a tab as indentation', 'initialize:\n\t- name: x\n\t  run: y\n', /^2:1 a tab .*line 2/],
    [
      'a step that is not a map',
      'initialize:\n  - 5\n',
      /^2:5 initialize\[0\] must be a map with "name" and "run", but it is the number "5"/,
    ],
    ['a run that is a number', 'initialize:\n  - run: 5\n', /^2:10 initialize\[0\]\.run must be a text, but it is the number "5"/],
    ['a step without run', 'initialize:\n  - name: x\n', /^2:5 initialize\[0\] has no "run"/],
    ['a misspelt key', 'initialise: []\n', /^1:1 unknown key "initialise". Did you mean "initialize"\?/],
    ['a misspelt manager', 'packages:\n  pipp: []\n', /^2:3 unknown key "pipp" in packages. Did you mean "pip"\?/],
    ['a merge key', 'd: &d {A: "1"}\nenv: {<<: *d, B: "2"}\n', /^2:7 merge keys are not supported/],
    ['a merge key into itself', 'env: &e {<<: *e}\n', /^1:10 merge keys are not supported/],
    ['an alias of itself', 'env: &e {A: *e}\n', /^1:13 the alias \*e stands inside what it names/],
    ['an unknown alias', 'base: *x\n', /^1:7 the alias \*x names no anchor/],
    ['a tag', 'env:\n  A: !!int 5\n', /^2:12 the tag .* is not supported/],
    ['a list as the whole', '- a\n', /^1:1 the text must be a map of keys, but it is a list/],
    ['env as a list', 'env: [a]\n', /^1:6 env must be a map of keys/],
    ['an option among packages', 'packages: {apt: [-y]}\n', /^1:18 .*"-y" looks like an option/],
    ['two words as one package', 'packages: {apt: ["a b"]}\n', /^1:18 .*"a b" holds white space/],
    ['an upper-case base', 'base: Debian:bookworm\n', /^1:7 base: upper case/],
    ['a name without a colon', 'env:\n  A: b\n  NUM 5\n', /^3:\d+ a colon is missing: write "name: value" .*NUM 5/],
    ['a NUL character', 'base: "a\0b"\n', /^1:1 .*NUL/],
  ])('%s', (_, source, message) => {
    expect(first(source)).toMatch(message);
  });

  test('the thrown error carries the first position in its message and all problems in its details', () => {
    const thrown = (() => {
      try {
        return parseRecipe('bse: x\nenv: 5\n');
      } catch (error) {
        return error;
      }
    })();
    expect(thrown).toBeInstanceOf(SandlotError);
    const error = thrown as SandlotError;
    expect([error.code, error.message, (error.details.problems as unknown[]).length]).toEqual([
      'recipe_invalid',
      '1:1: unknown key "bse". Did you mean "base"?',
      2,
    ]);
  });
});

describe('names of variables', () => {
  test.each(['A B', '1X', 'X=Y', 'X;touch /tmp/pwn', '""'])('%s is refused by name', (name) => {
    expect(first(`env:\n  ${name}: v\n`)).toMatch(/^2:3 ".*" is not a variable name/);
  });

  test('_ok, lower_case and __proto__ are variables, also through JSON and the contract', () => {
    const { recipe } = parseRecipe('env:\n  _ok: a\n  lower_case: b\n  __proto__: c\n');
    const expected = [
      ['_ok', 'a'],
      ['lower_case', 'b'],
      ['__proto__', 'c'],
    ];
    expect(Object.entries(recipe.env)).toEqual(expected);
    expect(Object.entries((JSON.parse(JSON.stringify(recipe)) as typeof recipe).env)).toEqual(expected);
    expect(Object.entries(recipeSchema.parse(recipe).env)).toEqual(expected);
  });
});

describe('packages', () => {
  test.each([
    ['apt', 'jq=1.6-2'],
    ['apt', 'g++'],
    ['apt', 'libc6:i386'],
    ['apt', 'git/bookworm-backports'],
    ['pip', 'ruff==0.6.9'],
    ['pip', 'uvicorn[standard]>=0.3'],
    ['pip', 'a>=1,<2'],
    ['pip', 'git+https://git.example.com/a/b.git@v1'],
    ['npm', '@scope/pkg@1.2.3'],
    ['npm', 'typescript@^5.4'],
    ['cargo', 'ripgrep@14.1.0'],
    ['gem', 'rake:13.2.1'],
    ['go', 'golang.org/x/tools/cmd/goimports@v0.1'],
  ])('%s takes %s', (manager, item) => {
    expect(first(`packages:\n  ${manager}: [${JSON.stringify(item)}]\n`)).toBe('accepted');
  });

  test.each([
    ['apt', 'jq;reboot'],
    ['apt', '$(id)'],
    ['apt', 'a-'],
    ['apt', ''],
    ['pip', "a'b"],
    ['pip', '-r/etc/passwd'],
    ['pip', '../x'],
    ['pip', 'a\nb'],
    ['npm', '--prefix'],
    ['npm', 'a`id`'],
    ['cargo', 'a b'],
    ['gem', '/etc/x.gem'],
    ['go', './...'],
    ['go', 'fmt'],
  ])('%s refuses %j', (manager, item) => {
    expect(first(`packages:\n  ${manager}: [${JSON.stringify(item)}]\n`)).toMatch(/^2:/);
  });
});

describe('defaults and what is accepted', () => {
  test('an empty text is the default base and nothing else', () => {
    expect(parseRecipe('')).toEqual({
      recipe: { base: 'debian', env: {}, packages: { apt: [], cargo: [], gem: [], go: [], npm: [], pip: [] }, initialize: [] },
      sessionStart: [],
      knowledge: [],
    });
  });

  test('document marks around one recipe, a byte order mark and CRLF are accepted', () => {
    expect(parseRecipe('---\nbase: node\n...\n').recipe.base).toBe('node');
    expect(parseRecipe('\uFEFFbase: node\r\nenv:\r\n  A: b\r\n').recipe).toMatchObject({ base: 'node', env: { A: 'b' } });
  });

  test.each([
    ['\napt-get update\nx', 'apt-get update'],
    ['# Install the tools\napt-get update', 'Install the tools'],
    ['#\n#!/bin/sh\nx', '#!/bin/sh'],
    ['echo "compiling all the parts of the shop, which takes a while"', 'echo "compiling all the parts of the shop, which takes a…'],
    ['x'.repeat(70), `${'x'.repeat(59)}…`],
  ])('a step without a name that runs %j is called %j', (run, name) => {
    expect(parseRecipe(JSON.stringify({ initialize: [{ run }] })).recipe.initialize[0]?.name).toBe(name);
  });

  test('one step can be used twice by an alias', () => {
    const { recipe, sessionStart } = parseRecipe('initialize: [&step {name: a, run: b}]\nsession_start: [*step]\n');
    expect([recipe.initialize, sessionStart]).toEqual([[{ name: 'a', run: 'b' }], [{ name: 'a', run: 'b' }]]);
  });
});

describe('hostile texts end within a second', () => {
  const bomb = [
    'a0: &a0 [x,x,x,x,x,x,x,x,x,x]',
    ...Array.from({ length: 9 }, (_, n) => `a${n + 1}: &a${n + 1} [${Array(10).fill(`*a${n}`).join(',')}]`),
  ];
  test.each([
    ['an alias bomb', `${bomb.join('\n')}\nbase: python\n`],
    ['20 MB of comments', `base: python\n${'# comment\n'.repeat(2_000_000)}`],
    ['a hundred thousand nested lists', '['.repeat(100_000)],
    ['nested block lists', '- '.repeat(50_000)],
    ['a repeated large step', `initialize: [&s {run: "${'y'.repeat(100_000)}"}${', *s'.repeat(30_000)}]`],
    ['tens of thousands of unknown keys', Array.from({ length: 20_000 }, (_, n) => `k${n}: 1`).join('\n')],
    ['thousands of documents', '---\n'.repeat(50_000)],
  ])('%s is refused', (_, source) => {
    const heap = process.memoryUsage().heapUsed;
    // Time of the processor, not of the day: other tests run beside this one.
    const before = process.cpuUsage();
    expect(first(source)).not.toBe('accepted');
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(2000);
    expect(process.memoryUsage().heapUsed - heap).toBeLessThan(150_000_000);
  });
});
