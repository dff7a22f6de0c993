// The shape of a policy and of its rules: a row just inside, a row just outside, and every code. Source: NETWORK.md 1.1, 1.7, corpus K.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { networkPolicy } from '../../../sandbox-engine/contract/model.ts';
import { checkPolicy } from '../../../sandbox-engine/egress/check-policy.ts';

type Rule = Record<string, unknown>;

const allow = (extra: Rule = {}): Rule => ({ action: 'allow', hosts: ['x.com'], ...extra });
const rules = (...given: unknown[]) => ({ version: 'v1', rules: given });
const json = (text: string): unknown => JSON.parse(text) as unknown;

const verdictOf = (value: unknown): string => {
  const checked = checkPolicy(value);
  return checked.ok ? 'ok' : checked.errors.map(({ code, path }) => `${code} ${path}`.trim()).join(', ');
};

const nested = (depth: number, inside: string): unknown => json(`${'{"a":'.repeat(depth)}${inside}${'}'.repeat(depth)}`);

describe('what a policy is', () => {
  test.each<[string, unknown, string]>([
    ['{} is unrestricted', {}, 'ok'],
    ['version and rules', rules(), 'ok'],
    ['null', null, 'policy_shape'],
    ['nothing', undefined, 'policy_shape'],
    ['a list', [], 'policy_shape'],
    ['a text', '', 'policy_shape'],
    ['the text {}', '{}', 'policy_shape'],
    ['zero', 0, 'policy_shape'],
    ['false', false, 'policy_shape'],
    ['an instance of a class', new Map(), 'policy_shape'],
    ['rules without a version', { rules: [] }, 'policy_shape'],
    ['a version without rules', { version: 'v1' }, 'policy_shape'],
    ['rules that are null', { version: 'v1', rules: null }, 'policy_shape /rules'],
    ['rules that are an object', { version: 'v1', rules: {} }, 'policy_shape /rules'],
    ['a rule that is null', rules(null), 'policy_shape /rules/0'],
    ['a rule that is a list', rules([]), 'policy_shape /rules/0'],
    ['a rule that is a text', rules('x.com'), 'policy_shape /rules/0'],
    ['the version 1', { version: '1', rules: [] }, 'version_unsupported /version'],
    ['the number 1', { version: 1, rules: [] }, 'version_unsupported /version'],
    ['the version V1', { version: 'V1', rules: [] }, 'version_unsupported /version'],
    ['the version v2', { version: 'v2', rules: [] }, 'version_unsupported /version'],
    ['the version null', { version: null, rules: [] }, 'version_unsupported /version'],
    ['another key', { version: 'v1', rules: [], mode: 'x' }, 'unknown_field /mode'],
    ['another key with a slash', { version: 'v1', rules: [], 'a/b~c': 1 }, 'unknown_field /a~1b~0c'],
    ['the form of another system', { type: 'unrestricted' }, 'unknown_field /type, policy_shape'],
    ['a key __proto__', json('{"__proto__":{"rules":[]}}'), 'unknown_field /__proto__, policy_shape'],
    ['version and rules behind __proto__', json('{"__proto__":{"version":"v1","rules":[]}}'), 'unknown_field /__proto__, policy_shape'],
    ['a key constructor', { ...rules(), constructor: {} }, 'unknown_field /constructor'],
    ['10,000 objects in each other', nested(10_000, '1'), 'unknown_field /a, policy_shape'],
    ['10,000 lists in each other', json(`${'['.repeat(10_000)}${']'.repeat(10_000)}`), 'policy_shape'],
    [
      '10,000 lists for a host',
      rules(allow({ hosts: [json(`${'['.repeat(10_000)}${']'.repeat(10_000)}`)] })),
      'policy_shape /rules/0/hosts/0',
    ],
    [
      '10,000 objects for a rule',
      rules(nested(10_000, '1')),
      'unknown_field /rules/0/a, action_invalid /rules/0/action, rule_empty /rules/0',
    ],
    ['10,000 objects for a version', { version: nested(10_000, '1'), rules: [] }, 'version_unsupported /version'],
  ])('%s', (_name, value, expected) => {
    expect(verdictOf(value)).toBe(expected);
  });

  test('nothing that was sent changes what objects are', () => {
    checkPolicy(
      json('{"version":"v1","rules":[{"__proto__":{"polluted":1},"action":"allow","hosts":["x.com"]}],"__proto__":{"polluted":1}}'),
    );
    expect(({} as Rule)['polluted']).toBeUndefined();
  });
});

