// Deciding: the first match wins, no match is blocked, the floor is under all. Source: NETWORK.md 1.2, 1.3; corpus A21; X-04.
import { describe, expect, test } from 'vitest';
import type { NetworkPolicy, ResolvedPresets } from '../../../sandbox-engine/contract/model.ts';
import { checkPolicy } from '../../../sandbox-engine/egress/check-policy.ts';
import { compilePolicy, decide } from '../../../sandbox-engine/egress/policy.ts';
import { builtInPresets } from '../../../sandbox-engine/egress/presets.ts';

const policyOf = (rules: unknown[]): NetworkPolicy => {
  const checked = checkPolicy({ version: 'v1', rules });
  if (!checked.ok) throw new Error(JSON.stringify(checked.errors));
  return checked.policy;
};

/** `allowed 0`, `no_rule -`: the reason and the rule. */
const say = (policy: NetworkPolicy, text: string, presets: ResolvedPresets = builtInPresets()): string => {
  const [, host = '', port] = /^(.*?)(?::(\d+))?$/.exec(text) ?? [];
  const { verdict, reason, rule } = decide(compilePolicy(policy, presets), { host, port: Number(port ?? 443) });
  expect(verdict).toBe(reason === 'allowed' ? 'allowed' : 'blocked');
  return `${reason} ${rule ?? '-'}`;
};

const deny = (...hosts: string[]) => ({ action: 'deny', hosts });
const allow = (hosts: string[], extra: object = {}) => ({ action: 'allow', hosts, ...extra });

describe('X-04: wildcard, apex, look-alikes, order', () => {
  const first = deny('api.example.com');
  const second = allow(['*.example.com']);
  const ordered: [string, string][] = [
    ['api.example.com', 'denied_by_rule 0'],
    ['www.example.com', 'allowed 1'],
    ['a.b.example.com', 'allowed 1'],
    ['example.com', 'no_rule -'],
    ['evilexample.com', 'no_rule -'],
    ['www.example.com.evil.test', 'no_rule -'],
    ['xn--exaple-kqf.com', 'no_rule -'],
  ];
  test.each(ordered)('%s is %s', (host, expected) => {
    expect(say(policyOf([first, second]), host)).toBe(expected);
  });

  test.each(ordered)('with the rules swapped %s is decided by the first that matches', (host, expected) => {
    const swapped = host === 'api.example.com' ? 'allowed 0' : expected.replace('1', '0');
    expect(say(policyOf([second, first]), host)).toBe(swapped);
  });

  test.each(ordered)('with no rules %s is blocked', (host) => {
    expect(say(policyOf([]), host)).toBe('no_rule -');
  });

  test.each([
    ['WWW.Example.COM'],
    ['www.example.com.'],
    ['API.example.com'],
    ['api.example.com.'],
    [' api.example.com'],
    ['api.example.com:80'],
    [''],
  ])('%j is no canonical host, so no rule is asked', (host) => {
    expect(decide(compilePolicy(policyOf([second]), {}), { host, port: 443 }).reason).toBe('malformed_request');
  });

  test.each([[0], [-1], [65_536], [443.5], [Number.NaN]])('port %s is none', (port) => {
    expect(decide(compilePolicy(policyOf([second]), {}), { host: 'www.example.com', port }).reason).toBe('malformed_request');
  });
});

