import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../../sandbox-engine/base/clock.ts';
import { bodyDigest } from '../../../sandbox-engine/base/idempotency.ts';
import type { Build, Exec, Pin, Session, SetupRun, Terminal } from '../../../sandbox-engine/contract/model.ts';
import { multiply } from '../../bench/multiply.ts';
import { exampleEnvironment } from './example-environment.ts';
import { openHere, temporaryFolder } from './temporary-folder.ts';

const every = { limit: 100, includeArchived: true };
const at = (second: number) => new Date(Date.UTC(2026, 10, 1) + second * 1000).toISOString();
const idOf = (prefix: string, number: number) => `${prefix}_${String(number).padStart(26, '0')}`;

test('slugs are made from names, unique, and stay after a rename', async () => {
  const { environments } = await openHere(await temporaryFolder());
  const names = ['team/web β #1', '..', '..', 'Café', 'cafe', 'cafe 2', 'CAFE', 'x'.repeat(256)];
  const slugs: string[] = [];
  for (const [index, name] of names.entries()) slugs.push((await environments.insert(exampleEnvironment(index, { name }))).slug);
  expect(slugs).toEqual(['team-web-1', 'environment', 'environment-2', 'cafe', 'cafe-2', 'cafe-2-2', 'cafe-3', 'x'.repeat(56)]);
  expect(new Set(slugs).size).toBe(names.length);
});

test('a stale revision is refused and saves nothing', async () => {
  const { environments } = await openHere(await temporaryFolder());
  const first = await environments.insert(exampleEnvironment(1));
  await environments.replace({ ...first, description: 'a', revision: 2 }, 1);
  await expect(environments.replace({ ...first, description: 'b', revision: 2 }, 1)).rejects.toMatchObject({ code: 'revision_conflict' });
  await expect(environments.replace(exampleEnvironment(2), 1)).rejects.toMatchObject({ code: 'not_found' });
  await expect(environments.insert(exampleEnvironment(1))).rejects.toMatchObject({ code: 'already_exists' });
  expect(await environments.find(first.id)).toMatchObject({ description: 'a', revision: 2 });
});

test('pages run newest first and an insert between two pages shifts none', async () => {
  const { environments } = await openHere(await temporaryFolder());
  for (const number of [1, 3, 2, 5, 4]) await environments.insert(exampleEnvironment(number));
  const first = await environments.list({ ...every, limit: 2 });
  await environments.insert(exampleEnvironment(6));
  const second = await environments.list({ ...every, limit: 2, ...(first.nextCursor === null ? {} : { cursor: first.nextCursor }) });
  const third = await environments.list({ ...every, limit: 2, ...(second.nextCursor === null ? {} : { cursor: second.nextCursor }) });
  const names = [first, second, third].map((page) => page.environments.map(({ name }) => name));
  expect(names).toEqual([['Example 5', 'Example 4'], ['Example 3', 'Example 2'], ['Example 1']]);
  expect([first.total, second.total, third.nextCursor]).toEqual([5, 6, null]);
  await expect(environments.list({ ...every, cursor: 'nonsense' })).rejects.toMatchObject({ code: 'invalid_request' });
});

test('the history of builds, runs and sessions is read page by page, of one environment or of all', async () => {
  const { history, builds, sessions } = await openHere(await temporaryFolder());
  const [one, other] = [idOf('env', 1), idOf('env', 2)];
  for (let number = 1; number <= 5; number += 1) {
    const shared = { environment_id: number === 3 ? other : one, created_at: at(number), runtime: 'docker' };
    await builds.save({ ...shared, id: idOf('bld', number), fingerprint: 'f', status: 'failed', image_id: null } as unknown as Build);
    await sessions.save({ ...shared, id: idOf('ses', number) } as unknown as Session);
  }
  const read = async (page: 'builds' | 'sessions', environmentId?: string) => {
    const found: number[][] = [];
    let cursor: string | undefined;
    do {
      const { items, nextCursor } = await history[page]({ environmentId, limit: 2, cursor });
      found.push(items.map(({ id }) => Number(id.slice(4))));
      cursor = nextCursor ?? undefined;
    } while (cursor !== undefined);
    return found;
  };
  expect([await read('builds', one), await read('sessions'), await read('builds', idOf('env', 9))]).toEqual([
    [
      [5, 4],
      [2, 1],
    ],
    [[5, 4], [3, 2], [1]],
    [[]],
  ]);
  expect((await history.setupRuns({ limit: 1 })).nextCursor).toBeNull();
  await expect(history.builds({ limit: 1, cursor: 'nonsense' })).rejects.toMatchObject({ code: 'invalid_request' });
});

