import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { EgressGrant, KeptAttempt } from '../../../sandbox-engine/contract/model.ts';
import { openDatabase } from '../../../sandbox-engine/registry/database.ts';
import { createEgressLogStore } from '../../../sandbox-engine/registry/egress-log.ts';
import { openHere, temporaryFolder } from './temporary-folder.ts';

const environment = (digit: string) => `env_${digit.repeat(26)}`;
const session = (digit: string) => `ses_${digit.repeat(26)}`;
const run = (digit: string) => `run_${digit.repeat(26)}`;
const at = (second: number): string => new Date(Date.UTC(2026, 10, 29, 10) + second * 1_000).toISOString();

let made = 0;
const attempt = (fields: Partial<KeptAttempt> = {}): KeptAttempt => {
  made += 1;
  return {
    id: `att_${made}`,
    ...{ at: at(made), sandbox_id: session('1'), environment_id: environment('1'), session_id: session('1'), setup_run_id: null },
    ...{ host: 'a.example', port: 443, protocol: 'tls', mode: 'transparent', verdict: 'allowed', reason: 'allowed', rule: 0, detail: null },
    ...{ policy_revision: 3, bytes_sent: 10, bytes_received: 100, duration_ms: 5, count: 1, cause: null },
    ...fields,
  };
};

const ofRun = { sandbox_id: run('2'), session_id: null, setup_run_id: run('2') };

test('attempts come back whole, the newest first, page by page, while new ones come in', async () => {
  const { egressLog } = await openHere(await temporaryFolder());
  const first = attempt({ ...ofRun, cause: { kind: 'setup_line', line: 7 } });
  const [second, third] = [attempt({ host: null, port: null, rule: null, duration_ms: null, detail: 'odd' }), attempt()];
  await egressLog.save([first, second, third]);
  const page = await egressLog.list({ limit: 2 });
  expect(page.attempts).toEqual([third, second]);
  await egressLog.save([attempt()]);
  expect(await egressLog.list({ limit: 2, after: page.nextAfter ?? '' })).toEqual({ attempts: [first], nextAfter: null });
});

test('one that lasted is one line: its end takes the place of its beginning', async () => {
  const { egressLog } = await openHere(await temporaryFolder());
  const open = attempt({ bytes_received: 1, duration_ms: null });
  await egressLog.save([open, attempt({ host: 'later.example' })]);
  const over: KeptAttempt = { ...open, bytes_received: 5_000, duration_ms: 61_000, verdict: 'blocked', reason: 'policy_changed' };
  await egressLog.save([over]);
  const { attempts } = await egressLog.list({ limit: 10 });
  expect(attempts.map(({ host }) => host)).toEqual(['later.example', 'a.example']);
  expect(attempts[1]).toEqual(over);
});

test('filters hold together: environment, sandbox, verdict and a part of host and port', async () => {
  const { egressLog } = await openHere(await temporaryFolder());
  await egressLog.save([
    attempt({ host: 'one.example' }),
    attempt({ host: 'two.example', verdict: 'blocked', reason: 'no_rule', rule: null }),
    attempt({ host: 'two.example', port: 8443, ...ofRun }),
    attempt({ host: 'two.example', environment_id: environment('9'), sandbox_id: session('9'), session_id: session('9') }),
    attempt({ host: null, port: null, verdict: 'blocked', reason: 'malformed_request' }),
    attempt({ host: 'gone.example', verdict: 'blocked', reason: 'resolve_failed', rule: null }),
  ]);
  const found = async (filter: Parameters<typeof egressLog.tallies>[0]) =>
    (await egressLog.list({ ...filter, limit: 10 })).attempts.map(({ host, port, verdict }) => `${host}:${port} ${verdict}`).reverse();
  expect(await found({ environmentId: environment('1'), text: 'TWO.ex' })).toEqual(['two.example:443 blocked', 'two.example:8443 allowed']);
  expect(await found({ sandboxId: run('2') })).toEqual(['two.example:8443 allowed']);
  expect(await found({ text: ':8443' })).toEqual(['two.example:8443 allowed']);
  expect(await found({ verdict: 'blocked', environmentId: environment('1') })).toEqual(['two.example:443 blocked', 'null:null blocked']);
  expect(await found({ verdict: 'failed', environmentId: environment('1') })).toEqual(['gone.example:443 blocked']);
  expect(await found({ environmentId: environment('9') })).toEqual(['two.example:443 allowed']);
  expect(await found({ environmentId: environment('1'), sandboxId: session('9') })).toEqual([]);
});

test('a cursor that no page gave out is refused', async () => {
  const { egressLog } = await openHere(await temporaryFolder());
  await expect(egressLog.list({ limit: 1, after: '1; DROP' })).rejects.toMatchObject({
    code: 'invalid_request',
    details: { path: '/after' },
  });
});

