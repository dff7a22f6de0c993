// Whether a runtime runs under another kernel than this program, by what its daemon says of itself: there no socket of this machine can be mounted.
import { mkdtemp, rm } from 'node:fs/promises';
import { release, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createDockerRuntime } from '../../../sandbox-engine/container/docker-runtime.ts';
import { startFakeDaemon } from '../../fakes/docker-daemon.ts';

const desktop = { OperatingSystem: 'Docker Desktop', KernelVersion: '6.12.54-linuxkit' };
const here = process.platform === 'linux';

test.each([
  ['this very kernel', { KernelVersion: release(), OperatingSystem: 'Debian GNU/Linux 12 (bookworm)' }, !here],
  ['nothing about its kernel', {}, !here],
  ['another kernel', { KernelVersion: '6.12.13-200.fc41.x86_64', OperatingSystem: 'fedora' }, true],
  ['Docker Desktop', desktop, true],
  ['Docker Desktop on this very kernel', { ...desktop, KernelVersion: release() }, true],
])('a daemon that says %s', async (_what, info, isElsewhere) => {
  const folder = await mkdtemp(join(tmpdir(), 'fake-'));
  const daemon = await startFakeDaemon(join(folder, 'd.sock'), { info });
  const connection = { kind: 'socket', address: daemon.address, socketPath: daemon.socketPath } as const;
  const runtime = createDockerRuntime({ id: 'one', kind: 'docker', connection });
  try {
    expect((await runtime.info()).isElsewhere).toBe(isElsewhere);
  } finally {
    runtime.close();
    await daemon.close();
    await rm(folder, { recursive: true, force: true });
  }
});
