import { link, mkdtemp, rm, unlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { BuildEvent } from '../../../sandbox-engine/container/container-runtime.ts';
import { errorFromWords } from '../../../sandbox-engine/container/docker-errors.ts';
import type { DockerRuntime } from '../../../sandbox-engine/container/docker-runtime.ts';
import { createDockerRuntime } from '../../../sandbox-engine/container/docker-runtime.ts';
import { containersConf, explainPodmanTrouble, lowOpenFiles } from '../../../sandbox-engine/container/podman-conf.ts';
import { createRuntimes } from '../../../sandbox-engine/container/runtimes.ts';
import type { FakeBehaviour, FakeDaemon } from '../../fakes/docker-daemon.ts';
import { startFakeDaemon } from '../../fakes/docker-daemon.ts';

let folder = '';
const open: { close: () => unknown }[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fake-'));
});
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
  await rm(folder, { recursive: true, force: true });
});

const start = async (behaviour: Partial<FakeBehaviour> = {}): Promise<{ daemon: FakeDaemon; runtime: DockerRuntime }> => {
  const daemon = await startFakeDaemon(join(folder, 'd.sock'), behaviour);
  const connection = { kind: 'socket', address: daemon.address, socketPath: daemon.socketPath } as const;
  const kind = behaviour.isPodman === true ? 'podman' : 'docker';
  const runtime = createDockerRuntime({ id: kind, kind, connection });
  open.push(daemon, runtime);
  return { daemon, runtime };
};

const failureOf = async (work: Promise<unknown>): Promise<{ code: string; message: string }> => {
  const thrown: unknown = await work.then(
    () => null,
    (error: unknown) => error,
  );
  return thrown as { code: string; message: string };
};

const lookOnly = async (env: Record<string, string>, more = {}) => {
  const changes: string[][] = [];
  const runtimes = await createRuntimes({
    env: { PATH: '/nonexistent', DOCKER_CONFIG: folder, ...env },
    homeFolder: folder,
    uid: 4242,
    runFolder: folder,
    startPodman: false,
    knownSockets: () => false,
    retryMs: 200,
    onChange: (list) => changes.push(list.map(({ status }) => status)),
    onEvent: () => undefined,
    onReconnected: () => undefined,
    ...more,
  });
  open.push(runtimes);
  return { runtimes, changes };
};

test.each([
  ['1.52', '1.44'],
  ['1.41', '1.24'],
])('API %s with minimum %s works without setting anything', async (apiVersion, minApiVersion) => {
  const { runtime } = await start({ apiVersion, minApiVersion });
  expect(await runtime.info()).toMatchObject({ apiVersion, minApiVersion });
});

test('API 1.24 is refused as too old, with both numbers', async () => {
  const { runtime } = await start({ apiVersion: '1.24', minApiVersion: '1.12' });
  expect(await failureOf(runtime.info())).toMatchObject({ code: 'runtime_too_old', message: expect.stringMatching(/1\.24.*1\.40/) });
});

const build = async (behaviour: Partial<FakeBehaviour>) => {
  const { runtime } = await start(behaviour);
  const events: BuildEvent[] = [];
  const request = {
    context: Readable.from([Buffer.alloc(1024)]),
    dockerfile: 'Dockerfile',
    tag: 't:1',
    labels: {},
    onEvent: (event: BuildEvent) => events.push(event),
  };
  const failure = await failureOf(runtime.buildImage({ ...request, signal: AbortSignal.timeout(5000) }));
  const log = events.flatMap((event) => (event.kind === 'log' ? [event.bytes.toString()] : [])).join('');
  return { failure, log };
};
const two = [{ stream: 'Step 1/2 : FROM x' }, { stream: 'working\n' }];

test.each([
  ['an error record', { buildRecords: [...two, { errorDetail: { message: 'it broke' }, error: 'it broke' }] }, 'build_failed', /it broke/],
  ['a clean close', { buildRecords: two }, 'build_failed', /closed the connection/],
  ['a reset', { buildRecords: two, buildEnd: 'reset' as const }, 'build_failed', /closed the connection/],
  ['a full disk', { buildRecords: [...two, { error: 'write /x: no space left on device' }] }, 'disk_full', /no space left/],
])('a build with HTTP 200 that ends with %s has failed and keeps its log', async (_name, behaviour, code, message) => {
  const { failure, log } = await build({ ...behaviour, images: { 't:1': 'sha256:old' } });
  expect({
    code: failure.code,
    told: message.test(failure.message),
    log: log.includes('Step 1/2 : FROM x') && log.includes('working\n'),
  }).toEqual({
    code,
    told: true,
    log: true,
  });
});

