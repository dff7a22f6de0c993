// A host that is killed while it stops a session: the next one ends what was begun, and the session is one that was stopped in order.
// Source: SPEC.md 7 (Stop), RUNTIMES.md (what a host finds again).
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDockerRuntime } from '../../sandbox-engine/container/docker-runtime.ts';
import type { Session } from '../../sandbox-engine/contract/model.ts';
import { gateName, standInName } from '../../sandbox-engine/gate/gate-container.ts';
import { createRuled, launchRuled } from './support/gated-host.ts';
import { type RealHost, removeRealHost, startRealHost, until } from './support/real-host.ts';
import { testRuntimes } from './support/test-image.ts';

describe.each(testRuntimes)('a host on $kind', ({ kind, socket }) => {
  const target = { kind: 'socket', address: `unix://${socket}`, socketPath: socket } as const;
  const runtime = createDockerRuntime({ id: kind, kind, connection: target });
  let host: RealHost;
  let session: Session;

  const get = () => host.call('sessions.get', { session_id: session.id });
  const statusOf = async (container: string): Promise<string> => (await runtime.inspectContainer(container))?.status ?? 'gone';
  const leftBy = async () => {
    const { status, message, idle_stop_at } = await get();
    const containers = [session.container_id ?? '', gateName(session.id), standInName(session.id)];
    return [status, message, idle_stop_at, ...(await Promise.all(containers.map(statusOf)))];
  };

  beforeAll(async () => {
    host = await startRealHost();
    session = await launchRuled(host, (await createRuled(host, kind, [], { name: 'killed' })).id);
  }, 320_000);
  afterAll(async () => {
    await removeRealHost(host);
    runtime.close();
  });

  test('killed while it stops a session, the next one leaves session and gate as a stop does', { timeout: 60_000 }, async () => {
    const { id: terminal_id } = await host.call('terminals.open', { session_id: session.id, cols: 80, rows: 24 });
    await host.call('sessions.stop', { session_id: session.id });
    const inOrder = await leftBy();
    expect(inOrder.slice(0, 2)).toEqual(['stopped', null]);
    await host.call('sessions.resume', { session_id: session.id });
    const { id: cut_id } = await host.call('terminals.open', { session_id: session.id, cols: 80, rows: 24 });

    host.client.call('sessions.stop', { session_id: session.id }).catch(() => undefined);
    // It is written down before the sandbox is touched; the gate rests last.
    for (const deadline = Date.now() + 10_000; (await statusOf(session.container_id ?? '')) === 'running' && Date.now() < deadline; );
    await host.kill();
    expect([await statusOf(session.container_id ?? ''), await statusOf(gateName(session.id))]).toEqual(['exited', 'running']);
    host = await startRealHost({ folder: host.folder });
    await until(get, ({ status }) => status !== 'running', 10_000);
    await until(leftBy, (now) => JSON.stringify(now) === JSON.stringify(inOrder), 5_000);
    expect(await leftBy()).toEqual(inOrder);
    const { terminals } = await host.call('terminals.list', { session_id: session.id });
    const endings = [terminal_id, cut_id].map((id) => terminals.find((one) => one.id === id)).map((one) => [one?.status, one?.exit_code]);
    expect(endings[1]).toEqual(endings[0]);
    expect((await host.call('sessions.resume', { session_id: session.id })).status).toBe('running');
  });
});
