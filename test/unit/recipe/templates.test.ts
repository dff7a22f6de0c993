// Every reviewed template is a body that can be sent as it is, and opens no more than it needs.
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { environmentCreate, type UncheckedCreate } from '../../../sandbox-engine/contract/calls.ts';
import { checkPolicy } from '../../../sandbox-engine/egress/check-policy.ts';
import { builtInPresets } from '../../../sandbox-engine/egress/presets.ts';
import { findCatalogEntry } from '../../../sandbox-engine/recipe/catalog.ts';
import { parseRecipe } from '../../../sandbox-engine/recipe/parse.ts';
import { templates } from '../../../sandbox-engine/recipe/templates.ts';
import { checkFields } from '../../../sandbox-engine/registry/environment-checks.ts';
import { checkScript } from '../../../sandbox-engine/setup/script.ts';

const bodyOf = (definition: Record<string, unknown>) => environmentCreate.parse(definition) as UncheckedCreate;

test('they are those of the specification, each with a name and id of its own', () => {
  const ids = [
    'base-sandbox',
    'python-data',
    'web-app',
    'go-service',
    'rust',
    'browser-desktop',
    'static-site',
    'agent-with-docs',
    'empty',
  ];
  expect(templates.map(({ id }) => id)).toEqual(ids);
  expect(new Set(templates.map(({ name }) => name)).size).toBe(ids.length);
});

test.each(templates.map((template) => [template.id, template] as const))('%s is taken as it is', (_id, { definition }) => {
  const body = bodyOf(definition);
  checkFields(body as Parameters<typeof checkFields>[0]);
  const { recipe, sessionStart } = parseRecipe(body.recipe_yaml ?? '');
  expect(findCatalogEntry(recipe.base)).not.toBeNull();
  expect(checkPolicy(body.network_policy ?? { version: 'v1', rules: [] }, builtInPresets())).toMatchObject({ ok: true });
  expect(body.setup ? checkScript(body.setup.script).warnings : []).toEqual([]);
  // Each shell of it is one that bash reads.
  const shells = [...sessionStart.map(({ run }) => run), ...recipe.initialize.map(({ run }) => run), body.setup?.script ?? ''];
  expect(shells.map((input) => spawnSync('bash', ['-n'], { input, encoding: 'utf8' }).stderr).join('')).toBe('');
});

test('none opens the whole network, none names a host, and none brings a mount, a secret or a privilege', () => {
  const opened = templates.map(({ id, definition }) => {
    const {
      network_policy: policy = { version: 'v1', rules: [] },
      mounts,
      secrets,
      privileged,
    } = bodyOf(definition) as {
      network_policy?: { rules?: { presets?: string[]; hosts?: string[] }[] };
      mounts?: unknown;
      secrets?: unknown;
      privileged?: unknown;
    };
    const rules = policy.rules?.map(({ presets, hosts }) => [...(presets ?? []), ...(hosts ?? [])]) ?? 'everything';
    return [id, rules, mounts, secrets, privileged];
  });
  const nothing = [undefined, undefined, undefined];
  expect(opened).toEqual([
    ['base-sandbox', [], ...nothing],
    ['python-data', [['pip']], ...nothing],
    ['web-app', [['npm']], ...nothing],
    ['go-service', [['go']], ...nothing],
    ['rust', [['cargo']], ...nothing],
    ['browser-desktop', [], ...nothing],
    ['static-site', [], ...nothing],
    ['agent-with-docs', [], ...nothing],
    ['empty', [], ...nothing],
  ]);
});
