// What is said about a destination, and the narrowest rule that allows it. Source: NETWORK.md 1.7, 1.10.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type EgressReason, type NetworkPolicy, type NetworkRule, reasonCodes } from '../../../sandbox-engine/contract/model.ts';
import { checkPolicy } from '../../../sandbox-engine/egress/check-policy.ts';
import { explain } from '../../../sandbox-engine/egress/explain.ts';
import { compilePolicy, decide } from '../../../sandbox-engine/egress/policy.ts';
import { builtInPresets } from '../../../sandbox-engine/egress/presets.ts';

const rules: NetworkRule[] = [
  { action: 'deny', hosts: ['secret.example.com'] },
  { action: 'allow', hosts: ['*.example.com'] },
  { action: 'allow', hosts: ['git.test.io'], ports: [22], protocol: 'tcp' },
  { action: 'allow', presets: ['github'] },
  { action: 'allow', hosts: ['corp.test.io'], ports: [8443] },
];
const compiled = compilePolicy({ version: 'v1', rules }, builtInPresets());

describe('what is asked', () => {
  test.each<[string, string]>([
    ['https://www.example.com/a?b#c', 'www.example.com:443'],
    ['http://www.example.com', 'www.example.com:80'],
    ['wss://www.example.com:8443/x', 'www.example.com:8443'],
    ['HTTPS://WWW.Example.com.', 'www.example.com:443'],
    ['ssh://git.test.io/me/it.git', 'git.test.io:22'],
    ['git.test.io:22', 'git.test.io:22'],
    ['www.example.com', 'www.example.com:443'],
    ['www.example.com/path', 'www.example.com:443'],
    ['  www.example.com\n', 'www.example.com:443'],
    ['[2606:4700::1111]:443', '[2606:4700::1111]:443'],
    ['https://[2606:4700:0::1111]', '[2606:4700::1111]:443'],
  ])('%j is %s', (asked, destination) => {
    expect(explain(compiled, asked).destination).toBe(destination);
  });

  test.each([
    [''],
    ['https://'],
    ['https://u:p@www.example.com'],
    ['https://www.example.com:0443'],
    ['https://www.example.com:+443'],
    ['https://www.example.com:443:80'],
    ['https://münchen.example'],
    ['https://127.1'],
    ['http://2130706433/'],
    ['https://a..example.com'],
    ['https://*.example.com'],
    ['gopher://www.example.com'],
    ['www.example.com evil.test'],
    ['www.example.com\u0000.evil.test'],
  ])('%j is no destination and is never allowed', (asked) => {
    const { verdict, reason, host, port, how_to_allow } = explain(compiled, asked);
    expect([verdict, reason, host, port, how_to_allow]).toEqual(['blocked', 'malformed_request', null, null, null]);
  });

  test('control characters of the question do not come back', () => {
    expect(explain(compiled, 'x\r\nSet-Cookie: a\u001b[31m').sentence).toMatch(/^[\x20-\x7e]*$/);
  });
});

test.each<[string, EgressReason, number | null, string]>([
  ['https://www.example.com', 'allowed', 1, 'www.example.com:443 is allowed by rule 2 ("*.example.com").'],
  ['git.test.io:22', 'allowed', 2, 'git.test.io:22 is allowed by rule 3 ("git.test.io"). The bytes are not looked at.'],
  ['https://api.github.com', 'allowed', 3, 'api.github.com:443 is allowed by rule 4 (preset github, "api.github.com").'],
  ['https://secret.example.com', 'denied_by_rule', 0, 'The sandbox policy blocked secret.example.com:443: rule 1 denies it.'],
  ['https://example.com', 'no_rule', null, 'The sandbox policy blocked example.com:443: no rule names this host.'],
  [
    'https://www.example.com:8443',
    'port_not_allowed',
    null,
    'The sandbox policy blocked www.example.com:8443: rule 2 allows this host on ports 80 and 443 only.',
  ],
  ['corp.test.io:443', 'port_not_allowed', null, 'The sandbox policy blocked corp.test.io:443: rule 5 allows this host on port 8443 only.'],
  [
    '1.1.1.1',
    'ip_literal',
    null,
    'The sandbox policy blocked 1.1.1.1:443: no rule names this address, and an address says no name that a rule could match.',
  ],
  ['10.0.0.5:5432', 'private_address', null, 'The sandbox policy blocked 10.0.0.5:5432: it is a private address, which no rule allows.'],
  ['db:5432', 'special_address', null, 'The sandbox policy blocked db:5432: a name without a domain is never looked up.'],
  [
    '169.254.169.254:80',
    'special_address',
    null,
    'The sandbox policy blocked 169.254.169.254:80: it is an address that no rule can allow.',
  ],
])('%s is %s', (asked, reason, rule, sentence) => {
  expect(explain(compiled, asked)).toMatchObject({ reason, rule, sentence });
});

