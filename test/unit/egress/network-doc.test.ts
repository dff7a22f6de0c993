// docs/network.md names every code, warning and preset, and its example is a policy that is saved as it stands.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { policyErrorCodes, policyWarning, presetIds } from '../../../sandbox-engine/contract/model.ts';
import { checkPolicy } from '../../../sandbox-engine/egress/check-policy.ts';
import { explain } from '../../../sandbox-engine/egress/explain.ts';
import { compilePolicy } from '../../../sandbox-engine/egress/policy.ts';
import { builtInPresets } from '../../../sandbox-engine/egress/presets.ts';

const page = readFileSync(fileURLToPath(new URL('../../../docs/network.md', import.meta.url)), 'utf8');

test.each([
  ['code', policyErrorCodes],
  ['warning', policyWarning.shape.code.options],
  ['preset', presetIds],
] as const)('every %s is named', (_what, words) => {
  expect(words.filter((word) => !page.includes(`\`${word}\``))).toEqual([]);
});

test('the example is saved as it stands and does what its comments say', () => {
  const example = /```yaml\n(network_policy:.*?)```/s.exec(page)?.[1] ?? '';
  const { network_policy } = parse(example) as { network_policy: unknown };
  const checked = checkPolicy(network_policy);
  if (!checked.ok) throw new Error(JSON.stringify(checked.errors));
  expect(checked.policy).toEqual(network_policy);
  const compiled = compilePolicy(checked.policy, builtInPresets());
  const asked = [
    'https://secret.example.com',
    'https://a.b.example.com',
    'git.example.com:22',
    '10.1.2.3:5432',
    'https://github.com',
    'https://other.test.io',
  ];
  expect(asked.map((text) => explain(compiled, text).rule)).toEqual([0, 1, 2, 3, 4, null]);
});
