// The union of what an agent's environments open.
import { expect, test } from 'vitest';
import { agentAccessOf } from '../../../sandbox-engine/agents/effective-access.ts';
import type { NetworkPolicy } from '../../../sandbox-engine/contract/model.ts';
import { effectiveAccess } from '../../../sandbox-engine/egress/effective-access.ts';
import { builtInPresets } from '../../../sandbox-engine/egress/presets.ts';

const of = (name: string, policy: NetworkPolicy) => ({
  environment_id: `env_${name}`,
  environment_name: name,
  access: effectiveAccess(policy, builtInPresets()),
});
const rules = (...list: Extract<NetworkPolicy, { rules: unknown }>['rules']): NetworkPolicy => ({ version: 'v1', rules: list });
const rowsOf = (access: ReturnType<typeof agentAccessOf>) =>
  access.rows.map(
    ({ host, ports, given_by }) =>
      `${host}:${ports.join(',')} ${given_by.map(({ environment_name, rule, except }) => `${environment_name}#${rule}${except.length > 0 ? ` not ${except}` : ''}`).join(' ')}`,
  );

test('a host that two environments open on the same ports is one row given by both; other ports are another', () => {
  const access = agentAccessOf([
    of('web', rules({ action: 'allow', hosts: ['a.example.com', 'b.example.com'] })),
    of('api', rules({ action: 'allow', hosts: ['b.example.com'] }, { action: 'allow', hosts: ['a.example.com'], ports: [8443] })),
  ]);
  expect(rowsOf(access)).toEqual(['a.example.com:443,80 web#0', 'b.example.com:443,80 web#0 api#0', 'a.example.com:8443 api#1']);
  expect([access.access, access.headline, access.hosts]).toEqual(['limited', '2 hosts', 2]);
});

test('what one environment denies, another still gives', () => {
  const access = agentAccessOf([
    of('narrow', rules({ action: 'deny', hosts: ['x.example.com'] }, { action: 'allow', hosts: ['*.example.com'] })),
    of('wide', rules({ action: 'allow', hosts: ['*.example.com'] })),
  ]);
  expect(rowsOf(access)).toEqual(['*.example.com:443,80 narrow#1 not x.example.com wide#0']);
});

test('a rule that is never reached gives nothing', () => {
  const access = agentAccessOf([
    of('shut', rules({ action: 'deny', hosts: ['a.example.com'] }, { action: 'allow', hosts: ['a.example.com'] })),
  ]);
  expect([rowsOf(access), access.access, access.headline]).toEqual([[], 'none', 'No access']);
});

test('one open environment opens everything, and says which; the rules of the others stay listed', () => {
  const access = agentAccessOf([of('web', rules({ action: 'allow', hosts: ['a.example.com'] })), of('lab', {})]);
  expect([access.access, access.headline, access.unrestricted_by.map(({ environment_name }) => environment_name)]).toEqual([
    'unrestricted',
    'Unrestricted, by "lab"',
    ['lab'],
  ]);
  expect(rowsOf(access)).toHaveLength(1);
});

test('without environments nothing is reached; a preset that nobody has asked for yet is named', () => {
  expect(agentAccessOf([])).toMatchObject({ access: 'none', headline: 'No access', rows: [], unrestricted_by: [] });
  const access = agentAccessOf([of('web', rules({ action: 'allow', presets: ['npm', 'gitlab'] }))]);
  expect(access.open_presets.map(({ preset }) => preset)).toEqual(['npm']);
  expect(access.rows.map(({ given_by }) => given_by[0]?.preset)).toEqual(['gitlab']);
});