const openSmall = async (caps: { environment: number; sandbox: number; destinations: number }) => {
  const folder = await temporaryFolder();
  await (await openHere(folder)).close();
  const database = await openDatabase(join(folder, 'registry.db'));
  onTestFinished(() => database.close());
  return { folder, store: createEgressLogStore(database, caps) };
};

test('beyond the cap the oldest are counted by destination, and none is lost from the sums', async () => {
  const { store } = await openSmall({ environment: 100, sandbox: 10, destinations: 5 });
  const batch = Array.from({ length: 12 }, (_, index) => attempt({ host: `h${index % 3}.example`, count: 2 }));
  await store.save(batch);
  expect((await store.list({ limit: 100 })).attempts.length).toBe(10);
  const filter = { environmentId: environment('1') };
  expect(await store.olderCount(filter)).toBe(4);
  const tallies = await store.tallies(filter);
  const all = tallies.filter(({ host }) => host === 'h0.example');
  expect(all.reduce((sum, { attempts }) => sum + attempts, 0)).toBe(8);
  expect(all.map(({ first_at }) => first_at).sort()[0]).toBe(batch[0]?.at);
});

test('destinations too are told apart only up to a number; the others are counted together', async () => {
  const { store } = await openSmall({ environment: 10, sandbox: 10, destinations: 5 });
  for (let round = 0; round < 20; round += 1) {
    await store.save(Array.from({ length: 12 }, (_, index) => attempt({ host: `r${round}-${index}.example` })));
  }
  const tallies = await store.tallies({ environmentId: environment('1') });
  expect(tallies.reduce((sum, { attempts }) => sum + attempts, 0)).toBe(240);
  expect(tallies.length).toBeLessThanOrEqual(11 + 6);
  const others = tallies.find(({ host }) => host === null);
  expect(others?.attempts).toBeGreaterThan(200);
});

test('a noisy sandbox does not push out what another one of its environment did', async () => {
  const { store } = await openSmall({ environment: 40, sandbox: 10, destinations: 50 });
  await store.save([attempt({ ...ofRun, host: 'quiet.example' })]);
  for (let round = 0; round < 20; round += 1) await store.save(Array.from({ length: 10 }, () => attempt()));
  expect((await store.list({ sandboxId: run('2'), limit: 5 })).attempts.map(({ host }) => host)).toEqual(['quiet.example']);
});

test('a million denied attempts at ever new destinations leave a small file', { timeout: 120_000 }, async () => {
  const { folder, store } = await openSmall({ environment: 10_000, sandbox: 4_000, destinations: 2_000 });
  const denied = { verdict: 'blocked', reason: 'no_rule', rule: null, count: 20, bytes_sent: 0, bytes_received: 0 } as const;
  for (let batch = 0; batch < 20; batch += 1) {
    await store.save(Array.from({ length: 2_500 }, (_, index) => attempt({ ...denied, host: `x${batch}-${index}.example` })));
  }
  const tallies = await store.tallies({ environmentId: environment('1') });
  expect(tallies.reduce((sum, { attempts }) => sum + attempts, 0)).toBe(1_000_000);
  expect(tallies.length).toBeLessThan(7_000);
  const size = (await stat(join(folder, 'registry.db'))).size;
  expect(size).toBeLessThan(16 * 1024 * 1024);
});

test('grants are kept with who and when, found by session and environment, and taken back', async () => {
  const { egressGrants, egressLog } = await openHere(await temporaryFolder());
  const grant = (id: string, fields: Partial<EgressGrant>): EgressGrant => ({
    id: `grt_${id.repeat(26)}`,
    ...{ environment_id: environment('1'), session_id: null, destination: 'a.example:443' },
    rule: { action: 'allow', hosts: ['a.example'], ports: [443] },
    ...{ for: '15m', granted_at: at(Number(id)), granted_by: 'ann', until: at(900), revoked_at: null, policy_revision: null },
    ...fields,
  });
  const [one, two] = [grant('1', { session_id: session('1') }), grant('2', {})];
  await egressGrants.save(one);
  await egressGrants.save(two);
  expect(await egressGrants.list({ environmentId: environment('1') })).toEqual([two, one]);
  await egressGrants.save({ ...one, revoked_at: at(5) });
  expect(await egressGrants.list({ sessionId: session('1') })).toEqual([{ ...one, revoked_at: at(5) }]);
  await egressLog.save([attempt()]);
  await egressLog.forget(environment('1'));
  expect([await egressGrants.find(two.id), (await egressLog.list({ limit: 1 })).attempts]).toEqual([null, []]);
});