describe('the policy P1', () => {
  const p1 = policyOf([
    deny('secret.allowed.test'),
    allow(['allowed.test', '*.allowed.test']),
    allow(['plain.test'], { ports: [80] }),
    allow(['ssh.test'], { ports: [22], protocol: 'tcp' }),
    allow(['corp.test'], { allow_private: true }),
    allow(['big.test']),
    allow(['20.0.0.9'], { ports: [8443] }),
    allow(['10.1.2.3'], { ports: [5432], protocol: 'tcp', allow_private: true }),
  ]);
  test.each([
    ['allowed.test', 'allowed 1'],
    ['allowed.test:80', 'allowed 1'],
    ['a_b.allowed.test', 'allowed 1'],
    ['xn--a.allowed.test', 'allowed 1'],
    ['secret.allowed.test', 'denied_by_rule 0'],
    ['secret.allowed.test:22', 'denied_by_rule 0'],
    ['x.secret.allowed.test', 'allowed 1'],
    ['evil-allowed.test', 'no_rule -'],
    ['notallowed.test', 'no_rule -'],
    ['allowed.test.evil.test', 'no_rule -'],
    ['allowed.test:22', 'port_not_allowed -'],
    ['allowed.test:8443', 'port_not_allowed -'],
    ['sub.allowed.test:25', 'port_not_allowed -'],
    ['plain.test:80', 'allowed 2'],
    ['plain.test:443', 'port_not_allowed -'],
    ['ssh.test:22', 'allowed 3'],
    ['corp.test', 'allowed 4'],
    ['.allowed.test', 'malformed_request -'],
    ['a..allowed.test', 'malformed_request -'],
    ['-a.allowed.test', 'malformed_request -'],
    ['127.1', 'malformed_request -'],
    ['2130706433', 'malformed_request -'],
    ['localhost', 'special_address -'],
    ['x.localhost', 'special_address -'],
    ['host.docker.internal', 'special_address -'],
    ['registry', 'special_address -'],
    ['1.1.1.1', 'ip_literal -'],
    ['[2606:4700:4700::1111]', 'ip_literal -'],
    ['20.0.0.9:8443', 'allowed 6'],
    ['20.0.0.9:443', 'port_not_allowed -'],
    ['10.1.2.3:5432', 'allowed 7'],
    ['10.1.2.3:22', 'port_not_allowed -'],
    ['10.1.2.4:5432', 'private_address -'],
    ['172.17.0.1:80', 'private_address -'],
    ['127.0.0.1:22', 'special_address -'],
    ['[::1]:22', 'special_address -'],
    ['0.0.0.0:22', 'special_address -'],
    ['169.254.169.254:80', 'special_address -'],
    ['198.18.0.1:3128', 'special_address -'],
  ])('%s is %s', (asked, expected) => {
    expect(say(p1, asked)).toBe(expected);
  });

  test('the deciding rule says how the bytes are looked at and whether private addresses may follow', () => {
    const compiled = compilePolicy(p1, {});
    const of = (host: string, port: number) => {
      const { protocol, allowPrivate } = decide(compiled, { host, port });
      return [protocol, allowPrivate];
    };
    expect([of('ssh.test', 22), of('corp.test', 443), of('big.test', 443), of('none.test', 443)]).toEqual([
      ['tcp', false],
      ['auto', true],
      ['auto', false],
      ['auto', false],
    ]);
  });
});

test('the port belongs to the match: a later rule with the port decides, and one without it cannot', () => {
  const policy = policyOf([allow(['x.com'], { ports: [443] }), deny('x.com'), allow(['x.com'], { ports: [8443] })]);
  expect(['x.com:443', 'x.com:8443', 'x.com:80'].map((asked) => say(policy, asked))).toEqual([
    'allowed 0',
    'denied_by_rule 1',
    'denied_by_rule 1',
  ]);
});

test('a deny rule with ports denies these ports only', () => {
  const policy = policyOf([{ ...deny('x.com'), ports: [80] }, allow(['x.com'])]);
  expect(['x.com:80', 'x.com:443'].map((asked) => say(policy, asked))).toEqual(['denied_by_rule 0', 'allowed 1']);
});

test('a wildcard means no address and no reserved name', () => {
  const policy = policyOf([allow(['*.docker.internal', '*.google.internal'])]);
  const asked = ['a.docker.internal', 'host.docker.internal', 'x.host.docker.internal', 'metadata.google.internal', '1.2.3.4'];
  expect(asked.map((host) => say(policy, host))).toEqual([
    'allowed 0',
    'special_address -',
    'special_address -',
    'special_address -',
    'ip_literal -',
  ]);
});