test.each([
  ['172.17.0.1:18180', 'special_address', null],
  ['10.89.0.1:18180', 'special_address', null],
  // This computer's address in its own network, where a rule helps.
  ['192.168.7.2:18180', 'private_address', { action: 'allow', hosts: ['192.168.7.2'], ports: [18_180], allow_private: true }],
  ['192.168.7.2:7070', 'special_address', null],
])('of this computer, %s is %s, also before any rule names it, and where one does', (asked, reason, rule) => {
  const own = () => ({ interfaces: ['192.168.7.2', '172.17.0.1'], gateways: ['172.17.0.1', '10.89.0.1'], ownPorts: [7070] });
  expect(explain(compilePolicy({ version: 'v1', rules }, {}, own), asked)).toMatchObject({ reason, how_to_allow: rule });
  const named: NetworkRule = { action: 'allow', hosts: [asked.split(':')[0]!], ports: [18_180, 7070], allow_private: true };
  expect(explain(compilePolicy({ version: 'v1', rules: [named] }, {}, own), asked).how_to_allow).toBeNull();
});

describe('the rule to add', () => {
  test.each<[string, EgressReason | undefined, NetworkRule | null, number | null]>([
    ['https://example.com', undefined, { action: 'allow', hosts: ['example.com'], ports: [443] }, 5],
    ['http://example.com', undefined, { action: 'allow', hosts: ['example.com'], ports: [80] }, 5],
    ['https://secret.example.com', undefined, { action: 'allow', hosts: ['secret.example.com'], ports: [443] }, 0],
    ['ssh://other.test.io', undefined, { action: 'allow', hosts: ['other.test.io'], ports: [22], protocol: 'tcp' }, 5],
    ['https://www.example.com:8443', undefined, { action: 'allow', hosts: ['www.example.com'], ports: [8443] }, 5],
    ['20.0.0.9:8443', undefined, { action: 'allow', hosts: ['20.0.0.9'], ports: [8443] }, 5],
    ['10.0.0.5:5432', undefined, { action: 'allow', hosts: ['10.0.0.5'], ports: [5432], protocol: 'tcp', allow_private: true }, 5],
    ['corp.test.io:8443', 'private_address', { action: 'allow', hosts: ['corp.test.io'], ports: [8443], allow_private: true }, 4],
    ['corp.test.io:8443', 'not_recognised', { action: 'allow', hosts: ['corp.test.io'], ports: [8443], protocol: 'tcp' }, 4],
    ['https://www.example.com', 'no_sni', null, null],
    ['https://www.example.com', 'ech', null, null],
    ['https://www.example.com', 'special_address', null, null],
    ['https://www.example.com', 'resolve_failed', null, null],
    ['https://example.com', 'special_address', null, null],
    ['https://secret.example.com', 'special_address', null, null],
    ['https://example.com', 'resolve_failed', null, null],
    ['https://example.com', 'upstream_failed', { action: 'allow', hosts: ['example.com'], ports: [443] }, 5],
    ['https://example.com', 'private_address', { action: 'allow', hosts: ['example.com'], ports: [443], allow_private: true }, 5],
    ['https://secret.example.com', 'not_recognised', { action: 'allow', hosts: ['secret.example.com'], ports: [443], protocol: 'tcp' }, 0],
    ['https://www.example.com', undefined, null, null],
    ['127.0.0.1:22', undefined, null, null],
    ['localhost:22', undefined, null, null],
    ['nonsense::', undefined, null, null],
  ])('%s, seen %s', (asked, seen, how_to_allow, insert_at) => {
    expect(explain(compiled, asked, seen)).toMatchObject({ how_to_allow, insert_at });
  });

  test('can be saved, allows exactly what was asked, and never holds a wildcard', () => {
    const name = fc.constantFrom(
      'a.example.com',
      'example.com',
      'b.test.io',
      'secret.example.com',
      '20.0.0.9',
      '10.0.0.5',
      '[2606:4700::1111]',
      'github.com',
    );
    const rule: fc.Arbitrary<NetworkRule> = fc.record({
      action: fc.constantFrom('allow' as const, 'deny' as const),
      hosts: fc.array(fc.oneof(name, fc.constantFrom('*.example.com', '*.test.io')), { minLength: 1, maxLength: 3 }),
      ports: fc.uniqueArray(fc.constantFrom(22, 80, 443), { minLength: 1, maxLength: 2 }),
    });
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 5 }), name, fc.constantFrom(22, 80, 443, 5432, 9000), (list, host, port) => {
        const said = explain(compilePolicy({ version: 'v1', rules: list }, {}), { host, port });
        expect(said.verdict === 'blocked').toBe(said.how_to_allow !== null);
        if (said.how_to_allow === null || said.insert_at === null) return;
        expect([said.how_to_allow.hosts, said.how_to_allow.ports]).toEqual([[host], [port]]);
        const opened = [...list];
        opened.splice(said.insert_at, 0, said.how_to_allow);
        expect(checkPolicy({ version: 'v1', rules: [said.how_to_allow] }).ok).toBe(true);
        expect(decide(compilePolicy({ version: 'v1', rules: opened }, {}), { host, port })).toMatchObject({
          verdict: 'allowed',
          rule: said.insert_at,
        });
      }),
      { numRuns: 1000 },
    );
  });
});

