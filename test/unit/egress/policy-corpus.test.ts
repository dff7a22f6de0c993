// The corpus of policies as they are saved, row by row by its id. The tables beside this file go further; here nothing can be missing.
// Source: NETWORK.md 2, K.
import { expect, test } from 'vitest';
import { checkPolicy } from '../../../sandbox-engine/egress/check-policy.ts';
import { at, type Extra, saved } from './saved-host.ts';

/** Codes and places of what is wrong, or of what is warned of behind `ok`. */
const said = (policy: unknown): string => {
  const checked = checkPolicy(policy);
  const list = checked.ok ? checked.warnings : checked.errors;
  return [...(checked.ok ? ['ok'] : []), ...list.map(({ code, path }) => `${code} ${path}`.trim())].join(', ');
};
const rules = (...given: unknown[]) => ({ version: 'v1', rules: given });
const allow = (hosts: string[], more: Extra = {}) => ({ action: 'allow', hosts, ...more });
const deny = (hosts: string[], more: Extra = {}) => ({ action: 'deny', hosts, ...more });
const json = (text: string): unknown => JSON.parse(text) as unknown;
const deep = json(`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`);
const port5432 = { ports: [5432] };

test.each<[id: string, host: string, expected: string, more?: Extra]>([
  ['K01', '*', at('wildcard_all')],
  ['K01', '**', at('wildcard_all')],
  ['K01', '*.', at('wildcard_all')],
  ['K01', '.', at('host_label')],
  ['K02', '*.com', at('wildcard_public_suffix')],
  ['K02', '*.co.uk', at('wildcard_public_suffix')],
  ['K02', '*.internal', at('wildcard_public_suffix')],
  ['K03', '*.github.io', '*.github.io'],
  ['K03', '*.amazonaws.com', '*.amazonaws.com'],
  ['K04', 'a.*.com', at('wildcard_position')],
  ['K04', '*a.com', at('wildcard_position')],
  ['K04', 'a*.com', at('wildcard_position')],
  ['K04', '*.*.b.com', at('wildcard_position')],
  ['K05', 'https://x.com', at('host_scheme_or_path')],
  ['K05', 'x.com/y', at('host_scheme_or_path')],
  ['K05', 'x.com?z', at('host_scheme_or_path')],
  ['K06', 'x.com:443', at('host_port')],
  ['K06', '*.x.com:8443', at('host_port')],
  ['K07', 'u@x.com', at('host_userinfo')],
  ['K07', ' x.com', at('host_whitespace')],
  ['K07', 'x.com\n', at('host_control')],
  ['K07', 'x\0.com', at('host_control')],
  ['K08', 'münchen.example', at('host_not_ascii')],
  ['K08', 'pаypal.com', at('host_not_ascii')],
  ['K09', 'Example.COM.', 'example.com'],
  ['K10', '10.0.0.0/8', at('cidr_unsupported')],
  ['K10', '10.0.0.*', at('wildcard_position')],
  ['K11', '127.0.0.1', at('address_never'), port5432],
  ['K11', '[::1]', at('address_never'), port5432],
  ['K11', '169.254.169.254', at('address_never'), port5432],
  ['K12', '10.1.2.3', at('address_private'), port5432],
  ['K12', '10.1.2.3', '10.1.2.3', { ...port5432, allow_private: true }],
  ['K13', 'localhost', at('name_reserved')],
  ['K13', 'db', at('host_needs_dot')],
  ['K13', 'host.docker.internal', at('name_reserved')],
  // B16: the addresses of clouds' metadata, which no rule can name either.
  ...['168.63.129.16', '100.100.100.200', '[fd00:ec2::254]'].map((host): [string, string, string, Extra] => [
    ...(['B16', host, at('address_never')] as const),
    { ...port5432, allow_private: true },
  ]),
  ['B16', 'metadata.google.internal', at('name_reserved')],
])('%s: %j becomes %s', (_id, host, expected, more = {}) => {
  expect(saved(host, more)).toBe(expected);
});

test.each<[id: string, what: string, policy: unknown, expected: string]>([
  ['K03', 'a suffix that many share', rules(allow(['*.github.io'])), 'ok, wildcard_shared_suffix /rules/0/hosts/0'],
  ...[[], [0], [65_536], ['443'], [443.5], [443, 443]].map((ports): [string, string, unknown, string] => [
    ...(['K14', `ports ${JSON.stringify(ports)}`, rules(allow(['x.com'], { ports }))] as const),
    expect.stringMatching(/^ports_invalid \/rules\/0\/ports/) as unknown as string,
  ]),
  ['K15', 'deny with presets', rules(deny(['x.com'], { presets: ['github'] })), 'deny_option /rules/0/presets'],
  ['K15', 'deny with private addresses', rules(deny(['x.com'], { allow_private: true })), 'deny_option /rules/0/allow_private'],
  ['K16', 'a hole that comes too late', rules(allow(['*.x.com']), deny(['a.x.com'])), 'ok, shadowed_rule /rules/1'],
  ['K17', 'version "1"', { version: '1', rules: [] }, 'version_unsupported /version'],
  ['K17', 'version 1', { version: 1, rules: [] }, 'version_unsupported /version'],
  ['K17', 'version "V1"', { version: 'V1', rules: [] }, 'version_unsupported /version'],
  ['K17', 'no version', { rules: [] }, 'policy_shape'],
  ['K18', 'an unknown preset', rules({ action: 'allow', presets: ['pypy'] }), 'preset_unknown /rules/0/presets/0'],
  ['K18', 'an unknown field', rules(allow(['x.com'], { method: 'GET' })), 'unknown_field /rules/0/method'],
  [
    'K18',
    'a field in capitals',
    rules({ Action: 'allow', hosts: ['x.com'] }),
    'unknown_field /rules/0/Action, action_invalid /rules/0/action',
  ],
  ['K19', '129 rules', rules(...Array.from({ length: 129 }, () => allow(['x.com']))), 'limit_exceeded /rules'],
  ['K19', '257 hosts', rules(allow(Array.from({ length: 257 }, (_, at) => `h${at}.x.com`))), 'limit_exceeded /rules/0/hosts'],
  ['K19', '70 KiB', rules(allow(['x.com'], { note: 'n'.repeat(71_680) })), 'limit_exceeded'],
  ['K21', 'a key __proto__', json('{"__proto__":{"version":"v1","rules":[]}}'), 'unknown_field /__proto__, policy_shape'],
  ['K21', 'a key constructor', { ...rules(), constructor: {} }, 'unknown_field /constructor'],
  ['K21', 'objects 10,000 deep', deep, 'unknown_field /a, policy_shape'],
  ['J10', '{}', {}, 'ok'],
  ['J10', 'null', null, 'policy_shape'],
  ['J10', 'nothing at all', undefined, 'policy_shape'],
  ['J10', 'rules without a version', { rules: [] }, 'policy_shape'],
  ['J10', 'no rules', rules(), 'ok'],
])('%s: %s', (_id, _what, policy, expected) => {
  expect(said(policy)).toEqual(expected);
  expect(({} as Record<string, unknown>)['rules']).toBe(undefined);
});

test('K07, K08: the character is named, and the spelling that would be right', () => {
  const messageOf = (host: string): string => {
    const checked = checkPolicy(rules(allow([host])));
    return checked.ok ? '' : (checked.errors[0]?.message ?? '');
  };
  expect(messageOf('x\0.com')).toContain('U+0000');
  expect(messageOf('münchen.example')).toContain('xn--mnchen-3ya.example');
  expect(messageOf('pаypal.com')).toContain('xn--');
});
