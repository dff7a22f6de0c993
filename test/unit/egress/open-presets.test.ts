import { expect, test } from 'vitest';
import type { NetworkPolicy, ResolvedPreset, ResolvedPresets } from '../../../sandbox-engine/contract/model.ts';
import { explain } from '../../../sandbox-engine/egress/explain.ts';
import { openPresets, openPresetsSentence } from '../../../sandbox-engine/egress/open-presets.ts';
import { compilePolicy } from '../../../sandbox-engine/egress/policy.ts';

const preset = (id: ResolvedPreset['id'], state: ResolvedPreset['state']): ResolvedPreset => ({
  ...{ id, revision: '1', source: 'asked', resolved_at: null, state, notes: [] },
  hosts: [{ host: `${id}.example`, ports: [443], uploads: false, from: 'test' }],
});
const presets: ResolvedPresets = { pip: preset('pip', 'current'), go: preset('go', 'configured_only'), gem: preset('gem', 'last_known') };
const policy: NetworkPolicy = {
  version: 'v1',
  rules: [
    { action: 'allow', presets: ['npm', 'pip'] },
    { action: 'deny', hosts: ['denied.example'] },
    { action: 'allow', presets: ['go', 'gem'] },
  ],
};

test.each<[string, string, string[]]>([
  ['a host that nothing names', 'other.example', ['npm', 'go']],
  ['a host that a rule denies: only what stands before it', 'denied.example', ['npm']],
  ['a host that is allowed', 'pip.example', []],
  ['what no rule can open', 'localhost', []],
])('%s may be covered by the presets that are not known yet', (_what, host, open) => {
  expect(openPresets(policy, presets, explain(compilePolicy(policy, presets), host))).toEqual(open);
});

test('the sentence says which and what to do', () => {
  expect(openPresetsSentence([])).toBe('');
  expect(openPresetsSentence(['npm'])).toBe(
    ' The preset npm is not resolved yet and may cover this host: "sandlot egress access" shows what is known, "sandlot egress resolve" asks for it.',
  );
  expect(openPresetsSentence(['npm', 'go'])).toContain('The presets npm, go are not resolved yet');
});
