// A host that is killed, restarted, pressed by two clients at once or ended in the middle of work: nothing is lost and nothing left over.
import { randomUUID } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../sandbox-engine/base/clock.ts';
import { processIdentity } from '../../sandbox-engine/base/process-identity.ts';
import { createDockerRuntime } from '../../sandbox-engine/container/docker-runtime.ts';
import { createLabels, labelKeys } from '../../sandbox-engine/container/labels.ts';
import type { Session } from '../../sandbox-engine/contract/model.ts';
import { type RealHost, removeRealHost, startRealHost, until } from './support/real-host.ts';
import { ensureTestImage, testRuntimes } from './support/test-image.ts';

const readHome = (folder: string): Promise<string> => readFile(join(folder, 'home-id'), 'utf8');

describe.each(testRuntimes)('a host on $kind', ({ kind, socket }) => {
  const runtime = createDockerRuntime({
    id: kind,
    kind,
    connection: { kind: 'socket', address: `unix://${socket}`, socketPath: socket },
  });
  let host: RealHost;
  let image: string;

  const create = (name: string, more: object = {}) =>
    host.call('environments.create', {
      body: { name, recipe_yaml: 'base: debian:bookworm-slim\n', runtime: kind, network_policy: {}, ...more },
    });
  const get = (session_id: string) => host.call('sessions.get', { session_id });
  const settled = (id: string) =>
    until(
      () => get(id),
      ({ status }) => status !== 'starting',
    );
  const launch = async (environment_id: string): Promise<Session> =>
    await settled((await host.call('sessions.launch', { environment_id })).id);
  const ours = async () => {
    const home = { [labelKeys.managed]: 'true', [labelKeys.home]: (await readHome(host.folder)).trim() };
    const [containers, volumes] = await Promise.all([runtime.listContainers(home), runtime.listVolumes(home)]);
    return { containers, volumes: volumes.sort((a, b) => a.name.localeCompare(b.name)) };
  };
  const make = async (labels: Record<string, string>) => {
    const name = `sandlot-test-${randomUUID()}`;
    const id = await runtime.createContainer({ name, image, command: ['sleep', '900'], env: [], labels, network: 'none' });
    await runtime.startContainer(id);
    return id;
  };

  beforeAll(async () => {
    image = await ensureTestImage(socket);
    host = await startRealHost();
  });
  afterAll(async () => {
    await removeRealHost(host);
  });

  test('O-01: after kill -9 the run is failed and says why, the verdict is as before, its container is gone, the session goes on, strangers are untouched', {
    timeout: 120_000,
  }, async () => {
    const environment = await create('crash', { setup: { script: 'sleep 4' } });
    const first = await host.call('setup_runs.create', { environment_id: environment.id, idempotency_key: 'first' });
    const passed = await until(
      () => host.call('setup_runs.get', { setup_run_id: first.id, wait_seconds: 5 }),
      ({ finished_at }) => finished_at !== null,
    );
    expect(passed.status).toBe('succeeded');
    const plain = await create('plain');
    const session = await launch(plain.id);
    const { id: run_id } = await host.call('setup_runs.create', { environment_id: environment.id, idempotency_key: 'k' });
    await until(
      () => host.call('setup_runs.get', { setup_run_id: run_id }),
      ({ status, phase }) => status === 'running' && phase === 'setup',
    );
    const before = await ours();
    expect(before.containers.map(({ labels }) => labels[labelKeys.role]).sort()).toEqual(['session', 'setup-run']);
    expect(before.volumes.map(({ name }) => name)).toEqual([session.volume]);
    await host.kill();
    const home = (await readHome(host.folder)).trim();
    const reusedPid = createLabels(home, `${process.pid}:1`);
    const living = createLabels(home, await processIdentity());
    const neighbour = createLabels(randomUUID(), `${process.pid}:1`);
    const foreign = await make({});
    const others = await Promise.all([make(reusedPid('setup-run')), make(living('setup-run')), make(neighbour('setup-run'))]);

    host = await startRealHost({ folder: host.folder });
    const run = await host.call('setup_runs.get', { setup_run_id: run_id });
    expect([run.status, run.hint]).toEqual(['failed', expect.stringMatching(/host stopped while this run/)]);
    expect(await until(ours, ({ containers }) => containers.length === 2)).toMatchObject({ volumes: [{ name: session.volume }] });
    const there = await Promise.all([foreign, ...others].map(async (id) => (await runtime.inspectContainer(id)) !== null));
    for (const id of [foreign, others[1], others[2]]) await runtime.removeContainer(id ?? '');
    expect(there).toEqual([true, false, true, true]);
    const { active_setup_run_id, setup_verification: told } = await host.call('environments.get', { environment_id: environment.id });
    expect([(await get(session.id)).status, active_setup_run_id]).toEqual(['running', null]);
    expect([told.status, told.can_start_sessions, told.prepared_image_id, told.last_run?.id]).toEqual([
      ...['verified', true, passed.prepared_image_id],
      run_id,
    ]);
    await host.call('sessions.delete', { session_id: session.id });
    expect(await ours()).toEqual({ containers: [], volumes: [] });
  });

  test('launches, stops and deletes pressed by two clients at once end in one clear state, and nothing is left over', {
    timeout: 180_000,
  }, async () => {
    const { id: environment_id } = await create('pressed');
    const launched = await Promise.all(Array.from({ length: 20 }, () => host.call('sessions.launch', { environment_id })));
    const states = await Promise.all(launched.map(({ id }) => settled(id)));
    expect(states.map(({ status, message }) => `${status} ${message}`)).toEqual(Array(20).fill('running null'));
    const [first, second, third, ...rest] = states.map(({ id }) => ({ session_id: id }));
    if (first === undefined || second === undefined || third === undefined) throw new Error('twenty were launched');
    const stops = await Promise.all([1, 2, 3].map(() => host.call('sessions.stop', first)));
    expect(stops.map(({ status }) => status)).toEqual(['stopped', 'stopped', 'stopped']);
    const resumes = await Promise.all([1, 2].map(() => host.call('sessions.resume', first)));
    expect(resumes.map(({ status }) => status)).toEqual(['running', 'running']);
    const codes = await Promise.all(
      [1, 2, 3].map(async () => {
        const reply = await host.client.call('sessions.delete', second);
        return reply.ok ? 'ok' : reply.error.code;
      }),
    );
    expect(codes.toSorted()).toEqual(['not_found', 'not_found', 'ok']);
    const mixed = await Promise.all([
      host.client.call('sessions.stop', third),
      host.client.call('sessions.delete', third),
      host.client.call('sessions.restart', third),
    ]);
    expect(mixed[1].ok).toBe(true);
    expect((await host.refusal('sessions.get', third)).code).toBe('not_found');
    const early = await host.call('sessions.launch', { environment_id });
    await host.call('sessions.delete', { session_id: early.id });
    expect((await host.refusal('sessions.get', { session_id: early.id })).code).toBe('not_found');

    // T-02: a terminal that floods holds up neither another one nor the stop, and what comes last is there.
    const open = () => host.call('terminals.open', { ...first, cols: 80, rows: 24 });
    const type = (terminal_id: string, text: string) =>
      host.call('terminals.write', { terminal_id, data: Buffer.from(text).toString('base64') });
    const [flood, other] = await Promise.all([open(), open()]);
    await type(flood.id, "head -c 20000000 /dev/zero | tr '\\0' a; echo; echo EN''D; yes\n");
    await type(other.id, 'echo sum-$((40+2))\n');
    expect(
      await until(
        () => host.text(other.stream_id),
        (text) => text.includes('sum-42'),
        5_000,
      ),
    ).toContain('sum-42');
    const seen = await until(
      () => host.text(flood.stream_id),
      (text) => /a\r\nEND\r\ny\r\n/.test(text),
      20_000,
    );
    expect(seen).toMatch(/a\r\nEND\r\ny\r\n/);
    const began = performance.now();
    expect((await host.call('sessions.stop', first)).status).toBe('stopped');
    expect(performance.now() - began).toBeLessThan(10_000);

    // Deleting the environment keeps what runs, and the history of what ran.
    await host.call('environments.delete', { environment_id });
    const listed = (await host.call('sessions.list', { environment_id })).sessions;
    expect([listed.length, listed.every(({ environment_name }) => environment_name === 'pressed')]).toEqual([18, true]);
    const left = rest[0]?.session_id ?? '';
    const { id: exec_id } = await host.call('execs.start', { session_id: left, command: ['true'] });
    expect((await host.call('execs.get', { exec_id, wait_seconds: 10 })).exit_code).toBe(0);
    for (const one of listed) await host.call('sessions.delete', { session_id: one.id });
    expect(await ours()).toEqual({ containers: [], volumes: [] });
  });

  test('a host that is ended while it builds and launches leaves nothing half done', { timeout: 180_000 }, async () => {
    const slow = await create('slow', {
      recipe_yaml: `base: debian:bookworm-slim\ninitialize:\n  - run: echo ${randomUUID()}; sleep 120\n`,
    });
    const { id: build_id } = await host.call('builds.start', { environment_id: slow.id });
    await until(
      () => host.call('builds.get', { build_id }),
      ({ steps }) => steps.some(({ name, status }) => status === 'running' && name !== 'base'),
    );
    const { id: launching } = await host.call('sessions.launch', { environment_id: slow.id });
    const running = await launch((await create('goes on')).id);
    const began = performance.now();
    await host.shutdown(true);
    expect(performance.now() - began).toBeLessThan(20_000);
    host = await startRealHost({ folder: host.folder });
    const build = await host.call('builds.get', { build_id });
    expect([build.status, build.finished_at]).toEqual([expect.stringMatching(/cancelled|failed/), expect.any(String)]);
    expect(['failed', 'stopped']).toContain((await get(launching)).status);
    expect((await get(running.id)).status).toBe('stopped');
    const { builds } = await host.call('builds.list', { environment_id: slow.id });
    expect(builds.map(({ id }) => id)).toEqual([build_id]);
  });

  test('Q-02: environments of a lost registry come back from the labels of their images', { timeout: 180_000 }, async () => {
    const recipe_yaml = `base: debian:bookworm-slim\n# ${systemClock.iso()}\ninitialize:\n  - run: echo ${randomUUID()} > /opt/mark\n`;
    const { id } = await create('Lost & found', { recipe_yaml });
    const { id: build_id } = await host.call('builds.start', { environment_id: id, pin: true });
    const built = await until(
      () => host.call('builds.get', { build_id }),
      ({ finished_at }) => finished_at !== null,
    );
    expect([built.status, built.error]).toEqual(['succeeded', null]);
    await host.shutdown();
    for (const side of ['', '-wal', '-shm']) await rm(join(host.folder, `registry.db${side}`), { force: true });
    await rm(join(host.folder, 'backups'), { recursive: true, force: true });
    host = await startRealHost({ folder: host.folder });
    expect((await host.call('environments.list', {})).total).toBe(0);
    const offered = (await host.call('registry.orphans', { import: false })).environments;
    expect(offered.find((one) => one.id === id)).toEqual({ id, name: 'Lost & found' });
    await host.call('registry.orphans', { import: true });
    const back = await host.call('environments.get', { environment_id: id });
    expect([back.name, back.recipe_yaml, back.network_policy]).toEqual(['Lost & found', recipe_yaml, { version: 'v1', rules: [] }]);
    expect((await host.call('registry.orphans', { import: true })).environments).toEqual([]);
  });

  test('a host on a damaged registry removes no container of a session it no longer knows, and finds it again with a backup', {
    timeout: 180_000,
  }, async () => {
    const before = await ours(); // Workspaces of the registry that the test before has lost stay, as they must.
    const session = await launch((await create('outlives damage')).id);
    await host.shutdown();
    host = await startRealHost({ folder: host.folder }); // A start takes a backup: this one knows the session.
    await host.shutdown();
    const file = join(host.folder, 'registry.db');
    await writeFile(file, Buffer.concat([Buffer.alloc(100, 0x41), (await readFile(file)).subarray(100)]));
    const labels = createLabels((await readHome(host.folder)).trim(), `${process.pid}:1`);
    /** Starts again beside a left-over that any host removes, and waits until it did: what a host removes is gone by then. */
    const startAndTidy = async () => {
      const leftOver = await make(labels('setup-run'));
      host = await startRealHost({ folder: host.folder });
      const tidied = await until(
        async () => (await runtime.inspectContainer(leftOver)) === null,
        (isGone) => isGone,
        20_000,
      );
      const container = (await runtime.inspectContainer(session.container_id ?? ''))?.status;
      return { tidied, container, known: (await host.call('sessions.list', {})).sessions.length };
    };
    const kept = { tidied: true, container: 'running', known: 0 };
    expect(await startAndTidy()).toEqual(kept);
    const { status, backups } = (await host.call('app.snapshot', {})).registry;
    expect(status).toBe('damaged');
    // Something new ends the announcement; the damaged files are kept, and so is what only they know.
    const begun = await create('begun anew');
    await host.shutdown();
    expect(await startAndTidy()).toEqual(kept);
    await host.call('environments.delete', { environment_id: begun.id });
    await host.call('registry.restore', { path: backups[0]?.path ?? '' });
    expect((await get(session.id)).status).toBe('running');
    await host.call('sessions.delete', { session_id: session.id });
    expect(await ours()).toEqual(before);
  });
});
