import { describe, expect, test } from 'vitest';
import type { Recipe } from '../../../sandbox-engine/contract/model.ts';
import { compileRecipe } from '../../../sandbox-engine/recipe/compile.ts';
import { emptyRecipeDigest, fingerprint, recipeDigest } from '../../../sandbox-engine/recipe/digest.ts';
import { parseRecipe } from '../../../sandbox-engine/recipe/parse.ts';
import { readSandboxUserId, runtimeLayer, runtimeLayerVersion } from '../../../sandbox-engine/recipe/runtime-layer.ts';

const recipes: Record<string, string> = {
  'base-only': 'base: debian\n',
  'plain-env': 'env: {A: "1", PORT: 8080}\n',
  'odd-env': [
    'env:',
    '  SPACED: "a  b "',
    `  QUOTED: "it's \\"fine\\""`,
    '  DOLLAR: "$HOME ${X:-y} $$"',
    String.raw`  BACK: 'C:\tools\'`,
    '  MULTI: "one\\ntwo"',
    '  EQ: "k=v=w"',
    '  HASH: "a #b"',
    '  EMPTY: ""',
    '',
  ].join('\n'),
  apt: 'packages: {apt: [jq, git=1:2.39-1]}\n',
  'all-managers':
    'packages: {apt: [jq], cargo: [ripgrep@14.1.0], gem: ["rake:13.2.1"], go: [golang.org/x/tools/cmd/goimports], npm: ["@scope/a@1"], pip: ["uvicorn[standard]>=0.3"]}\n',
  steps: 'initialize:\n  - name: First\n    run: echo one\n  - name: Second\n    run: |\n      echo two\n      echo three\n',
  'odd-step':
    "initialize:\n  - name: Heredoc\n    run: |\n      cat <<'EOF' > /x\n      \tit's \"q\" $HOME `id` \\\n      EOF\n      # last \\\n",
  ara: 'base: python\nenv:\n  PYTHONUNBUFFERED: "1"\ninitialize:\n  - name: Install global analysis tools\n    run: uv pip install --system ruff mypy\nsession_start:\n  - name: deps\n    run: bun install\n',
};

describe('a recipe becomes a Dockerfile', () => {
  test.each(Object.keys(recipes))('%s is compiled as its golden file says', async (name) => {
    const { recipe } = parseRecipe(recipes[name] ?? '');
    const { dockerfile, buildArgs } = compileRecipe({
      recipe,
      from: 'sandlot/base:test',
      labels: { 'dev.sandlot.managed': 'true' },
      user: 1000,
    });
    await expect(`${dockerfile}# build arguments: ${JSON.stringify(buildArgs)}\n`).toMatchFileSnapshot(`golden/${name}.dockerfile`);
  });

  test('each instruction has the name that people see, in order', () => {
    const { dockerfile, steps, instructions } = compileRecipe({ recipe: parseRecipe(recipes.steps ?? '').recipe, from: 'x:1' });
    expect(steps).toEqual(['base', 'as root', 'First', 'Second', 'sandbox user', 'sandbox user', 'sandbox user', 'sandbox user']);
    expect(`${instructions.join('\n')}\n`).toBe(dockerfile);
  });

  test('a step longer than a Dockerfile line comes as a file', () => {
    const run = `cat <<'EOF'\n${'x\\\n'.repeat(30_000)}EOF\n`;
    const { dockerfile, files } = compileRecipe({ recipe: { ...parseRecipe('').recipe, initialize: [{ name: 'big', run }] }, from: 'x:1' });
    expect(files).toEqual([{ path: 'steps/step-1.sh', mode: 0o644, contents: run }]);
    expect(Math.max(...dockerfile.split('\n').map((line) => line.length))).toBeLessThan(61_000);
  });

  test('no line of a step can become an instruction of its own', () => {
    const run = 'true\nUSER 0\r\nRUN evil <<EOF\nEOF\n';
    const { dockerfile } = compileRecipe({
      recipe: { ...parseRecipe('').recipe, initialize: [{ name: 'x\nRUN evil', run }] },
      from: 'x:1',
    });
    expect(dockerfile.split('\n').filter((line) => line.includes('evil'))).toHaveLength(1);
    expect(dockerfile).not.toContain('<<');
  });
});

describe('the runtime layer', () => {
  test('it is compiled as its golden file says', async () => {
    const { dockerfile } = runtimeLayer({ from: 'debian:bookworm-slim', labelKey: 'dev.sandlot.runtime-layer' });
    await expect(dockerfile.replaceAll(runtimeLayerVersion, 'VERSION')).toMatchFileSnapshot('golden/runtime-layer.dockerfile');
    expect(runtimeLayerVersion).toMatch(/^[0-9a-f]{12}$/);
  });

  test.each([
    ['root:x:0:0::/root:/bin/sh\nsandbox:x:1001:1001::/home/sandbox:/bin/bash\n', 1001],
    ['root:x:0:0::/root:/bin/sh\n', null],
    ['sandbox2:x:1:1:::\nsandbox:x:evil:1:::\n', null],
  ])('the id of the sandbox user is read from passwd (%#)', (passwd, id) => {
    expect(readSandboxUserId(passwd)).toBe(id);
  });
});

describe('digests', () => {
  const base: Recipe = parseRecipe(
    'base: debian\nenv: {A: "1", B: "2"}\npackages: {apt: [a, b]}\ninitialize: [{name: n, run: x}, {name: m, run: y}]\n',
  ).recipe;
  const same = recipeDigest(base);
  test.each<[string, Recipe, boolean]>([
    ['another order of variables', { ...base, env: { B: '2', A: '1' } }, true],
    ['another name of a step', { ...base, initialize: base.initialize.map(({ run }) => ({ name: 'z', run })) }, true],
    ['another value', { ...base, env: { A: '1', B: '3' } }, false],
    ['another order of packages', { ...base, packages: { ...base.packages, apt: ['b', 'a'] } }, false],
    ['another order of steps', { ...base, initialize: [...base.initialize].reverse() }, false],
    ['another base', { ...base, base: 'python' }, false],
    ['a list moved to another manager', { ...base, packages: { ...base.packages, apt: [], pip: ['a', 'b'] } }, false],
  ])('%s', (_, recipe, isSame) => {
    expect(recipeDigest(recipe) === same).toBe(isSame);
  });

  test('the fingerprint follows base digest, runtime layer and architecture, not the name of the base', () => {
    const of = (change: Partial<Parameters<typeof fingerprint>[0]>) =>
      fingerprint({ recipe: base, baseDigest: 'sha256:1', runtimeLayerVersion: 'v', architecture: 'amd64', ...change });
    expect(of({ recipe: { ...base, base: 'debian:bookworm-slim' } })).toBe(of({}));
    expect(new Set([of({}), of({ baseDigest: 'sha256:2' }), of({ runtimeLayerVersion: 'w' }), of({ architecture: 'arm64' })]).size).toBe(4);
  });

  test('a recipe that says nothing has the digest of the empty recipe', () => {
    expect(recipeDigest(parseRecipe('# nothing\n').recipe)).toBe(emptyRecipeDigest);
  });
});