describe('what a rule is', () => {
  const at = '/rules/0';
  test.each<[string, Rule, string]>([
    ['the smallest', allow(), 'ok'],
    ['everything at once', allow({ ports: [443], protocol: 'auto', allow_private: false, note: 'why' }), 'ok'],
    ['no action', { hosts: ['x.com'] }, `action_invalid ${at}/action`],
    ['the action Allow', allow({ action: 'Allow' }), `action_invalid ${at}/action`],
    ['a key Action', { Action: 'allow', hosts: ['x.com'] }, `unknown_field ${at}/Action, action_invalid ${at}/action`],
    ['a key method', allow({ method: 'GET' }), `unknown_field ${at}/method`],
    ['a key __proto__', json('{"action":"allow","hosts":["x.com"],"__proto__":{}}') as Rule, `unknown_field ${at}/__proto__`],
    [
      'an action behind __proto__',
      json('{"__proto__":{"action":"allow"},"hosts":["x.com"]}') as Rule,
      `unknown_field ${at}/__proto__, action_invalid ${at}/action`,
    ],
    ['no hosts', { action: 'allow' }, `rule_empty ${at}`],
    ['an empty list of hosts', allow({ hosts: [] }), `rule_empty ${at}`],
    ['empty hosts and presets', allow({ hosts: [], presets: [] }), `rule_empty ${at}`],
    ['hosts and empty presets', allow({ presets: [] }), `rule_empty ${at}/presets`],
    ['presets and empty hosts', { action: 'allow', hosts: [], presets: ['github'] }, `rule_empty ${at}/hosts`],
    ['hosts that are a text', allow({ hosts: 'x.com' }), `policy_shape ${at}/hosts`],
    ['a host that is a number', allow({ hosts: ['x.com', 7] }), `policy_shape ${at}/hosts/1`],
    ['hosts that are null', allow({ hosts: null }), `policy_shape ${at}/hosts`],
    ['256 hosts', allow({ hosts: Array.from({ length: 256 }, (_, n) => `h${n}.x.com`) }), 'ok'],
    ['257 hosts', allow({ hosts: Array.from({ length: 257 }, (_, n) => `h${n}.x.com`) }), `limit_exceeded ${at}/hosts`],
    ['a preset', { action: 'allow', presets: ['github'] }, 'ok'],
    ['a preset nobody knows', { action: 'allow', presets: ['githb'] }, `preset_unknown ${at}/presets/0`],
    ['a preset that is a number', { action: 'allow', presets: [1] }, `policy_shape ${at}/presets/0`],
    ['a preset constructor', { action: 'allow', presets: ['constructor'] }, `preset_unknown ${at}/presets/0`],
    ['16 presets', { action: 'allow', presets: Array.from({ length: 16 }, () => 'gitlab') }, 'ok'],
    ['17 presets', { action: 'allow', presets: Array.from({ length: 17 }, () => 'gitlab') }, `limit_exceeded ${at}/presets`],
    ['ports with presets', { action: 'allow', presets: ['github'], ports: [443] }, `ports_with_preset ${at}/ports`],
    ['port 1', allow({ ports: [1] }), 'ok'],
    ['port 65535', allow({ ports: [65_535] }), 'ok'],
    ['no ports', allow({ ports: [] }), `ports_invalid ${at}/ports`],
    ['port 0', allow({ ports: [0] }), `ports_invalid ${at}/ports/0`],
    ['port 65536', allow({ ports: [443, 65_536] }), `ports_invalid ${at}/ports/1`],
    ['port "443"', allow({ ports: ['443'] }), `ports_invalid ${at}/ports/0`],
    ['port 443.5', allow({ ports: [443.5] }), `ports_invalid ${at}/ports/0`],
    ['port NaN', allow({ ports: [Number.NaN] }), `ports_invalid ${at}/ports/0`],
    ['a port twice', allow({ ports: [443, 443] }), `ports_invalid ${at}/ports`],
    ['ports that are a number', allow({ ports: 443 }), `ports_invalid ${at}/ports`],
    ['ports that are null', allow({ ports: null }), `ports_invalid ${at}/ports`],
    ['32 ports', allow({ ports: Array.from({ length: 32 }, (_, n) => n + 1) }), 'ok'],
    ['33 ports', allow({ ports: Array.from({ length: 33 }, (_, n) => n + 1) }), `limit_exceeded ${at}/ports`],
    ['protocol udp', allow({ protocol: 'udp' }), `policy_shape ${at}/protocol`],
    ['tcp with ports', allow({ protocol: 'tcp', ports: [22] }), 'ok'],
    ['tcp without ports', allow({ protocol: 'tcp' }), `ports_invalid ${at}/ports`],
    ['tcp with a wildcard', allow({ hosts: ['*.x.com'], protocol: 'tcp', ports: [22] }), `wildcard_tcp ${at}/hosts/0`],
    [
      'tcp with a preset',
      { action: 'allow', presets: ['github'], protocol: 'tcp' },
      `wildcard_tcp ${at}/presets, ports_invalid ${at}/ports`,
    ],
    ['allow_private "yes"', allow({ allow_private: 'yes' }), `policy_shape ${at}/allow_private`],
    ['a note of 200 characters', allow({ note: '🚀'.repeat(200) }), 'ok'],
    ['a note of 201 characters', allow({ note: 'x'.repeat(201) }), `limit_exceeded ${at}/note`],
    ['a note that is a number', allow({ note: 1 }), `policy_shape ${at}/note`],
    ['a deny rule', { action: 'deny', hosts: ['x.com'], ports: [80], note: 'no' }, 'ok'],
    ['deny with presets', { action: 'deny', hosts: ['x.com'], presets: ['github'] }, `deny_option ${at}/presets`],
    ['deny with allow_private', { action: 'deny', hosts: ['x.com'], allow_private: true }, `deny_option ${at}/allow_private`],
    ['deny with tcp', { action: 'deny', hosts: ['x.com'], ports: [22], protocol: 'tcp' }, `deny_option ${at}/protocol`],
    [
      'several problems, all at once',
      { action: 'no', hosts: ['*', 'x.com:1'], ports: [0] },
      `action_invalid ${at}/action, wildcard_all ${at}/hosts/0, host_port ${at}/hosts/1, ports_invalid ${at}/ports/0`,
    ],
  ])('%s', (_name, rule, expected) => {
    expect(verdictOf(rules(rule))).toBe(expected);
  });

  test('undefined is as if it were not there', () => {
    expect(
      verdictOf(rules(allow({ ports: undefined, presets: undefined, protocol: undefined, allow_private: undefined, note: undefined }))),
    ).toBe('ok');
  });
});

