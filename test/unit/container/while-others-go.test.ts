// Images and sizes are asked for while other images or containers go: Podman 4.3 refuses then, and a later question is answered.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { BuildEvent } from '../../../sandbox-engine/container/container-runtime.ts';
import { createDockerRuntime, type DockerRuntime } from '../../../sandbox-engine/container/docker-runtime.ts';
import { type FakeDaemon, startFakeDaemon } from '../../fakes/docker-daemon.ts';

let folder = '';
let daemon: FakeDaemon;
let runtime: DockerRuntime;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fake-'));
  daemon = await startFakeDaemon(join(folder, 'd.sock'), { isPodman: true, images: { '*': 'fault' }, disk: 'fault' });
  const connection = { kind: 'socket', address: daemon.address, socketPath: daemon.socketPath } as const;
  runtime = createDockerRuntime({ id: 'podman', kind: 'podman', connection });
});
afterEach(async () => {
  runtime.close();
  await daemon.close();
  await rm(folder, { recursive: true, force: true });
});

test('one that is there is found although Podman refused at first', async () => {
  const asked = runtime.inspectImage('sha256:1');
  await vi.waitUntil(() => daemon.requests.some(({ path }) => /^\/images\//.test(path)));
  daemon.behaviour.images = { '*': 'sha256:1' };
  expect((await asked)?.id).toBe('sha256:1');
});

test('the disk is measured although Podman refused many times', async () => {
  const asked = runtime.readDiskUse(AbortSignal.timeout(30_000));
  await vi.waitUntil(() => daemon.requests.filter(({ path }) => path === '/system/df').length > 6, { timeout: 10_000 });
  daemon.behaviour.disk = { Containers: [{ Id: 'a', SizeRw: 7 }] };
  expect((await asked).containers).toEqual([{ id: 'a', bytes: 7 }]);
});

test('a container is stored although another image that had its layers went', async () => {
  daemon.behaviour.images = { '*': 'sha256:1' };
  daemon.behaviour.commitError = { status: 500, message: 'committing the finished image: creating image "a": layer not known' };
  const stored = runtime.commitContainer({ containerId: 'a', tag: 'sandlot/x:1', changes: [] });
  await vi.waitUntil(() => daemon.requests.filter(({ path }) => path === '/commit').length > 1, { timeout: 5_000 });
  daemon.behaviour.commitError = null;
  expect(await stored).toBe('sha256:1');
});

test('a build goes on although another image went while Podman looked for what it has built before', async () => {
  daemon.behaviour.images = { '*': 'sha256:1' };
  const step = { stream: 'STEP 1/1: RUN true' };
  const words = 'checking if cached image exists from a previous build: getting top layer info: layer not known';
  daemon.behaviour.buildRecords = [step, { error: words }];
  const events: BuildEvent[] = [];
  const request = { context: Readable.from([Buffer.alloc(1024)]), dockerfile: 'Dockerfile', tag: 'x:1', labels: {} };
  const built = runtime.buildImage({ ...request, onEvent: (event) => events.push(event), signal: AbortSignal.timeout(5_000) });
  await Promise.race([built, vi.waitUntil(() => daemon.requests.filter(({ path }) => path === '/build').length > 1, { timeout: 5_000 })]);
  daemon.behaviour.buildRecords = [step, { stream: 'Successfully tagged x\n' }];
  expect(await built).toBe('sha256:1');
  const { length } = daemon.requests.filter(({ path }) => path === '/build');
  expect(events.filter(({ kind }) => kind === 'again')).toHaveLength(length - 1);
});

test('a command of a recipe that says such a thing itself has failed, and is not run once more', async () => {
  const words = 'building at STEP "RUN echo layer not known; exit 7": while running runtime: exit status 7';
  daemon.behaviour.buildRecords = [{ stream: 'STEP 1/1: RUN x' }, { error: words }];
  const request = { context: Readable.from([Buffer.alloc(1024)]), dockerfile: 'Dockerfile', tag: 'x:1', labels: {} };
  const built = runtime.buildImage({ ...request, onEvent: () => undefined, signal: AbortSignal.timeout(5_000) });
  await expect(built).rejects.toMatchObject({ code: 'build_failed', message: words });
  expect(daemon.requests.filter(({ path }) => path === '/build')).toHaveLength(1);
});

test('what goes on being refused is told in its words, and who gave up waiting is told at once', async () => {
  const refused = expect(runtime.inspectImage('sha256:1')).rejects.toMatchObject({
    code: 'runtime_error',
    message: expect.stringContaining('image not known'),
  });
  await expect(runtime.readDiskUse(AbortSignal.timeout(500))).rejects.toThrow(/no such container|Cancelled/);
  await refused;
}, 15_000);
