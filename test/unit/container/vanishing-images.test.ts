// An image is asked for while others go: Podman 4.3 refuses then, and the next question is answered.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createDockerRuntime, type DockerRuntime } from '../../../sandbox-engine/container/docker-runtime.ts';
import { type FakeDaemon, startFakeDaemon } from '../../fakes/docker-daemon.ts';

let folder = '';
let daemon: FakeDaemon;
let runtime: DockerRuntime;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fake-'));
  daemon = await startFakeDaemon(join(folder, 'd.sock'), { isPodman: true, images: { '*': 'fault' } });
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

test('what goes on being refused is told in its words', async () => {
  await expect(runtime.inspectImage('sha256:1')).rejects.toMatchObject({
    code: 'runtime_error',
    message: expect.stringContaining('image not known'),
  });
});