test('{} opens all but the floor', () => {
  const open = (text: string) => say({}, text);
  expect(['example.com', 'example.com:22', '1.1.1.1', '10.0.0.5:5432'].map(open)).toEqual(Array.from({ length: 4 }, () => 'allowed -'));
  const floor = ['localhost', '127.0.0.1', '169.254.169.254', '[::1]', 'host.docker.internal', '0.0.0.0'];
  expect(floor.map(open)).toEqual(floor.map(() => 'special_address -'));
  expect(decide(compilePolicy({}, {}), { host: '10.0.0.5', port: 80 }).allowPrivate).toBe(true);
});

describe('presets', () => {
  const policy = policyOf([{ action: 'allow', presets: ['github', 'npm'] }]);
  const npm = (host: string): ResolvedPresets => ({
    npm: {
      id: 'npm',
      revision: '1',
      source: 'test',
      resolved_at: null,
      state: 'current',
      hosts: [{ host, ports: [8081], uploads: false, from: 'npm config' }],
      notes: [],
    },
  });
  test('bring their own ports; one that was never resolved opens nothing', () => {
    expect(say(policy, 'api.github.com')).toBe('allowed 0');
    expect(say(policy, 'api.github.com:80')).toBe('port_not_allowed -');
    expect(say(policy, 'registry.test:8081')).toBe('no_rule -');
    expect(say(policy, 'registry.test:8081', npm('registry.test'))).toBe('allowed 0');
    expect(say(policy, 'api.github.com', {})).toBe('no_rule -');
  });

  test('a host of a preset that is no pattern, or that no rule may open, opens nothing', () => {
    expect(say(policy, 'registry.test:8081', npm('Registry.test.'))).toBe('allowed 0');
    expect(say(policy, 'registry.test:8081', npm('*'))).toBe('no_rule -');
    expect(say(policy, '127.0.0.1:8081', npm('127.0.0.1'))).toBe('special_address -');
    expect(say(policy, '10.0.0.5:8081', npm('10.0.0.5'))).toBe('private_address 0');
  });

  test('package-registries is all of them', () => {
    const all = policyOf([{ action: 'allow', presets: ['package-registries'] }]);
    expect(say(all, 'registry.test:8081', npm('registry.test'))).toBe('allowed 0');
  });
});

test.each<[string, unknown]>([
  ['null', null],
  ['nothing', undefined],
  ['a list', []],
  ['a text', '{}'],
  ['an instance with no keys', new Map()],
  ['rules without a version', { rules: [] }],
  ['another version', { version: 'v2', rules: [] }],
  ['a rule of another kind', { version: 'v1', rules: [{ allow: 'x' }] }],
  [
    'a deny rule that cannot be read',
    {
      version: 'v1',
      rules: [
        { action: 'deny', hosts: ['a b'] },
        { action: 'allow', hosts: ['*.x.com'] },
      ],
    },
  ],
])('%s as a stored policy is refused, never read as open', (_name, policy) => {
  expect(() => compilePolicy(policy as NetworkPolicy, {})).toThrow(expect.objectContaining({ code: 'network_policy_not_supported' }));
});

test('128 rules with 1,024 patterns decide in well under a tenth of a millisecond', () => {
  const policy = policyOf(Array.from({ length: 128 }, (_, n) => allow(Array.from({ length: 8 }, (_x, m) => `*.h${m}.r${n}.example.com`))));
  const compiled = compilePolicy(policy, {});
  const started = performance.now();
  for (let n = 0; n < 10_000; n += 1) decide(compiled, { host: 'a.b.c.h7.r127.example.com', port: 443 });
  expect((performance.now() - started) / 10_000).toBeLessThan(0.1);
});