test('an image that Podman files under localhost/ is found after the build', async () => {
  const { runtime } = await start({
    isPodman: true,
    buildRecords: [{ stream: 'Successfully tagged x\n' }],
    images: { 'localhost/t:1': 'sha256:new' },
  });
  const request = {
    context: Readable.from([Buffer.alloc(1024)]),
    dockerfile: 'Dockerfile',
    tag: 't:1',
    labels: {},
    onEvent: () => undefined,
  };
  expect(await runtime.buildImage({ ...request, signal: AbortSignal.timeout(5000) })).toBe('sha256:new');
});

test('for Docker localhost/x and x are two images: neither is found or removed as the other', async () => {
  const { daemon, runtime } = await start({ images: { 'localhost/x:1': 'sha256:local' } });
  expect(await runtime.inspectImage('x:1')).toBeNull();
  expect((await runtime.inspectImage('localhost/x:1'))?.tags).toEqual(['localhost/x:1']);
  await runtime.removeImage('x:1');
  expect(daemon.requests.filter(({ method }) => method === 'DELETE').map(({ path }) => path)).toEqual(['/images/x%3A1']);
});

test.each([false, true])('P-01: a short name is asked for in full, with its platform (Podman: %s)', async (isPodman) => {
  const { daemon, runtime } = await start({ isPodman });
  const request = { reference: 'debian:bookworm-slim', platform: 'linux/amd64', onProgress: () => undefined };
  await failureOf(runtime.pullImage({ ...request, signal: AbortSignal.timeout(5000) }));
  const asked = daemon.requests.find(({ path }) => path === '/images/create')?.query;
  expect([asked?.get('fromImage'), asked?.get('platform')]).toEqual(['docker.io/library/debian:bookworm-slim', 'linux/amd64']);
});

test('Podman asking for too much is told with its way out, in the words of crun and of runc', async () => {
  const { runtime } = await start({
    isPodman: true,
    commitError: {
      status: 500,
      message: 'runc: error setting rlimits for ready process: error setting rlimit type 7: operation not permitted',
    },
  });
  const failure = await failureOf(runtime.commitContainer({ containerId: 'c', tag: 't:1', changes: [] }));
  expect(failure).toMatchObject({ code: 'runtime_error', nextAction: expect.stringMatching(/default_ulimits.*CONTAINERS_CONF/s) });
});

test('a 400 is shown with the message of the daemon', async () => {
  const { runtime } = await start({ commitError: { status: 400, message: 'client version 1.24 is too old' } });
  const failure = await failureOf(runtime.commitContainer({ containerId: 'c', tag: 't:1', changes: [] }));
  expect(failure.message).toMatch(/client version 1\.24 is too old$/);
});

test('a commit onto a full disk says so', async () => {
  const { runtime } = await start({ commitError: { status: 500, message: 'no space left on device' } });
  expect(await failureOf(runtime.commitContainer({ containerId: 'c', tag: 't:1', changes: [] }))).toMatchObject({ code: 'disk_full' });
});

test('an exec start has exactly one JSON body and the container sees only what is typed', async () => {
  const { daemon, runtime } = await start();
  const handle = await runtime.exec('c', { command: ['cat'], stdin: true });
  handle.stdin.write('hello\n');
  await vi.waitFor(() => expect(daemon.execInput().toString()).toBe('hello\n'));
  handle.close();
  const started = daemon.requests.filter(({ path }) => path === '/exec/exec1/start').map(({ body }) => JSON.parse(body.toString()));
  expect(started).toEqual([{ Detach: false, Tty: false }]);
});

