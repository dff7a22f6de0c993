// R-01 with a real runtime behind a relay that can be cut: what happens to a session while nobody listens is seen on return.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDockerRuntime } from '../../sandbox-engine/container/docker-runtime.ts';
import { createRuntimes, type Runtimes } from '../../sandbox-engine/container/runtimes.ts';
import { anEnvironment, aPlan, openSessionHouse } from './support/session-house.ts';
import { testRuntimes } from './support/test-image.ts';
import { tinySessionRoot } from './support/tiny-root.ts';

/** Passes a socket on to the daemon; while it is cut, it drops what comes. */
const openRelay = async (path: string, daemon: string) => {
  const sockets = new Set<Socket>();
  const state = { isCut: false };
  const server = createServer({ allowHalfOpen: true }, (near) => {
    if (state.isCut) return void near.destroy();
    const far = connect({ path: daemon, allowHalfOpen: true });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  const cut = (): void => {
    state.isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  return {
    cut,
    heal: () => {
      state.isCut = false;
    },
    close: async () => {
      cut();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
};

describe.each(testRuntimes)('when $kind goes away', ({ kind, socket }) => {
  const image = `sandlot-test/away-${randomBytes(3).toString('hex')}:1`;
  const direct = createDockerRuntime({
    id: 'direct',
    kind,
    connection: { kind: 'socket', address: `unix://${socket}`, socketPath: socket },
  });
  const told: string[] = [];
  let folder = '';
  let relay: Awaited<ReturnType<typeof openRelay>>;
  let house: Awaited<ReturnType<typeof openSessionHouse>>;
  let runtimes: Runtimes;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'away-'));
    const path = join(folder, 'r.sock');
    relay = await openRelay(path, socket);
    await direct.importImage(tinySessionRoot(), image, ['USER sandbox'], AbortSignal.timeout(60_000));
    house = await openSessionHouse({ kind, socket: path });
    runtimes = await createRuntimes({
      ...{ env: { PATH: '/nonexistent', DOCKER_CONFIG: folder, DOCKER_HOST: path }, homeFolder: folder, runFolder: folder },
      ...{ startPodman: false, knownSockets: () => false },
      onChange: (list) => void told.push(list[0]?.status ?? ''),
      onEvent: (_id, event) => {
        if (event.type === 'container' && /^(die|died|remove|destroy)$/.test(event.action)) house.sessions.containerDied(event.id);
      },
      onReconnected: () => void house.sessions.runtimeReconnected('test').catch(() => undefined),
    });
  });
  afterAll(async () => {
    relay.heal();
    await runtimes.close();
    await house.removeAll();
    await relay.close();
    await direct.removeImage(image, { force: true });
    direct.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('a session whose container was removed meanwhile is stopped on return, with its workspace kept, and one that lives still runs', async () => {
    const launch = async () => {
      const { id } = await house.sessions.launch(aPlan(anEnvironment({ network_policy: { version: 'v1', rules: [] } }), image));
      return await house.sessions.launched(id);
    };
    const lost = await launch();
    const kept = await launch();
    expect([lost.status, lost.message, kept.status]).toEqual(['running', null, 'running']);
    relay.cut();
    await expect.poll(() => told.at(-1), { timeout: 5000 }).toBe('reconnecting');
    await direct.removeContainer(lost.container_id ?? '');
    expect((await house.sessions.get(lost.id)).status).toBe('running');
    relay.heal();
    await expect.poll(async () => (await house.sessions.get(lost.id)).status, { timeout: 40_000 }).toBe('stopped');
    expect([told.at(-1), (await house.sessions.get(kept.id)).status]).toEqual(['connected', 'running']);
    await direct.removeContainer(kept.container_id ?? '');
    await expect.poll(async () => (await house.sessions.get(kept.id)).status, { timeout: 20_000 }).toBe('stopped');
  });
});
