// What a request to the daemon costs this process besides the request.
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createDockerRuntime } from '../../../sandbox-engine/container/docker-runtime.ts';
import { startFakeDaemon } from '../../fakes/docker-daemon.ts';

interface Debug {
  enable: (names: string) => void;
  disable: () => string;
}
/** The debug output of the library below Docker's, as DEBUG=modem in the environment of a new process switches it on. */
const modemDebug = ['dockerode', 'docker-modem'].reduce(
  (from, name) => createRequire(from.resolve(name)),
  createRequire(import.meta.url),
)('debug') as Debug;
let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cost-'));
});
afterEach(async () => {
  modemDebug.disable();
  vi.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
});

test('what the library writes out of a request does not hold the connections that are open', async () => {
  modemDebug.enable('modem');
  const written: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  const daemon = await startFakeDaemon(join(folder, 'd.sock'), {});
  const runtime = createDockerRuntime({
    ...{ id: 'docker', kind: 'docker' as const },
    connection: { kind: 'socket', address: daemon.address, socketPath: daemon.socketPath },
  });
  try {
    await Promise.all(Array.from({ length: 5 }, () => runtime.ping()));
    await runtime.ping();
  } finally {
    runtime.close();
    await daemon.close();
  }
  const sent = written.filter((text) => text.includes('Sending'));
  expect({ requests: sent.length, longest: Math.max(...sent.map(({ length }) => length)) }).toEqual({
    requests: 6,
    longest: expect.toSatisfy((length: number) => length < 2_000),
  });
});