test('a missing socket and one that nobody listens on are told apart, and chmod 666 is never the advice', async () => {
  const dead = join(folder, 'dead.sock');
  const server = createServer().listen(dead);
  await new Promise((resolve) => server.once('listening', resolve));
  // Left behind as after a crash: unlinking is what a clean close would do.
  await link(dead, `${dead}.kept`);
  await new Promise((resolve) => server.close(resolve));
  const stopped = (await lookOnly({ DOCKER_HOST: `${dead}.kept` })).runtimes.list()[0];
  const absent = (await lookOnly({ DOCKER_HOST: join(folder, 'no.sock') })).runtimes.list()[0];
  await unlink(`${dead}.kept`);
  expect([stopped?.status, absent?.status]).toEqual(['not_running', 'absent']);
  expect(`${stopped?.message} ${stopped?.fix} ${absent?.message}`).not.toMatch(/chmod 666/);
});

test('a dead tcp address is told as refused, with its address, and nothing else is taken', async () => {
  const { runtimes } = await lookOnly({ DOCKER_HOST: 'tcp://127.0.0.1:1' });
  expect(runtimes.list()).toMatchObject([
    { status: 'unreachable', address: 'tcp://127.0.0.1:1', message: expect.stringContaining('refused'), is_default: true },
  ]);
});

test('a place that comes to life is found without asking', async () => {
  const { runtimes } = await lookOnly({ DOCKER_HOST: join(folder, 'd.sock') });
  expect(runtimes.list()[0]?.status).toBe('absent');
  await start();
  await vi.waitFor(() => expect(runtimes.list()[0]?.status).toBe('connected'), 5000);
});

test('an event stream that ends quietly is opened again after refusals, once, and the lists are asked for again', async () => {
  const { daemon } = await start();
  const returned: string[] = [];
  const { runtimes, changes } = await lookOnly({ DOCKER_HOST: daemon.socketPath }, { onReconnected: (id: string) => returned.push(id) });
  await vi.waitFor(() => expect(daemon.eventStreams()).toBe(1), 5000);
  daemon.behaviour.refuseConnections = 2;
  daemon.endEvents();
  await vi.waitFor(() => expect(changes.at(-1)).toEqual(['reconnecting']), 5000);
  await vi.waitFor(
    () => expect([returned, daemon.eventStreams(), runtimes.list()[0]?.status]).toEqual([['docker'], 1, 'connected']),
    10_000,
  );
});

test('what Podman says on bare machines is explained with a containers.conf', () => {
  const texts = [
    'Error: crun: setrlimit `RLIMIT_NOFILE`: Operation not permitted',
    'Error: runc: runc create failed: unable to start container process: error during container init: error setting rlimits for ready process: error setting rlimit type 7: operation not permitted: OCI permission denied',
    'cgroups in hybrid mode not supported',
    'all is well',
  ];
  expect(texts.map((text) => explainPodmanTrouble(text)?.fix.includes('CONTAINERS_CONF') ?? null)).toEqual([true, true, true, null]);
});

test('only root without the right to raise limits needs lower ones from us', () => {
  const limits = 'Max open files            1024                 20000                files\n';
  const status = (uid: number, capabilities: string) => `Uid:\t${uid}\t${uid}\t${uid}\t${uid}\nCapEff:\t${capabilities}\n`;
  expect(lowOpenFiles(limits, status(0, '000001fffeffffff'))).toBe(20_000);
  expect(lowOpenFiles(limits, status(0, '000001ffffffffff'))).toBeNull();
  expect(lowOpenFiles(limits, status(1000, '0000000000000000'))).toBeNull();
  expect(containersConf({ runc: true, openFiles: 20_000 })).toBe(
    '[containers]\ndefault_ulimits = ["nofile=20000:20000", "nproc=32768:32768"]\n[engine]\nruntime = "runc"\n',
  );
});

test.each([
  ['could not select device driver "" with capabilities: [[gpu]]', /^Switch the GPU off under Resources/],
  ['Minimum memory limit allowed is 6MB', /^Give the environment more memory/],
  ['runc create failed: failed to write "10": write /sys/fs/cgroup/x/cpu.cfs_quota_us: invalid argument', /number of processors/],
  ['something that nobody has seen before', null],
])('a container that is refused with %j is told with what to do about it', (words, advice) => {
  const { nextAction } = errorFromWords('start container x', words);
  expect(advice === null ? nextAction === null : advice.test(nextAction ?? '')).toBe(true);
});
