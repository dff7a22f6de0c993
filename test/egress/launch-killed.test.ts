// A host that is killed at each step of a launch leaves nothing behind, and the next one says what happened.
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDockerRuntime } from '../../sandbox-engine/container/docker-runtime.ts';
import { labelKeys } from '../../sandbox-engine/container/labels.ts';
import { runInside } from '../runtime/support/gated-host.ts';
import { type Asked, type HoldingProxy, openHoldingProxy } from '../runtime/support/holding-proxy.ts';
import { newFolder, type RealHost, removeRealHost, startRealHost, until } from '../runtime/support/real-host.ts';
import { testRuntimes } from '../runtime/support/test-image.ts';

const isCreate =
  (isOurs: (name: string) => boolean) =>
  ({ method, path }: Asked): boolean => {
    const url = new URL(path, 'http://runtime');
    return method === 'POST' && url.pathname.endsWith('/containers/create') && isOurs(url.searchParams.get('name') ?? '');
  };
const isSandbox = (name: string): boolean => /^sandlot-ses_[0-9a-z]{26}$/.test(name);

/** Each step, the request in which it is caught, what its environment has beside the rest, and what the next host says. */
const steps: { step: string; caughtIn: (asked: Asked) => boolean; more?: object; status: string; says: RegExp }[] = [
  {
    step: 'workspace',
    caughtIn: ({ method, path }) => method === 'POST' && path.startsWith('/volumes/create'),
    status: 'failed',
    says: /in the step "create"\. Nothing of it is left/,
  },
  {
    step: 'gate',
    caughtIn: isCreate((name) => !isSandbox(name)),
    more: { network_policy: { version: 'v1', rules: [{ action: 'allow', hosts: ['example.org'] }] } },
    status: 'failed',
    says: /in the step "gate"\. Nothing of it is left/,
  },
  { step: 'create', caughtIn: isCreate(isSandbox), status: 'failed', says: /in the step "create"\. Nothing of it is left/ },
  {
    step: 'start',
    caughtIn: ({ method, path }) => method === 'POST' && /\/containers\/[^/]+\/start/.test(path),
    status: 'running',
    says: /^null$/,
  },
  {
    step: 'inject',
    caughtIn: ({ method, path }) => method === 'PUT' && path.includes('/archive'),
    more: { recipe_yaml: 'base: debian\nknowledge:\n  - name: a\n    contents: b\n' },
    status: 'running',
    // It is brought in by the next host.
    says: /^null$/,
  },
  {
    step: 'start script',
    caughtIn: ({ method, path, body }) => method === 'POST' && path.includes('/exec') && body.includes('session_start'),
    more: { recipe_yaml: 'base: debian\nsession_start:\n  - name: a\n    run: sleep 1\n' },
    status: 'running',
    says: /^null$/,
  },
];

describe.each(testRuntimes)('a host on $kind that is killed in the middle of launches', ({ kind, socket }) => {
  const runtime = createDockerRuntime({
    id: kind,
    kind,
    connection: { kind: 'socket', address: `unix://${socket}`, socketPath: socket },
  });
  let folder: string;
  let proxy: HoldingProxy;
  let host: RealHost;
  let runtimeId: string;

  const ours = async () => {
    const home = { [labelKeys.managed]: 'true', [labelKeys.home]: (await readFile(join(folder, 'home-id'), 'utf8')).trim() };
    const [containers, volumes, networks] = await Promise.all([
      runtime.listContainers(home),
      runtime.listVolumes(home),
      runtime.listNetworks(home),
    ]);
    return { containers: containers.map(({ name }) => name).sort(), volumes: volumes.map(({ name }) => name).sort(), networks };
  };
  const start = async () => {
    host = await startRealHost({ folder, env: { DOCKER_HOST: `unix://${proxy.socketPath}` } });
    const { runtimes } = await host.call('runtimes.list', {});
    runtimeId = runtimes.find(({ address }) => address.endsWith(proxy.socketPath))?.id ?? 'none';
  };
  const launch = async (name: string, more: object) => {
    const body = { name, recipe_yaml: 'base: debian\n', runtime: runtimeId, network_policy: {}, ...more };
    const { id: environment_id } = await host.call('environments.create', { body });
    return await host.call('sessions.launch', { environment_id });
  };

  beforeAll(async () => {
    folder = await newFolder();
    proxy = await openHoldingProxy(socket, join(folder, 'proxy.sock'));
    await start();
  });
  afterAll(async () => {
    proxy.letGo();
    await removeRealHost(host);
    await proxy.close();
    runtime.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('leaves nothing of what did not run, says so, and everything goes with its sessions', { timeout: 180_000 }, async () => {
    // The first one makes what all need.
    const ready = await launch('ready', {});
    await until(
      () => host.call('sessions.get', { session_id: ready.id }),
      ({ status }) => status !== 'starting',
    );
    const ids: string[] = [];
    for (const { step, caughtIn, more = {} } of steps.toReversed()) {
      const caught = proxy.hold(step, caughtIn);
      ids.unshift((await launch(step, more)).id);
      await caught;
    }
    await host.kill();
    proxy.letGo();
    await start();
    const told = await Promise.all(ids.map((session_id) => host.call('sessions.get', { session_id })));
    expect(told.map(({ name, status, message }) => [name, status, String(message)])).toEqual(
      steps.map(({ step, status, says }) => [step, status, expect.stringMatching(says)]),
    );
    const alive = [ready.id, ...ids.filter((_, at) => told[at]?.status === 'running')];
    expect(await until(ours, ({ containers }) => containers.length === alive.length, 10_000)).toEqual({
      containers: alive.map((id) => `sandlot-${id}`).sort(),
      volumes: alive.map((id) => `sandlot-${id}`).sort(),
      networks: [],
    });
    const { id } = await host.call('execs.start', { session_id: ready.id, command: ['true'] });
    expect((await host.call('execs.get', { exec_id: id, wait_seconds: 10 })).exit_code).toBe(0);
    const injected = ids[steps.findIndex(({ step }) => step === 'inject')] ?? '';
    const isWhole = async () =>
      (await host.call('sessions.get', { session_id: injected })).steps.every(({ status }) => status === 'succeeded');
    expect(await until(isWhole, (whole) => whole, 20_000)).toBe(true);
    expect(await runInside(host, injected, 'cat ~/.sandlot/knowledge/a.md')).toBe('b');

    // As after a reboot: all containers have ended, and nobody saw it.
    await host.kill();
    await Promise.all(alive.map((session) => runtime.killContainer(`sandlot-${session}`)));
    await start();
    const after = await Promise.all(alive.map((session_id) => host.call('sessions.get', { session_id })));
    expect(after.map(({ status }) => status)).toEqual(alive.map(() => 'stopped'));
    expect((await host.call('sessions.resume', { session_id: ready.id })).status).toBe('running');
    for (const session_id of [ready.id, ...ids]) await host.call('sessions.delete', { session_id });
    expect(await ours()).toEqual({ containers: [], volumes: [], networks: [] });
  });
});