describe('limits', () => {
  const many = (count: number) => rules(...Array.from({ length: count }, (_, n) => allow({ hosts: [`h${n}.x.com`] })));
  const hosts = (count: number, from: number) => allow({ hosts: Array.from({ length: count }, (_, n) => `h${from + n}.com`) });
  test.each<[string, unknown, string]>([
    ['128 rules', many(128), 'ok'],
    ['129 rules', many(129), 'limit_exceeded /rules'],
    ['1,024 patterns', rules(...[0, 256, 512, 768].map((from) => hosts(256, from))), 'ok'],
    ['1,025 patterns', rules(...[0, 256, 512, 768].map((from) => hosts(256, from)), hosts(1, 2000)), 'limit_exceeded /rules'],
    [
      '1,024 patterns of which 7 are from a preset',
      rules(...[0, 256, 512].map((from) => hosts(256, from)), hosts(249, 768), { action: 'allow', presets: ['github'] }),
      'ok',
    ],
    [
      '1,025 patterns of which 7 are from a preset',
      rules(...[0, 256, 512].map((from) => hosts(256, from)), hosts(250, 768), { action: 'allow', presets: ['github'] }),
      'limit_exceeded /rules',
    ],
  ])('%s', (_name, value, expected) => {
    expect(verdictOf(value)).toBe(expected);
  });

  const text = (bytes: number) => {
    const policy = rules(allow({ hosts: [''], note: '' }));
    const empty = Buffer.byteLength(JSON.stringify(policy));
    return rules(allow({ hosts: ['a'.repeat(bytes - empty)], note: '' }));
  };
  test('64 KiB as JSON are read, one byte more is not', () => {
    expect([65_536, 65_537].map((bytes) => Buffer.byteLength(JSON.stringify(text(bytes))))).toEqual([65_536, 65_537]);
    expect(verdictOf(text(65_536))).toBe('host_label /rules/0/hosts/0');
    expect(verdictOf(text(65_537))).toBe('limit_exceeded');
    expect(verdictOf(text(70 * 1024))).toBe('limit_exceeded');
  });

  test('a hundred problems are named, not ten thousand', () => {
    const checked = checkPolicy(rules(...Array.from({ length: 100 }, () => allow({ hosts: Array.from({ length: 100 }, () => 'db') }))));
    expect(checked.ok ? 0 : checked.errors.length).toBe(100);
  });
});