test('search matches name and id in any case and script, and % and _ mean themselves', async () => {
  const { environments } = await openHere(await temporaryFolder());
  for (const [index, name] of ['ΟΔΟΣ Straße', '100% sure', 'a_b', 'azb'].entries())
    await environments.insert(exampleEnvironment(index, { name }));
  const found = async (search: string) => (await environments.list({ ...every, search })).environments.map(({ name }) => name);
  expect(await found('οδοσ')).toEqual(['ΟΔΟΣ Straße']);
  expect(await found('STRASSE')).toEqual(['ΟΔΟΣ Straße']);
  expect(await found('%')).toEqual(['100% sure']);
  expect(await found('A_B')).toEqual(['a_b']);
  expect(await found('ENV_00000000000000000000000003')).toEqual(['azb']);
  expect(await found('nothing')).toEqual([]);
});

test('metadata filters, archived and deleted ones are left out of list and total', async () => {
  const { environments } = await openHere(await temporaryFolder());
  const odd = JSON.parse('{"__proto__":"x"}') as Record<string, string>;
  await environments.insert(exampleEnvironment(1, { metadata: { team: 'a', tier: '1' } }));
  await environments.insert(exampleEnvironment(2, { metadata: { team: 'a' } }));
  await environments.insert({ ...exampleEnvironment(3, { metadata: odd }), archived_at: at(9) });
  await environments.remove(idOf('env', 2));
  const total = async (query: object) => (await environments.list({ limit: 100, includeArchived: false, ...query })).total;
  expect(await total({})).toBe(1);
  expect(await total({ includeArchived: true })).toBe(2);
  expect(await total({ metadata: { team: 'a' } })).toBe(1);
  expect(await total({ metadata: { team: 'a', tier: '2' } })).toBe(0);
  expect(await total({ metadata: odd, includeArchived: true })).toBe(1);
  await expect(environments.remove(idOf('env', 2))).rejects.toMatchObject({ code: 'not_found' });
});

test('the same key and body answer the first environment, also when asked twice at once; another body is refused', async () => {
  const { environments } = await openHere(await temporaryFolder());
  const once = { scope: 'create', key: 'k', bodyDigest: bodyDigest({ a: 1, b: 2 }) };
  const answers = await Promise.all([1, 2].map((number) => environments.insert(exampleEnvironment(number), once)));
  expect(answers.map(({ id }) => id)).toEqual([idOf('env', 1), idOf('env', 1)]);
  expect((await environments.list(every)).total).toBe(1);
  expect(await environments.findByIdempotencyKey('create', 'k', bodyDigest({ b: 2, a: 1 }))).toBe(idOf('env', 1));
  expect(await environments.findByIdempotencyKey('other', 'k', bodyDigest({}))).toBeNull();
  await expect(environments.findByIdempotencyKey('create', 'k', bodyDigest({ a: 2 }))).rejects.toMatchObject({
    code: 'idempotency_mismatch',
  });
});

test('a key is forgotten after a day', async () => {
  let now = systemClock.now();
  const { environments } = await openHere(await temporaryFolder(), { ...systemClock, now: () => now });
  await environments.rememberIdempotencyKey('create', 'k', 'one', 'first');
  now += 24 * 60 * 60 * 1000 + 1;
  expect(await environments.findByIdempotencyKey('create', 'k', 'two')).toBeNull();
  await environments.rememberIdempotencyKey('create', 'k', 'two', 'second');
  expect(await environments.findByIdempotencyKey('create', 'k', 'two')).toBe('second');
});

test('the ledger knows the Active Image: rejected lines change nothing, unpinned ends it', async () => {
  const { pins, environments } = await openHere(await temporaryFolder());
  const { id } = await environments.insert(exampleEnvironment(1));
  const pin = (number: number, action: Pin['action'], image: string | null): Pin => ({
    id: idOf('pin', number),
    environment_id: id,
    action,
    build_id: null,
    image_id: image,
    fingerprint: null,
    reason: null,
    at: at(number),
  });
  await pins.append(pin(1, 'pinned', 'one'));
  await pins.append(pin(2, 'rejected', 'two'));
  expect([(await pins.current(id))?.image_id, await pins.pinnedImageIds()]).toEqual(['one', ['one']]);
  await pins.append(pin(3, 'unpinned', null));
  expect([await pins.current(id), await pins.pinnedImageIds(), (await pins.list(id)).length]).toEqual([null, [], 3]);
});

