// Whether a setup run could have reached anything: hints must not advise to fetch where nothing can be fetched.
import { expect, test } from 'vitest';
import type { NetworkPolicy, NetworkRule } from '../../../sandbox-engine/contract/model.ts';
import { opensAnything } from '../../../sandbox-engine/setup/setup-network.ts';

const rule = (action: NetworkRule['action']): NetworkRule => ({ action, hosts: ['a.example'], ports: [443] });

test.each<[string, NetworkPolicy, boolean]>([
  ['unrestricted access', {}, true],
  ['no rule', { version: 'v1', rules: [] }, false],
  ['only a deny rule', { version: 'v1', rules: [rule('deny')] }, false],
  ['an allow rule', { version: 'v1', rules: [rule('deny'), rule('allow')] }, true],
])('%s: %j', (_, policy, expected) => {
  expect(opensAnything(policy)).toBe(expected);
});
