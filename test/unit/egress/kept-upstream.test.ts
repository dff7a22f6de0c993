// A server that answers what it has not read: requests for it wait here no longer than one of them.
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { createAskedNames } from '../../../sandbox-engine/egress/asked-names.ts';
import { cutConnection, openConnection, type Sandbox } from '../../../sandbox-engine/egress/connection.ts';
import { serveHttp } from '../../../sandbox-engine/egress/http-relay.ts';
import { createLeg, dropLeg, type Leg, writeLeg } from '../../../sandbox-engine/egress/leg.ts';
import { egressLimits } from '../../../sandbox-engine/egress/limits.ts';
import { type Handle, listenSocket } from '../../../sandbox-engine/egress/listen-socket.ts';
import { loadPolicy } from '../../../sandbox-engine/egress/loaded-policy.ts';
import { createShare } from '../../../sandbox-engine/egress/share.ts';
import { createSyntheticPool } from '../../../sandbox-engine/egress/synthetic-pool.ts';
import { createTurns } from '../../../sandbox-engine/egress/turns.ts';
import { startWatch } from '../../../sandbox-engine/egress/watch.ts';

let closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing) await close();
  closing = [];
});

/** A server that reads nothing yet, and an end to it for which bytes wait already. */
const deafServer = async (leg: Leg): Promise<Socket> => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => void sockets.push(socket.on('error', () => undefined).pause()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  leg.socket.connect((server.address() as { port: number }).port, '127.0.0.1');
  await vi.waitFor(() => expect(sockets).toHaveLength(1));
  const [socket] = sockets as [Socket];
  closing.push(
    () => socket.destroy(),
    () => server.close(),
  );
  while (writeLeg(leg, Buffer.alloc(200_000, ' ')));
  return socket;
};

const sandboxWith = (upstream: Leg): Sandbox => {
  const watch = startWatch(100);
  closing.push(watch.stop);
  const policy = { version: 'v1' as const, rules: [{ action: 'allow' as const, hosts: ['big.test'] }] };
  return {
    ...{ id: 'ses_1', loaded: loadPolicy({ policy, presets: {}, revision: 1 }), connections: new Set(), traffic: { sent: 0, received: 0 } },
    ...{
      pool: createSyntheticPool(),
      asked: createAskedNames(),
      limits: egressLimits,
      turns: upstream.turns,
      watch,
      share: createShare(4),
    },
    dial: async () => ({ ok: true, leg: upstream, address: '20.0.0.1', addressClass: 'public' }),
    log: { note: () => undefined, noteOpen: () => null, forget: () => undefined, flush: () => undefined, stop: () => undefined },
  };
};

const accept = async (): Promise<{ handle: Handle; client: Socket; text: () => string }> => {
  const folder = mkdtempSync(join(tmpdir(), 'sandlot-kept-'));
  const handles: Handle[] = [];
  const listener = await listenSocket(join(folder, 's.sock'), (handle) => handles.push(handle));
  const client = connect(join(folder, 's.sock')).on('error', () => undefined);
  let text = '';
  client.on('data', (bytes) => {
    text += bytes.toString();
  });
  await vi.waitFor(() => expect(handles).toHaveLength(1));
  closing.push(
    () => client.destroy(),
    () => listener.close(),
    () => rmSync(folder, { recursive: true, force: true }),
  );
  return { handle: handles[0] as Handle, client, text: () => text };
};

test('a request on a kept connection waits until the server has read what was sent before', async () => {
  const upstream = createLeg(createTurns()());
  closing.push(() => dropLeg(upstream));
  const server = await deafServer(upstream);
  const { handle, client, text } = await accept();
  const connection = openConnection(sandboxWith(upstream), handle);
  const place = { port: 80, host: { host: 'big.test', kind: 'name' as const }, literal: null, isSentinel: false };
  const served = serveHttp(connection, { mode: 'place', place });

  const before = upstream.sent;
  client.write('GET /1 HTTP/1.1\r\nHost: big.test\r\n\r\n');
  await vi.waitFor(() => expect(upstream.sent).toBeGreaterThan(before));
  const afterOne = upstream.sent;
  server.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
  await vi.waitFor(() => expect(text()).toContain('200 OK'));
  client.write('GET /2 HTTP/1.1\r\nHost: big.test\r\n\r\n');
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(upstream.sent).toBe(afterOne);

  let read = '';
  server.on('data', (bytes) => {
    read += bytes.toString('latin1').trim();
  });
  server.resume();
  await vi.waitFor(() => expect(read).toContain('GET /2'));
  cutConnection(connection, 'gate_down', 'The test is over.');
  await served;
});
