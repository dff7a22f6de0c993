// The other documented forms of a network policy. Source: NETWORK.md 1.8.
import { expect, test } from 'vitest';
import type { NetworkPolicy } from '../../../sandbox-engine/contract/model.ts';
import { checkPolicy } from '../../../sandbox-engine/egress/check-policy.ts';
import { importPolicy } from '../../../sandbox-engine/egress/import-policy.ts';

const read = (value: unknown, stored: NetworkPolicy | null = null): NetworkPolicy | string => {
  const { policy, sourcePath } = importPolicy(value, stored);
  const checked = checkPolicy(policy);
  return checked.ok ? checked.policy : checked.errors.map(({ code, path }) => `${code} ${sourcePath(path)}`.trim()).join(', ');
};

const hosts = (...names: string[]) => ({ action: 'allow', hosts: names });
const managers = { action: 'allow', presets: ['package-registries'], note: 'From allow_package_managers' };
const servers = { action: 'allow', presets: ['mcp-servers'], note: 'From allow_mcp_servers' };
const v1 = (...rules: unknown[]) => ({ version: 'v1', rules }) as NetworkPolicy;

test.each<[unknown, NetworkPolicy | string]>([
  [{ type: 'unrestricted' }, {}],
  [{ type: 'limited' }, v1()],
  [{ type: 'limited', allowed_hosts: [] }, v1()],
  [{ type: 'limited', allowed_hosts: ['API.example.com.'] }, v1(hosts('api.example.com'))],
  [
    { type: 'limited', allowed_hosts: ['*.example.com'], allow_package_managers: true, allow_mcp_servers: true },
    v1(hosts('*.example.com'), managers, servers),
  ],
  [{ type: 'limited', allowed_hosts: null, allow_package_managers: null, allow_mcp_servers: true }, v1(servers)],
  [{ type: 'limited', allowed_hosts: ['ok.com', 'https://x.com'] }, 'host_scheme_or_path /allowed_hosts/1'],
  [{ type: 'unrestricted', allowed_hosts: [] }, 'unknown_field /type, unknown_field /allowed_hosts, policy_shape'],
  [{ type: 'limited', allowed_host: [] }, 'unknown_field /type, unknown_field /allowed_host, policy_shape'],
  [{ type: 'limited', allow_mcp_servers: 'yes' }, 'unknown_field /type, unknown_field /allow_mcp_servers, policy_shape'],
  [{ type: 'limited', allowed_hosts: 'x.com' }, 'unknown_field /type, unknown_field /allowed_hosts, policy_shape'],
  [{ type: 'open' }, 'unknown_field /type, policy_shape'],
  [{}, {}],
  [null, 'policy_shape'],
  [v1(hosts('x.com')), v1(hosts('x.com'))],
])('%j', (value, expected) => {
  expect(read(value)).toEqual(expected);
});

test('more hosts than one rule holds become several rules, and a wrong one is found where it was written', () => {
  const many = Array.from({ length: 600 }, (_, n) => `h${n}.example.com`);
  expect(
    (read({ type: 'limited', allowed_hosts: many }) as { rules: { hosts: string[] }[] }).rules.map((rule) => rule.hosts.length),
  ).toEqual([256, 256, 88]);
  expect(read({ type: 'limited', allowed_hosts: [...many, 'db'] })).toBe('host_needs_dot /allowed_hosts/600');
});

test('a limited block is merged field by field into what such a block had written', () => {
  const stored = read({ type: 'limited', allowed_hosts: ['a.com'], allow_package_managers: true }) as NetworkPolicy;
  expect(read({ type: 'limited', allow_mcp_servers: true }, stored)).toEqual(v1(hosts('a.com'), managers, servers));
  expect(read({ type: 'limited', allow_package_managers: null }, stored)).toEqual(v1(hosts('a.com')));
  expect(read({ type: 'limited', allowed_hosts: ['b.com'] }, stored)).toEqual(v1(hosts('b.com'), managers));
  expect(read({ type: 'unrestricted' }, stored)).toEqual({});
});

test('a policy that was written in another way, or was open, is replaced and not merged into', () => {
  const block = { type: 'limited', allowed_hosts: ['b.com'] };
  expect(read(block, v1({ action: 'deny', hosts: ['x.com'] }, hosts('a.com')))).toEqual(v1(hosts('b.com')));
  expect(read(block, {})).toEqual(v1(hosts('b.com')));
});
