// Warnings of a policy that is saved all the same. Source: NETWORK.md 1.7, K03, K16.
import { expect, test } from 'vitest';
import { checkPolicy } from '../../../sandbox-engine/egress/check-policy.ts';

type Rule = Record<string, unknown>;

const allow = (hosts: string[], extra: Rule = {}): Rule => ({ action: 'allow', hosts, ...extra });
const deny = (hosts: string[], extra: Rule = {}): Rule => ({ action: 'deny', hosts, ...extra });

const warningsOf = (...rules: Rule[]): string[] => {
  const checked = checkPolicy({ version: 'v1', rules });
  if (!checked.ok) throw new Error(JSON.stringify(checked.errors));
  return checked.warnings.map(({ code, path }) => `${code} ${path}`);
};

test.each<[string, Rule[], string[]]>([
  ['an ordinary host', [allow(['x.com'])], []],
  ['an ordinary wildcard', [allow(['*.x.com'])], []],
  ['no rules', [], []],
  // never reached
  ['deny after the allow that holds it', [allow(['*.x.com']), deny(['a.x.com'])], ['shadowed_rule /rules/1']],
  ['deny before it', [deny(['a.x.com']), allow(['*.x.com'])], []],
  ['deny of another host after', [allow(['*.x.com']), deny(['a.y.com'])], []],
  ['deny of the apex after', [allow(['*.x.com']), deny(['x.com'])], []],
  ['deny on a port that nothing opens', [allow(['*.x.com']), deny(['a.x.com'], { ports: [22] })], []],
  ['deny on one of the ports', [allow(['*.x.com'], { ports: [443] }), deny(['a.x.com'], { ports: [443] })], ['shadowed_rule /rules/1']],
  [
    'deny before an allow on another port',
    [allow(['a.x.com'], { ports: [443] }), deny(['a.x.com']), allow(['*.x.com'], { ports: [8443] })],
    [],
  ],
  ['deny alone', [deny(['a.x.com'])], []],
  ['the same host again', [allow(['x.com']), allow(['x.com'])], ['shadowed_rule /rules/1']],
  ['the same host on another port', [allow(['x.com']), allow(['x.com'], { ports: [8443] })], []],
  ['the same host on one more port', [allow(['x.com']), allow(['x.com'], { ports: [443, 8443] })], []],
  [
    'ports from two rules',
    [allow(['x.com'], { ports: [443] }), allow(['x.com'], { ports: [8443] }), allow(['x.com'], { ports: [443, 8443] })],
    ['shadowed_rule /rules/2'],
  ],
  ['a narrower wildcard', [allow(['*.x.com']), allow(['*.a.x.com'])], ['shadowed_rule /rules/1']],
  ['a wider wildcard', [allow(['*.a.x.com']), allow(['*.x.com'])], []],
  ['an allow behind a deny of all of it', [deny(['*.x.com']), allow(['a.x.com', 'b.x.com'])], ['shadowed_rule /rules/1']],
  ['an allow behind a deny of some of it', [deny(['a.x.com']), allow(['a.x.com', 'b.x.com'])], ['redundant_host /rules/1/hosts/0']],
  [
    'tcp behind auto',
    [allow(['x.com'], { ports: [22] }), allow(['x.com'], { ports: [22], protocol: 'tcp' })],
    ['shadowed_rule /rules/1', 'uninspected_tcp /rules/1/protocol'],
  ],
  ['an address never hides in a wildcard', [allow(['*.x.com']), allow(['20.0.0.9'], { ports: [443] })], []],
  // twice
  ['twice in one rule', [allow(['x.com', 'X.com.'])], ['redundant_host /rules/0/hosts/1']],
  ['a name under a wildcard before it', [allow(['*.x.com', 'a.x.com'])], ['redundant_host /rules/0/hosts/1']],
  ['the apex beside the wildcard', [allow(['*.x.com', 'x.com'])], []],
  ['one host of two again', [allow(['x.com']), allow(['x.com', 'y.com'])], ['redundant_host /rules/1/hosts/0']],
  // shared
  ['*.github.io', [allow(['*.github.io'])], ['wildcard_shared_suffix /rules/0/hosts/0']],
  ['*.vercel.app', [allow(['*.vercel.app'])], ['wildcard_shared_suffix /rules/0/hosts/0']],
  ['*.workers.dev', [allow(['*.workers.dev'])], ['wildcard_shared_suffix /rules/0/hosts/0']],
  ['*.cloudfront.net', [allow(['*.cloudfront.net'])], ['wildcard_shared_suffix /rules/0/hosts/0']],
  ['*.azurewebsites.net', [allow(['*.azurewebsites.net'])], ['wildcard_shared_suffix /rules/0/hosts/0']],
  ['one site below it', [allow(['*.me.github.io'])], []],
  ['*.amazonaws.com', [allow(['*.amazonaws.com'])], ['wildcard_shared_suffix /rules/0/hosts/0', 'upload_capable /rules/0/hosts/0']],
  ['*.googleapis.com', [allow(['*.googleapis.com'])], ['wildcard_shared_suffix /rules/0/hosts/0', 'upload_capable /rules/0/hosts/0']],
  ['a store that all share', [allow(['storage.googleapis.com'])], ['shared_host /rules/0/hosts/0', 'upload_capable /rules/0/hosts/0']],
  ['a regional store', [allow(['s3.eu-west-1.amazonaws.com'])], ['shared_host /rules/0/hosts/0', 'upload_capable /rules/0/hosts/0']],
  ['to deny what many share', [deny(['*.github.io', 'storage.googleapis.com'])], []],
  // ways out
  ['a code host', [allow(['github.com'])], ['upload_capable /rules/0/hosts/0']],
  ['all of a code host', [allow(['*.github.com'])], ['upload_capable /rules/0/hosts/0']],
  [
    'a preset of a code host',
    [{ action: 'allow', presets: ['gitlab', 'github'] }],
    ['upload_capable /rules/0/presets/0', 'upload_capable /rules/0/presets/1'],
  ],
  // how
  ['port 80 said aloud', [allow(['x.com'], { ports: [443, 80] })], ['plain_http /rules/0/ports/1']],
  ['tcp', [allow(['x.com'], { ports: [80], protocol: 'tcp' })], ['uninspected_tcp /rules/0/protocol']],
  ['private', [allow(['x.com'], { allow_private: true })], ['private_allowed /rules/0/allow_private']],
  ['not private', [allow(['x.com'], { allow_private: false })], []],
])('%s', (_name, rules, expected) => {
  expect(warningsOf(...rules)).toEqual(expected);
});

test('a shadowed rule names the rules that decide in its place', () => {
  const checked = checkPolicy({ version: 'v1', rules: [allow(['a.x.com']), allow(['b.x.com']), allow(['a.x.com', 'b.x.com'])] });
  expect(checked.ok && checked.warnings.map(({ message }) => message)).toEqual([
    'Rule 3 is never reached: rule 1 and rule 2 come first and decide.',
  ]);
});

test('the largest policy is checked in well under a second', () => {
  const rules = Array.from({ length: 128 }, (_, n) => (n % 2 ? allow : deny)(Array.from({ length: 8 }, (_x, m) => `h${m}.r${n}.x.com`)));
  const started = performance.now();
  expect(checkPolicy({ version: 'v1', rules })).toMatchObject({ ok: true });
  expect(performance.now() - started).toBeLessThan(1000);
});
