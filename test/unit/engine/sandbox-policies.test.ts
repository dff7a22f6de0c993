// The policies in force, over the real proxy in its thread; only the names and addresses behind it are a world of the test's own.
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Clock, systemClock } from '../../../sandbox-engine/base/clock.ts';
import type { EgressGrant } from '../../../sandbox-engine/contract/model.ts';
import { createGrantTimes } from '../../../sandbox-engine/engine/grant-times.ts';
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

const openOne = async (sandboxId: string, clock: Clock = systemClock) => {
  const registry = await openHere(await temporaryFolder());
  const policies = createSandboxPolicies({ registry, grantTimes: createGrantTimes(clock), startProxy: () => world.proxy });
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

const given = (number: number, fields: Partial<EgressGrant> = {}): EgressGrant => ({
  ...{ id: `grt_${String(number).repeat(26)}`, environment_id: 'env_1', session_id: null, destination: 'plain.test:80', rule, for: '15m' },
  ...{ granted_at: systemClock.iso(), granted_by: 'ann', until: null, revoked_at: null, policy_revision: null },
  ...fields,
});

test('grants open and close a running sandbox; what was granted before it opened is there from the first', async () => {
  const { registry, policies, sandbox, status } = await openOne('ses_grants');
  const grant = given(1, { session_id: 'ses_grants', for: 'session' });
  await registry.egressGrants.save(grant);
  expect(await policies.applyGrants('ses_grants')).toBe(false);
  await registry.egressGrants.save({ ...grant, revoked_at: systemClock.iso() });
  await policies.open(sandbox);
  expect(await status()).toBe('403');
  await registry.egressGrants.save(grant);
  expect(await policies.applyGrants('ses_grants')).toBe(true);
  expect(await status()).toBe('200');
  await registry.egressGrants.save({ ...grant, revoked_at: systemClock.iso() });
  expect(await policies.applyGrants('ses_grants')).toBe(true);
  expect(await status()).toBe('403');
  await registry.egressGrants.save(grant);
  await policies.open(sandbox);
  expect(await status()).toBe('200');
});

test('a sandbox that another environment gets has none of the grants of the first, also not when one of them is taken back', async () => {
  const { registry, policies, sandbox, status } = await openOne('ses_moved');
  await registry.egressGrants.save(given(1));
  await registry.egressGrants.save(given(2, { session_id: 'ses_moved', for: 'session' }));
  await policies.open(sandbox);
  expect(await status()).toBe('200');
  await policies.change('ses_moved', { environmentId: 'env_2', revision: 1 });
  expect([await status(), policies.livePolicy('ses_moved')?.grants]).toEqual(['403', []]);
  await policies.applyGrants('ses_moved');
  expect(await status()).toBe('403');
  await policies.change('ses_moved', { environmentId: 'env_1', revision: 4 });
  expect(await status()).toBe('200');
});

test('a grant that is taken back while grants are being read is not in force after', async () => {
  const { registry, policies, sandbox, status } = await openOne('ses_race');
  await registry.egressGrants.save(given(1));
  const { list } = registry.egressGrants;
  const held = { tellRead: (): void => undefined, goOn: (): void => undefined };
  const isRead = new Promise<void>((resolve) => Object.assign(held, { tellRead: resolve }));
  const mayGoOn = new Promise<void>((resolve) => Object.assign(held, { goOn: resolve }));
  let isFirst = true;
  registry.egressGrants.list = async (of) => {
    const found = await list(of);
    if (!isFirst) return found;
    isFirst = false;
    held.tellRead();
    await mayGoOn;
    return found;
  };
  const opening = policies.open(sandbox);
  await isRead;
  await registry.egressGrants.save(given(1, { revoked_at: systemClock.iso() }));
  const taken = policies.applyGrants('ses_race');
  held.goOn();
  await Promise.all([opening, taken]);
  expect(await status()).toBe('403');
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

test('while one sandbox takes the place of another, only what both policies allow passes', async () => {
  const { policies, sandbox, status } = await openOne('ses_both');
  const closed = { version: 'v1' as const, rules: [] };
  const open = { version: 'v1' as const, rules: [rule] };
  await policies.open(sandbox);
  await policies.change('ses_both', { policy: open, within: { policy: closed, presets: {} } });
  expect(await status()).toBe('403');
  await policies.change('ses_both', { policy: open, within: { policy: open, presets: {} } });
  expect(await status()).toBe('200');
  await policies.change('ses_both', { policy: closed });
  expect(await status()).toBe('403');
  await policies.change('ses_both', { policy: open, within: null });
  expect(await status()).toBe('200');
});

test('a grant for a while ends by the time that has passed, also when the clock is set back', async () => {
  let [passed, jumped] = [0, 0];
  const now = () => systemClock.now() + passed + jumped;
  const clock = { now, iso: () => new Date(now()).toISOString(), monotonic: () => systemClock.monotonic() + passed };
  const { registry, policies, sandbox, status } = await openOne('ses_clock', clock);
  await policies.open(sandbox);
  const until = new Date(now() + 900_000).toISOString();
  await registry.egressGrants.save(given(3, { session_id: 'ses_clock', granted_at: clock.iso(), until }));
  await policies.applyGrants('ses_clock');
  expect(await status()).toBe('200');
  passed = 901_000;
  jumped = -3_600_000;
  await policies.applyGrants('ses_clock');
  expect(await status()).toBe('403');
  // What is granted under the clock that was set back opens as any other; the proxy's thread has the real one.
  const later = new Date(systemClock.now() + 900_000).toISOString();
  await registry.egressGrants.save(given(4, { session_id: 'ses_clock', granted_at: clock.iso(), until: later }));
  await policies.applyGrants('ses_clock');
  expect(await status()).toBe('200');
});