test.each<[unknown, string]>([
  [{ rules: [] }, 'A policy is {} (unrestricted) or {"version":"v1","rules":[…]}.'],
  [{ version: 'v2', rules: [] }, 'Policy version "v2" is not supported; use "v1".'],
  [rules(allow(), allow(), allow({ method: 'GET' })), 'Unknown field "method" in rules[2]. Rules match hosts and ports only.'],
  [rules(allow({ host: 'x' })), 'Unknown field "host" in rules[0]. Rules match hosts and ports only. Did you mean "hosts"?'],
  [rules({ hosts: ['x.com'] }), 'rules[0].action must be "allow" or "deny".'],
  [rules(allow(), { action: 'deny' }), 'rules[1] names no hosts. To block everything use an empty rules list.'],
  [rules({ action: 'allow', presets: ['pipp'] }), 'Unknown preset "pipp". Did you mean "pip"?'],
  [rules({ action: 'deny', hosts: ['x.com'], presets: ['github'] }), 'Only allow rules can use "presets".'],
  [rules(allow({ ports: [0] })), 'ports must be whole numbers from 1 to 65535.'],
  [rules(allow({ hosts: ['169.254.169.254'], ports: [80] })), '169.254.169.254 can never be allowed (link-local or metadata).'],
  [rules(allow({ hosts: ['10.1.2.3'], ports: [80] })), '10.1.2.3 is a private address; set "allow_private": true.'],
  [rules(allow({ hosts: ['*.x.com'], protocol: 'tcp', ports: [22] })), 'tcp rules need an exact host, not "*.x.com".'],
])('%j says: %s', (value, message) => {
  const checked = checkPolicy(value);
  expect(checked.ok ? '' : checked.errors[0]?.message).toBe(message);
});

test('a policy is saved in one spelling, in its own order, with nothing added', () => {
  const given = rules(
    { ports: [8443, 443], hosts: ['B.Example.com.', '[2606:4700:0::1111]', '*.A.example.com'], action: 'allow', note: 'Why' },
    { action: 'deny', hosts: ['X.com'] },
    { presets: ['github'], action: 'allow' },
  );
  const checked = checkPolicy(given);
  expect(checked.ok && checked.policy).toEqual({
    version: 'v1',
    rules: [
      { action: 'allow', hosts: ['b.example.com', '[2606:4700::1111]', '*.a.example.com'], ports: [8443, 443], note: 'Why' },
      { action: 'deny', hosts: ['x.com'] },
      { action: 'allow', presets: ['github'] },
    ],
  });
  expect(checked.ok && networkPolicy.safeParse(checked.policy).success).toBe(true);
  expect(given.rules[0]).toMatchObject({ hosts: ['B.Example.com.', '[2606:4700:0::1111]', '*.A.example.com'] });
});

test('whatever JSON is sent: only {} is read as unrestricted, and nothing throws', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      const checked = checkPolicy(value);
      const isOpen = checked.ok && Object.keys(checked.policy).length === 0;
      expect(isOpen).toBe(JSON.stringify(value) === '{}');
    }),
    { numRuns: 2000 },
  );
});
