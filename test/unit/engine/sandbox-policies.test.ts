// The policies in force, over the real proxy in its thread; only the names and addresses behind it are a world of the test's own.
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../sandbox-engine/base/clock.ts';
import { createSandboxPolicies } from '../../../sandbox-engine/engine/sandbox-policies.ts';
import { connectGate, explicitProxy } from '../../egress/gate-client.ts';
import { buildWorld, type World } from '../../egress/world.ts';
import { openHere, temporaryFolder } from '../registry/temporary-folder.ts';

let world: World;
beforeAll(async () => {
  world = await buildWorld();
});
afterAll(async () => await world.close());

const rule = { action: 'allow' as const, hosts: ['plain.test'], ports: [80] };

const openOne = async (sandboxId: string) => {
  const registry = await openHere(await temporaryFolder());
  const policies = createSandboxPolicies({ registry, clock: systemClock, startProxy: () => world.proxy });
  const socketFolder = await temporaryFolder();
  const sandbox = {
    sandboxId,
    environmentId: 'env_1',
    socketFolder,
    policy: { version: 'v1' as const, rules: [] },
    presets: {},
    revision: 4,
  };
  onTestFinished(() => policies.close(sandboxId));
  const status = async () => {
    const connection = connectGate(socketFolder, explicitProxy);
    connection.send('GET http://plain.test/ HTTP/1.1\r\nHost: plain.test\r\nConnection: close\r\n\r\n');
    return (await connection.closed()).split(' ')[1];
  };
  return { registry, policies, sandbox, status };
};

test('grants open and close a running sandbox; what was granted before it opened is there from the first', async () => {
  const { registry, policies, sandbox, status } = await openOne('ses_grants');
  expect(await policies.applyGrants('ses_grants', [{ rule, until: null }])).toBe(false);
  await policies.open(sandbox);
  expect(await status()).toBe('403');
  expect(await policies.applyGrants('ses_grants', [{ rule, until: null }])).toBe(true);
  expect(await status()).toBe('200');
  expect(await policies.applyGrants('ses_grants', [])).toBe(true);
  expect(await status()).toBe('403');
  await registry.egressGrants.save({
    ...{ id: `grt_${'1'.repeat(26)}`, environment_id: 'env_1', session_id: 'ses_grants', destination: 'plain.test:80', rule },
    ...{ for: 'session', granted_at: systemClock.iso(), granted_by: 'ann', until: null, revoked_at: null, policy_revision: null },
  });
  await policies.open(sandbox);
  expect(await status()).toBe('200');
});

test('another policy takes the place of the first, and grants stay over it', async () => {
  const { policies, sandbox, status } = await openOne('ses_change');
  await policies.open(sandbox);
  const next = { policy: { version: 'v1' as const, rules: [rule] }, presets: {}, revision: 5 };
  expect(await policies.change('ses_change', next)).toEqual({ closed: 0 });
  expect([await status(), policies.livePolicy('ses_change')?.revision]).toEqual(['200', 5]);
  await policies.close('ses_change');
  expect([await policies.change('ses_change', next), policies.livePolicy('ses_change')]).toEqual([null, null]);
});