test('every reason that a connection can show has a sentence of its own; the policy is named where it decided, and not where the network failed', () => {
  const seen = reasonCodes.filter((reason) => reason !== 'allowed' && reason !== 'malformed_request');
  const sentences = seen.map((reason) => explain(compiled, { host: 'www.example.com', port: 443 }, reason).sentence);
  expect(sentences.filter((sentence) => !/^The sandbox policy blocked www\.example\.com:443: .+\.$/.test(sentence))).toEqual([
    'www.example.com:443 was not found: the name could not be looked up. The policy does not stand in its way.',
    'www.example.com:443 could not be reached. The policy does not stand in its way.',
  ]);
  expect(new Set(sentences).size).toBe(seen.length);
});

test.each<[string, EgressReason | undefined, RegExp | undefined]>([
  ['https://www.example.com', 'special_address', /inside the sandbox.*"allow_private": true/],
  ['127.0.0.1:22', undefined, /inside the sandbox.*"allow_private": true/],
  ['db:5432', undefined, /with its domain/],
  ['https://www.example.com', 'resolve_failed', /spelling/],
  ['https://www.example.com', 'upstream_failed', /is up/],
  ['https://example.com', undefined, undefined],
  ['https://www.example.com', undefined, undefined],
])('where no rule helps, it is said what to do instead: %s, seen %s', (asked, seen, instead) => {
  const said = explain(compiled, asked, seen);
  if (instead === undefined) expect(said).not.toHaveProperty('instead');
  else expect([said.how_to_allow, said.instead]).toEqual([null, expect.stringMatching(instead)]);
});

test('unrestricted access is said to be that, and the floor stays', () => {
  const open = compilePolicy({} as NetworkPolicy, {});
  expect(explain(open, 'https://example.com').sentence).toBe('example.com:443 is allowed: this environment has unrestricted access.');
  expect(explain(open, '127.0.0.1:22')).toMatchObject({ verdict: 'blocked', reason: 'special_address', how_to_allow: null });
});