test('the newest succeeded build of a fingerprint is found per runtime, and history outlives its environment', async () => {
  const { builds, environments } = await openHere(await temporaryFolder());
  const { id } = await environments.insert(exampleEnvironment(1));
  const build = (number: number, status: Build['status'], runtime = 'docker') =>
    ({
      id: idOf('bld', number),
      environment_id: id,
      status,
      fingerprint: 'f',
      runtime,
      image_id: `i${number}`,
      created_at: at(number),
    }) as Build;
  for (const each of [
    build(1, 'succeeded'),
    build(2, 'succeeded'),
    build(3, 'failed'),
    build(4, 'succeeded', 'podman'),
    build(5, 'queued'),
  ])
    await builds.save(each);
  expect((await builds.findSucceeded('f', 'docker'))?.image_id).toBe('i2');
  expect((await builds.listUnfinished()).map((each) => each.id)).toEqual([idOf('bld', 5)]);
  await builds.saveBootTest(idOf('bld', 2), { passed: true, checks: [] });
  await environments.remove(id);
  expect((await builds.listByEnvironment(id, 4)).map((each) => each.image_id)).toEqual(['i5', 'i4', 'i3', 'i2']);
  expect((await builds.find(idOf('bld', 2)))?.boot_test).toEqual({ passed: true, checks: [] });
});

test('the verdict follows the newest manual or refresh run that ended by itself', async () => {
  const { setupRuns, environments } = await openHere(await temporaryFolder());
  const { id } = await environments.insert(exampleEnvironment(1));
  const run = (number: number, kind: SetupRun['kind'], status: SetupRun['status'], image: string | null = null) =>
    ({
      id: idOf('run', number),
      environment_id: id,
      kind,
      status,
      runtime: 'docker',
      prepared_image_id: image,
      created_at: at(number),
    }) as SetupRun;
  const runs = [
    run(1, 'manual', 'succeeded', 'old'),
    run(2, 'refresh', 'succeeded', 'new'),
    run(3, 'manual', 'cancelled'),
    run(4, 'session', 'failed'),
    { ...run(5, 'manual', 'failed'), failure_code: 'host_stopped' },
    { ...run(7, 'manual', 'succeeded'), observed: true },
    { ...run(8, 'manual', 'failed'), observed: true, failure_code: 'host_stopped' },
  ];
  for (const each of [...runs, run(6, 'manual', 'queued')]) await setupRuns.save(each);
  const { newestFinished, inFlight, interrupted } = await setupRuns.verdictRuns(id);
  expect([newestFinished?.id, inFlight?.id, interrupted?.id]).toEqual([idOf('run', 2), idOf('run', 6), idOf('run', 5)]);
  expect([await setupRuns.preparedImageIds(), await setupRuns.preparedImages()]).toEqual([
    ['new'],
    [{ environmentId: id, imageId: 'new' }],
  ]);
});

test('all streams that anything points at are known, and the commands of a session are listed', async () => {
  const registry = await openHere(await temporaryFolder());
  const common = { environment_id: 'e', fingerprint: 'f', runtime: 'docker', status: 'failed', kind: 'manual', created_at: at(1) };
  await registry.builds.save({ ...common, id: idOf('bld', 1), stream_id: 'str_build' } as unknown as Build);
  await registry.setupRuns.save({ ...common, id: idOf('run', 1), stream_id: 'str_run' } as unknown as SetupRun);
  const session = { id: idOf('ses', 1), environment_id: 'e', created_at: at(1), start_script: { stream_id: null } };
  await registry.sessions.save(session as Session);
  await registry.sessions.save({ ...session, id: idOf('ses', 2), start_script: { stream_id: 'str_start' } } as Session);
  const terminal = { id: idOf('trm', 1), session_id: session.id, status: 'exited', created_at: at(1), stream_id: 'str_terminal' };
  await registry.sessions.saveTerminal(terminal as Terminal);
  const exec = { id: idOf('exe', 1), session_id: session.id, stdout_stream_id: 'str_out', stderr_stream_id: 'str_err' } as Exec;
  await registry.sessions.saveExec(exec);
  expect(await registry.sessions.listExecs(session.id)).toEqual([exec]);
  expect([...(await registry.streamIds())].sort()).toEqual(['str_build', 'str_err', 'str_out', 'str_run', 'str_start', 'str_terminal']);
  await registry.sessions.remove(session.id);
  // What ends with its session is told a moment later.
  await registry.sessions.saveTerminal(terminal as Terminal);
  await registry.sessions.saveExec(exec);
  expect([...(await registry.streamIds())].sort()).toEqual(['str_build', 'str_run', 'str_start']);
});

test('the first page of 10,000 environments is quick', async () => {
  const folder = await temporaryFolder();
  const { environments } = await openHere(folder);
  await environments.insert(exampleEnvironment(0));
  await multiply(join(folder, 'registry.db'), 10_000);
  await environments.list({ limit: 100, includeArchived: false });
  const times: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const startedAt = performance.now();
    const page = await environments.list({ limit: 100, includeArchived: false });
    times.push(performance.now() - startedAt);
    expect([page.environments.length, page.total, page.environments[0]?.name]).toEqual([100, 10_000, 'Example 0 9999']);
  }
  expect(Math.min(...times)).toBeLessThan(100);
}, 120_000);
