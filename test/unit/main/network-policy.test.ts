// A network policy through a real host: saving it, what is refused and where it stands, reading it from a file.
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RealHost, startRealHost } from '../../runtime/support/real-host.ts';
import { createHere } from './host-here.ts';

const v1 = (...rules: unknown[]) => ({ version: 'v1', rules }) as never;
const allow = (hosts: unknown[], extra: object = {}) => ({ action: 'allow', hosts, ...extra });
const json = (text: string): never => JSON.parse(text) as never;

let host: RealHost;
beforeAll(async () => {
  host = await startRealHost();
}, 60_000);
afterAll(async () => {
  await host.shutdown();
  await rm(host.folder, { recursive: true, force: true });
});

const refused = async (network_policy: unknown) => {
  const { code, details } = await host.refusal('environments.create', {
    body: { name: 'no', recipe_yaml: 'base: python\n', network_policy: network_policy as never },
  });
  const problems = (details['problems'] ?? []) as { code: string; path: string }[];
  return [code, details['path'], details['code'], problems.map((problem) => `${problem.code} ${problem.path}`)];
};

describe('saving', () => {
  test('nothing said is no access, and {} is unrestricted', async () => {
    const closed = await createHere(host, 'closed');
    const open = await createHere(host, 'open', { network_policy: {} });
    expect([closed.network_policy, open.network_policy]).toEqual([{ version: 'v1', rules: [] }, {}]);
  });

  test('rules are saved in one spelling, with what to know about them beside', async () => {
    const made = await createHere(host, 'rules', {
      network_policy: v1(allow(['*.Example.COM.']), { action: 'deny', hosts: ['a.example.com'] }),
    });
    expect(made.network_policy).toEqual({ version: 'v1', rules: [allow(['*.example.com']), { action: 'deny', hosts: ['a.example.com'] }] });
    expect(made.network_warnings).toEqual([
      { code: 'shadowed_rule', path: '/rules/1', message: 'Rule 2 is never reached: rule 1 comes first and decides.' },
    ]);
    const read = await host.call('environments.get', { environment_id: made.id });
    expect([read.network_policy, read.network_warnings]).toEqual([made.network_policy, made.network_warnings]);
  });

  test.each<[string, unknown, string[]]>([
    ['null', null, ['policy_shape /network_policy']],
    ['a list', [], ['policy_shape /network_policy']],
    ['a text', '', ['policy_shape /network_policy']],
    ['rules without a version', { rules: [] }, ['policy_shape /network_policy']],
    ['another version', { version: 'v2', rules: [] }, ['version_unsupported /network_policy/version']],
    [
      'a limited block, which only a file may hold',
      { type: 'limited', allowed_hosts: [] },
      ['unknown_field /network_policy/type', 'unknown_field /network_policy/allowed_hosts', 'policy_shape /network_policy'],
    ],
    [
      'several problems at once',
      v1(allow(['*', 'x.com:1']), { action: 'deny', hosts: ['x.com'], presets: ['github'] }),
      [
        'wildcard_all /network_policy/rules/0/hosts/0',
        'host_port /network_policy/rules/0/hosts/1',
        'deny_option /network_policy/rules/1/presets',
      ],
    ],
    [
      'a key __proto__',
      json('{"__proto__":{"version":"v1","rules":[]}}'),
      ['unknown_field /network_policy/__proto__', 'policy_shape /network_policy'],
    ],
    [
      '3,000 objects in each other',
      json(`${'{"a":'.repeat(3000)}1${'}'.repeat(3000)}`),
      ['unknown_field /network_policy/a', 'policy_shape /network_policy'],
    ],
    ['70 KiB', v1(allow(['x.com'], { note: 'x'.repeat(70 * 1024) })), ['limit_exceeded /network_policy']],
  ])('%s is refused with code and place', async (_name, policy, problems) => {
    const [code = '', path = ''] = (problems[0] ?? '').split(' ');
    expect(await refused(policy)).toEqual(['invalid_request', path, code, problems]);
  });

  test('privileged goes only with {}', async () => {
    const body = { name: 'p', recipe_yaml: 'base: python\n', privileged: true, network_policy: v1(allow(['x.com'])) };
    expect(await host.refusal('environments.create', { body })).toMatchObject({
      code: 'invalid_request',
      details: { path: '/privileged', code: 'privileged_conflict' },
    });
  });

  test('a change needs proof of the rules that were seen; closing an open one needs none', async () => {
    const made = await createHere(host, 'proof', { network_policy: v1(allow(['x.com'])) });
    const change = (network_policy: unknown, expected?: unknown) => ({
      environment_id: made.id,
      patch: {
        network_policy: network_policy as never,
        ...(expected === undefined ? {} : { expected_access: { network_policy: expected as never, privileged: false } }),
      },
    });
    expect((await host.refusal('environments.update', change(v1(allow(['y.com']))))).code).toBe('precondition_required');
    expect((await host.refusal('environments.update', change({}, v1()))).code).toBe('precondition_failed');
    expect((await host.refusal('environments.update', change(v1(allow(['*'])), v1(allow(['x.com']))))).details).toMatchObject({
      code: 'wildcard_all',
    });
    expect((await host.call('environments.update', change(v1(allow(['X.com.']))))).revision).toBe(made.revision);
    const opened = await host.call('environments.update', change({}, v1(allow(['x.com']))));
    expect([opened.network_policy, opened.revision]).toEqual([{}, made.revision + 1]);
    expect((await host.call('environments.update', change(v1(allow(['z.com']))))).network_policy).toEqual({
      version: 'v1',
      rules: [allow(['z.com'])],
    });
  });
});

describe('from a file', () => {
  const make = (contents: string) => host.call('environments.create_from_file', { contents, file_name: 'web.yml' });
  test('a problem has line and column', async () => {
    const contents =
      'base: python\nnetwork_policy:\n  version: v1\n  rules:\n    - action: allow\n      hosts:\n        - ok.com\n        - https://x.com/y\n      prots: [1]\n';
    const { code, message, details, next_action } = await host.refusal('environments.create_from_file', { contents, file_name: 'web.yml' });
    expect([code, details['line'], details['column'], details['path']]).toEqual([
      'invalid_request',
      9,
      14,
      '/network_policy/rules/0/prots',
    ]);
    expect(message).toBe(
      '9:14: Unknown field "prots" in rules[0]. Rules match hosts and ports only. Did you mean "ports"? 8:11: Use a host name only: "x.com", not "https://x.com/y".',
    );
    expect(next_action).toContain('ports');
  });

  test('the other documented forms are read, and a limited block is merged into what such a block had written', async () => {
    expect((await make('base: python\nnetwork_policy: {type: unrestricted}\n')).network_policy).toEqual({});
    const made = await make(
      'base: python\nnetwork_policy:\n  type: limited\n  allowed_hosts: [API.example.com]\n  allow_package_managers: true\n',
    );
    const managers = { action: 'allow', presets: ['package-registries'], note: 'From allow_package_managers' };
    expect(made.network_policy).toEqual({ version: 'v1', rules: [allow(['api.example.com']), managers] });
    const changed = await host.call('environments.update_from_file', {
      environment_id: made.id,
      contents: 'network_policy:\n  type: limited\n  allowed_hosts: [b.example.com]\n',
      expected_access: { network_policy: made.network_policy, privileged: false },
    });
    expect(changed.network_policy).toEqual({ version: 'v1', rules: [allow(['b.example.com']), managers] });
  });
});
