// What a policy says, through a real host: one destination, everything, a draft, by call and on the command line.
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RealHost, startRealHost } from '../../runtime/support/real-host.ts';
import { createHere } from './host-here.ts';
import { runSandlot } from './run-sandlot.ts';

const v1 = (...rules: unknown[]) => ({ version: 'v1', rules }) as never;
const allow = (hosts: unknown[], extra: object = {}) => ({ action: 'allow', hosts, ...extra });

let host: RealHost;
beforeAll(async () => {
  host = await startRealHost();
}, 60_000);
afterAll(async () => {
  await host.shutdown();
  await rm(host.folder, { recursive: true, force: true });
});

describe('asking', () => {
  const rules = v1({ action: 'deny', hosts: ['secret.example.com'] }, allow(['*.example.com']), {
    action: 'allow',
    presets: ['github', 'mcp-servers', 'npm'],
  });
  const mcp_servers = { docs: { url: 'https://mcp.test.io/v1' } };
  let id = '';
  beforeAll(async () => {
    ({ id } = await createHere(host, 'asked', { network_policy: rules, mcp_servers }));
  });

  test.each([
    ['https://www.example.com', 'allowed', 1],
    ['https://secret.example.com', 'denied_by_rule', 0],
    ['https://api.github.com', 'allowed', 2],
    ['https://mcp.test.io', 'allowed', 2],
    ['https://example.com', 'no_rule', null],
    ['127.0.0.1:22', 'special_address', null],
    ['nonsense//', 'special_address', null],
    ['a b', 'malformed_request', null],
  ])('%s is %s', async (destination, reason, rule) => {
    expect(await host.call('egress.test', { environment_id: id, destination })).toMatchObject({ reason, rule });
  });

  test('a host that a preset may cover, which was not resolved yet, is said to be blocked for now only', async () => {
    const said = await host.call('egress.test', { environment_id: id, destination: 'https://example.com' });
    expect([said.open_presets, said.sentence]).toEqual([['npm'], expect.stringContaining('The preset npm is not resolved yet')]);
    const denied = await host.call('egress.test', { environment_id: id, destination: 'https://secret.example.com' });
    expect([denied.open_presets, denied.sentence]).toEqual([[], expect.not.stringContaining('resolved')]);
  });

  test('a draft is asked about without being saved', async () => {
    const draft = { environment_id: id, network_policy: v1(allow(['draft.test.io'])) };
    expect(await host.call('egress.test', { ...draft, destination: 'draft.test.io' })).toMatchObject({ verdict: 'allowed', rule: 0 });
    expect(await host.call('egress.access', draft)).toMatchObject({ headline: '1 host', access: 'limited' });
    expect((await host.refusal('egress.access', { environment_id: id, network_policy: null })).details).toMatchObject({
      code: 'policy_shape',
    });
    expect((await host.call('egress.access', { environment_id: id })).headline).toBe('8 hosts and 1 wildcard');
  });

  test('effective access names presets that were not resolved yet, and follows the servers of the environment', async () => {
    const before = await host.call('egress.access', { environment_id: id });
    expect(before.presets.map((preset) => [preset.id, preset.state, preset.hosts])).toEqual([
      ['github', 'current', 7],
      ['mcp-servers', 'current', 1],
      ['npm', 'unresolved', 0],
    ]);
    const { revision } = await host.call('environments.update', {
      environment_id: id,
      patch: { mcp_servers: { other: { url: 'http://two.test.io:8931' } } },
    });
    const after = await host.call('egress.access', { environment_id: id });
    expect([after.revision, after.rows.at(-1)]).toMatchObject([
      revision,
      { host: 'two.test.io', ports: [{ port: 8931 }], from: 'MCP server "other"' },
    ]);
  });

  test('a draft is checked whole: its one spelling and warnings, or every problem', async () => {
    expect(await host.call('egress.check', { network_policy: v1(allow(['GitHub.com'])) })).toEqual({
      policy: { version: 'v1', rules: [allow(['github.com'])] },
      errors: [],
      warnings: [
        {
          code: 'upload_capable',
          path: '/rules/0/hosts/0',
          message: 'Data can be sent away through github.com: access is per host, not per action.',
        },
      ],
    });
    expect(await host.call('egress.check', { network_policy: v1(allow(['münchen.example'])) })).toMatchObject({
      policy: null,
      errors: [{ code: 'host_not_ascii', path: '/rules/0/hosts/0', suggestion: 'xn--mnchen-3ya.example' }],
      warnings: [],
    });
    expect((await host.refusal('egress.check', {} as never)).message).toContain('/network_policy is missing; give a value');
  });

  test('an environment that is not there', async () => {
    const environment_id = `env_${'0'.repeat(26)}`;
    expect((await host.refusal('egress.test', { environment_id, destination: 'x.com' })).code).toBe('not_found');
    expect((await host.refusal('egress.access', { environment_id })).code).toBe('not_found');
  });

  test('on the command line: the verdict decides the exit code', { timeout: 60_000 }, async () => {
    const allowed = await runSandlot(host.folder, ['egress', 'test', 'asked', 'https://www.example.com/x']);
    expect([allowed.code, allowed.stdout]).toEqual([
      0,
      expect.stringContaining('www.example.com:443 is allowed by rule 2 ("*.example.com").'),
    ]);
    const blocked = await runSandlot(host.folder, ['egress', 'test', 'asked', 'https://secret.example.com', '-o', 'json']);
    expect([blocked.code, JSON.parse(blocked.stdout)]).toMatchObject([
      1,
      {
        verdict: 'blocked',
        reason: 'denied_by_rule',
        rule: 0,
        insert_at: 0,
        how_to_allow: { hosts: ['secret.example.com'], ports: [443] },
      },
    ]);
    const access = await runSandlot(host.folder, ['egress', 'access', 'asked']);
    expect([access.code, access.stdout]).toEqual([
      0,
      expect.stringMatching(/\*\.example\.com +443, 80 +TLS name, HTTP name +rule 2 .*cut by rule 1/),
    ]);
  });
});
