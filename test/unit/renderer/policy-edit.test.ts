// Edits of a network policy on the page, and where a problem stands in its JSON.
import { expect, test } from 'vitest';
import { placeOfPointer } from '../../../renderer/src/environment/pointer-places.ts';
import {
  byEntry,
  insertRule,
  missingApex,
  moveRule,
  opensNothing,
  policyOf,
  readPolicyText,
  rulesRefusal,
  tidyRule,
  withoutUnnamed,
} from '../../../renderer/src/environment/policy-edit.ts';
import type { NetworkPolicy, NetworkRule } from '../../../sandbox-engine/contract/model.ts';

const allow = (...hosts: string[]): NetworkRule => ({ action: 'allow', hosts });

test('a policy opens nothing without an allow rule, and something with one or when it is unrestricted', () => {
  const policies: NetworkPolicy[] = [policyOf([]), policyOf([{ action: 'deny', hosts: ['a'] }]), policyOf([allow('a')]), {}];
  expect(policies.map(opensNothing)).toEqual([true, true, false, false]);
});

test('a rule moves to the place it is put down at, and one is added before the place that decides', () => {
  const rules = [allow('a'), allow('b'), allow('c')];
  const names = (list: NetworkRule[]) => list.map(({ hosts }) => hosts?.join()).join(' ');
  expect([names(moveRule(rules, 0, 2)), names(moveRule(rules, 2, 0)), names(moveRule(rules, 5, 0))]).toEqual(['b c a', 'c a b', 'a b c']);
  expect(names(insertRule(rules, allow('x'), 1))).toBe('a x b c');
});

test('a rule says only what differs from the default, and a deny rule nothing that only an allow rule can say', () => {
  const full: NetworkRule = {
    ...{ action: 'allow', hosts: ['a.example'], presets: ['github'], ports: [22] },
    ...{ protocol: 'tcp', allow_private: true, note: 'why' },
  };
  expect(tidyRule(full)).toEqual(full);
  expect(tidyRule({ ...full, action: 'deny' })).toEqual({ action: 'deny', hosts: ['a.example'], ports: [22], note: 'why' });
  expect(tidyRule({ action: 'allow', hosts: [], presets: [], ports: [], protocol: 'auto', allow_private: false, note: '' })).toEqual({
    action: 'allow',
  });
});

test('a problem belongs to the entry that its pointer names, not to another rule that begins alike', () => {
  const placed = ['/rules/1/hosts/0', '/rules/1/hosts/12', '/rules/1/hosts', '/rules/10/hosts/3'].map((path) => ({ path, message: path }));
  expect([...byEntry(placed, '/rules/1/hosts').keys()]).toEqual([0, 12]);
});

test.each([
  [['*.a.example'], ['a.example']],
  [['*.a.example', 'a.example'], []],
  [['*.com'], []],
  [['a.example'], []],
])('for %j the domain itself that is missing is %j', (hosts, missing) => {
  expect(missingApex(hosts)).toEqual(missing);
});

test.each(['{}', '{"version":"v1","rules":[]}', '{"version":"v2","rules":[{"hosts":1}]}'])('%s has the form of a policy', (text) => {
  expect(readPolicyText(text)).toEqual({ policy: JSON.parse(text) });
});

test.each(['', '[]', 'null', '{"version":"v1"}', '{"rules":{}}', '{"rules":[1]}', '{"rules":[null]}', '{'])(
  '%s is no policy yet',
  (text) => {
    expect(readPolicyText(text)).toHaveProperty('problem');
  },
);

const text = `{
  "version": "v1",
  "rules": [
    { "action": "allow", "hosts": ["a\\"]b", "two"] },
    {
      "note/x": "é",
      "hosts": [
        "three"
      ]
    }
  ]
}`;

test.each([
  ['', '1:1'],
  ['/version', '2:14'],
  ['/rules/0/hosts/1', '4:45'],
  ['/rules/1/hosts/0', '8:9'],
  ['/rules/1/note~1x', '6:17'],
  ['/rules/1/hosts/7', '7:16'],
  ['/rules/9', '3:12'],
  ['/nothing', '1:1'],
])('the pointer "%s" stands at %s', (pointer, place) => {
  const { line, column } = placeOfPointer(text, pointer);
  expect(`${line}:${column}`).toBe(place);
});

test('a text that ends early still has the places before its end', () => {
  expect(placeOfPointer('{"rules": [{"hosts": ["a", ', '/rules/0/hosts/0')).toEqual({ line: 1, column: 23 });
  expect(placeOfPointer('nonsense {', '/rules/0')).toEqual({ line: 1, column: 1 });
});

test('only rules at the end that name nothing are left out', () => {
  const named: NetworkRule = { action: 'allow', hosts: ['a.example'] };
  const unnamed: NetworkRule = { action: 'allow' };
  expect(withoutUnnamed(policyOf([unnamed, named, unnamed, unnamed]))).toEqual(policyOf([unnamed, named]));
  expect([withoutUnnamed({}), withoutUnnamed(policyOf([named])), withoutUnnamed(policyOf([unnamed]))]).toEqual([
    {},
    policyOf([named]),
    policyOf([]),
  ]);
});

test.each([
  [[], null],
  [[{ path: '/rules', code: 'shape_invalid' }], null],
  [[{ path: '/rules/0', code: 'rule_empty' }], 'Not saved: no host is named in rule 1.'],
  [
    [
      { path: '/rules/0', code: 'rule_empty' },
      { path: '/network_policy/rules/2/hosts/1', code: 'host_invalid' },
    ],
    'Not saved: something is wrong in rules 1, 3.',
  ],
])('a refusal with %j is said as %s', (problems, title) => {
  expect(rulesRefusal({ details: { problems } })?.title ?? null).toBe(title);
});
