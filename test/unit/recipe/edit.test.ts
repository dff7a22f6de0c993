import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Step } from '../../../sandbox-engine/contract/model.ts';
import { packageManagers } from '../../../sandbox-engine/contract/model.ts';
import { editRecipe, type RecipeEdits } from '../../../sandbox-engine/recipe/edit.ts';
import { parseRecipe } from '../../../sandbox-engine/recipe/parse.ts';

const source = `# head
base: python   # the base
env: { PY: "1", PORT: 8080 }

# tools
packages:
  apt: [jq, git] # two
initialize:
  # first
  - name: 'One'
    run: |
      a
      b
  # second
  - run: x # why

session_start:
  - run: bun install
# end
`;

describe('an edit changes what it is asked to and nothing else', () => {
  test('an edit that changes nothing answers the same bytes', () => {
    const { recipe, sessionStart, knowledge } = parseRecipe(source);
    expect(editRecipe(source, { recipe, session_start: sessionStart, knowledge })).toBe(source);
    expect(editRecipe(source, { recipe: { env: { PORT: '8080', PY: '1' } } })).toBe(source);
  });

  test('another base touches one word', () => {
    expect(editRecipe(source, { recipe: { base: 'node' } })).toBe(source.replace('base: python ', 'base: node '));
  });

  test('a changed variable leaves every other section as it is', () => {
    expect(editRecipe(source, { recipe: { env: { PY: '1', PORT: '9090', NEW: 'no' } } })).toBe(
      source.replace('PORT: 8080 }', 'PORT: "9090", NEW: "no" }'),
    );
  });

  test('a changed step keeps the comments of its neighbours', () => {
    const edited = editRecipe(source, {
      recipe: {
        initialize: [
          { name: 'One', run: 'a\nb\n' },
          { name: 'x -y', run: 'x -y' },
        ],
      },
    });
    expect(edited).toBe(source.replace('- run: x # why', '- run: x -y # why'));
  });

  test('a removed and a new section keep the rest', () => {
    const edited = editRecipe(source, { session_start: [], knowledge: [{ name: 'test', contents: 'Run it.' }] });
    expect(edited).toBe(
      `${source.replace('session_start:\n  - run: bun install\n', 'session_start: []\n')}knowledge:\n  - name: test\n    contents: Run it.\n`,
    );
  });

  test('CRLF stays CRLF', () => {
    const edited = editRecipe('base: debian\r\nenv:\r\n  A: x # c\r\n', { recipe: { env: { A: 'w', B: 'z' } } });
    expect(edited).toBe('base: debian\r\nenv:\r\n  A: w # c\r\n  B: z\r\n');
  });

  test('an aliased step can be edited without changing its twin', () => {
    const edited = editRecipe('initialize: [&s {name: a, run: b}]\nsession_start: [*s]\n', {
      recipe: { initialize: [{ name: 'q', run: 'b' }] },
    });
    const { recipe, sessionStart } = parseRecipe(edited);
    expect([recipe.initialize, sessionStart]).toEqual([[{ name: 'q', run: 'b' }], [{ name: 'a', run: 'b' }]]);
  });

  test('an edit that asks for nonsense is refused', () => {
    expect(() => editRecipe(source, { recipe: { env: { 'A B': 'x' } } })).toThrow(expect.objectContaining({ code: 'recipe_invalid' }));
  });
});

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }).filter((value) => !/[\0\ud800-\udfff]/.test(value)),
  fc.stringMatching(/^[ \t\n\r#:'"\\\-$`{}[\],&*!|>%@~<=?a-z0-9]{0,30}$/),
  fc.constantFrom(
    'no',
    'Y',
    '8080',
    '1.10',
    '~',
    'null',
    ' lead',
    'trail ',
    'a\n',
    '\n\n',
    '\ta\n b\n',
    'a: b',
    '- x',
    '<<',
    '---',
    '...\n',
    '\ufeff',
    'é😀',
  ),
);
const run = text.filter((value) => value.trim() !== '');
const step: fc.Arbitrary<Step> = fc.record({ name: text, run });
const asked: fc.Arbitrary<RecipeEdits> = fc.record(
  {
    recipe: fc.record(
      {
        base: fc.constantFrom('debian', 'python', 'reg.example.com:5000/a/b:v1'),
        env: fc.dictionary(fc.constantFrom('A', 'B', 'no', 'Y', 'true', '_1', '__proto__'), text, { maxKeys: 4, noNullPrototype: true }),
        packages: fc.record(
          Object.fromEntries(
            packageManagers
              .filter((name) => name !== 'go')
              .map((name) => [name, fc.array(fc.constantFrom('a', 'b', 'c1'), { maxLength: 3 })]),
          ),
          { requiredKeys: [] },
        ),
        initialize: fc.array(step, { maxLength: 4 }),
      },
      { requiredKeys: [] },
    ),
    session_start: fc.array(step, { maxLength: 3 }),
    knowledge: fc.array(fc.record({ name: text, contents: text }), { maxLength: 3 }),
  },
  { requiredKeys: [] },
);

const expectAsked = (from: string, edits: RecipeEdits): string => {
  const before = parseRecipe(from);
  const edited = editRecipe(from, edits);
  const { recipe, sessionStart, knowledge } = parseRecipe(edited);
  const { packages = {}, ...rest } = edits.recipe ?? {};
  expect(recipe).toEqual({ ...before.recipe, ...rest, packages: { ...before.recipe.packages, ...packages } });
  expect([sessionStart, knowledge]).toEqual([edits.session_start ?? before.sessionStart, edits.knowledge ?? before.knowledge]);
  return edited;
};

describe('whatever is asked for is what is read afterwards', () => {
  test.each([
    ['an empty text', ''],
    ['a text with comments', source],
    ['flow style', '{base: debian, env: {A: b}}'],
    ['document marks', '---\nbase: debian\n...\n'],
  ])('from %s', (_, from) => {
    fc.assert(
      fc.property(asked, asked, (one, two) => {
        expectAsked(expectAsked(from, one), two);
      }),
      { numRuns: 100 },
    );
  });
});
