import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { environmentCreate } from '../../../sandbox-engine/contract/calls.ts';
import { catalog } from '../../../sandbox-engine/recipe/catalog.ts';
import { parseEnvironmentChange, parseEnvironmentFile } from '../../../sandbox-engine/recipe/environment-file.ts';
import { parseRecipe } from '../../../sandbox-engine/recipe/parse.ts';
import { templates } from '../../../sandbox-engine/recipe/templates.ts';
import { cpuMs } from '../egress/cpu-time.ts';

describe('environment files', () => {
  test.each<[string, string | undefined, string | null]>([
    ['base: python\n', '/home/me/team.yml', 'team'],
    ['base: python\n', 'shop/.sandlot.yml', 'shop'],
    ['base: python\n', 'C:\\work\\shop\\sandlot.yaml', 'shop'],
    ['base: python\nrepo: { source: git@git.example:me/parser.git }\n', '.sandlot.yml', 'parser'],
    ['base: python\nrepo: { source: /home/me/parser }\n', undefined, 'parser'],
    // What many environments share is no name.
    ['base: python\n', undefined, null],
    ['base: python\n', '.sandlot.yml', null],
    ['name: own\nbase: python\n', 'team.yml', 'own'],
  ])('%j from %s is called %s', (source, fileName, name) => {
    expect(parseEnvironmentFile(source, fileName).name).toBe(name);
  });

  test('a bare recipe is one', () => {
    const source = 'base: python # why\n';
    expect(parseEnvironmentFile(source, '/home/me/team.yml')).toEqual({ name: 'team', recipe_yaml: source });
  });

  test('fields are taken out and the text of the recipe keeps its comments', () => {
    const source =
      '# mine\nname: x\n\n# the base\nbase: python # b\nmetadata: {team: 1}\nenv:\n  A: no # keep\nprivileged: false\n# s\nsession_start:\n  - run: x\n';
    expect(parseEnvironmentFile(source)).toEqual({
      name: 'x',
      metadata: { team: '1' },
      privileged: false,
      recipe_yaml: '# the base\nbase: python # b\nenv:\n  A: no # keep\n# s\nsession_start:\n  - run: x\n',
    });
  });

  test('comments and blank lines above a field go with it, also at the very top', () => {
    const source = '\n# of the name\n  \nname: x\n\n# of the base\nbase: python\n';
    expect(parseEnvironmentFile(source)).toEqual({ name: 'x', recipe_yaml: '# of the base\nbase: python\n' });
  });

  test('hundreds of thousands of empty lines hold nobody up', () => {
    const began = cpuMs();
    const recipe = `base: python\n${'\n'.repeat(260_000)}env: {A: b}\n`;
    expect(parseEnvironmentFile(`${recipe}name: x\n`)).toEqual({ name: 'x', recipe_yaml: recipe });
    expect(cpuMs() - began).toBeLessThan(5_000);
  });

  test('JSON is read as well', () => {
    const { recipe_yaml, ...fields } = parseEnvironmentFile('{"base":"python","name":"j","env":{"A":"1"},"idle_stop_seconds":60}');
    expect(fields).toEqual({ name: 'j', idle_stop_seconds: 60 });
    expect(parseRecipe(recipe_yaml ?? '').recipe).toMatchObject({ base: 'python', env: { A: '1' } });
  });

  test('a nested recipe and a recipe as text are taken as they are', () => {
    expect(parseEnvironmentFile('name: n\nrecipe:\n  base: node\n')).toEqual({ name: 'n', recipe: { base: 'node' } });
    expect(parseEnvironmentFile('name: n\nrecipe_yaml: "base: node\\n"\n')).toEqual({ name: 'n', recipe_yaml: 'base: node\n' });
  });

  test.each([
    ['only fields leave the recipe and the name alone', 'privileged: false\n', { privileged: false }],
    ['a bare recipe changes nothing else', 'base: python\n', { recipe_yaml: 'base: python\n' }],
    ['both', 'name: x\nbase: python\n', { name: 'x', recipe_yaml: 'base: python\n' }],
    ['start steps alone are a recipe', 'session_start:\n  - run: x\n', { recipe_yaml: 'session_start:\n  - run: x\n' }],
    ['nothing', '', {}],
  ])('as a change: %s', (_name, source, change) => {
    expect(parseEnvironmentChange(source)).toEqual(change);
  });

  test.each([
    ['an unknown key', 'name: x\nnetwork_polcy: {}\n', '2:1: unknown key "network_polcy". Did you mean "network_policy"?'],
    [
      'a value out of range',
      'name: x\nsetup:\n  script: a\n  timeout_seconds: 5\n',
      '4:20: setup.timeout_seconds: Too small: expected number to be >=10',
    ],
    [
      'a recipe in two ways',
      'base: node\nrecipe: {base: debian}\n',
      '1:1: the recipe is given in two ways (recipe keys and recipe). Keep one',
    ],
    ['a problem of the recipe', 'name: x\nenv:\n  A:\n', '3:3: env.A has no value. Write "" for an empty text'],
  ])('%s is refused at its place', (_, source, message) => {
    expect(() => parseEnvironmentFile(source)).toThrow(message);
  });
});

describe('templates', () => {
  test.each(templates.map((template) => [template.id, template] as const))('%s can be sent to create as it is', (_, template) => {
    const body = environmentCreate.parse(template.definition);
    expect(catalog.map(({ name }) => name)).toContain(parseRecipe(body.recipe_yaml ?? '').recipe.base);
  });

  test('base sandbox and browser desktop have no setup script', () => {
    const scripted = templates.filter(({ definition }) => 'setup' in definition).map(({ id }) => id);
    expect(scripted).not.toEqual(expect.arrayContaining(['base-sandbox', 'browser-desktop']));
    expect(new Set(templates.map(({ id }) => id)).size).toBe(9);
  });
});

describe('docs/recipe.md', () => {
  const page = readFileSync(new URL('../../../docs/recipe.md', import.meta.url), 'utf8');
  const examples = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, body]) => body ?? '');

  test('it has examples', () => {
    expect(examples.length).toBeGreaterThan(4);
  });

  test.each(examples.map((body) => [body.split('\n')[0], body]))('the example that begins with %j is valid', (_, body) => {
    expect(parseEnvironmentFile(body).name).not.toBe('');
  });
});
