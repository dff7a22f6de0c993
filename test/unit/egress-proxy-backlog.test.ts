// What waits in the kernel because one end does not read: a sandbox may have only so much of it.
import type { Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { get, tls } from '../egress/corpus/row.ts';
import { connectGate, explicitProxy, type GateConnection } from '../egress/gate-client.ts';
import { openStraight, openTunnel, seeItWork, shortLimits } from '../egress/short-limits.ts';
import { buildWorld, type World } from '../egress/world.ts';

const piece = Buffer.alloc(1_048_576);
const grownBytes = 4 * piece.length;

const pouring = new WeakSet<Socket>();

/** Writes without end, as fast as it is taken. */
const pour = (socket: Socket): void => {
  if (pouring.has(socket)) return;
  pouring.add(socket);
  const push = (): void => {
    while (socket.write(piece));
  };
  socket.on('drain', push);
  push();
};

const answerWith = (head: string) => (socket: Socket) => {
  socket.write(head);
  pour(socket);
};

const endless = 'HTTP/1.1 200 OK\r\nContent-Length: 1099511627776\r\n\r\n';
const switched = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n';
const flooded = { waitingOfSandbox: 2 * piece.length, stalledMs: 800, stalledAtTwiceMs: 300 };

let world: World;
let neighbour: string;
let folder: string;
let sandboxId: string;
let count = 0;

beforeAll(async () => {
  world = await buildWorld({
    limits: { ...shortLimits, ...flooded, idleMs: 60_000 },
    answers: {
      'ssh.test': answerWith(''),
      'big.test': (socket, bytes) => answerWith(bytes.includes('pgrade:') ? switched : endless)(socket),
      'a.b.allowed.test': answerWith(''),
      'plain.test': (socket) => void socket.pause(),
    },
  });
  neighbour = await world.openSandbox('ses_neighbour');
});
afterAll(async () => {
  await world.close();
});
beforeEach(async () => {
  count += 1;
  sandboxId = `ses_backlog${count}`;
  folder = await world.openSandbox(sandboxId);
});

const sent = (connection: GateConnection, text: string | Buffer): GateConnection => {
  connection.send(text);
  return connection;
};

/** All that comes is thrown away; resolves once the buffers on the way had reason to grow. */
const readMuch = ({ socket }: GateConnection): Promise<void> =>
  new Promise((resolve) => {
    let read = 0;
    socket.removeAllListeners('data');
    socket.on('data', (bytes) => {
      read += bytes.length;
      if (read > grownBytes) resolve();
    });
  });

const openAt = (name: string): number => world.sinks.get(name)?.sockets.length ?? 0;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const letGo = async (connections: GateConnection[], name: string): Promise<void> => {
  for (const { socket } of connections) socket.destroy();
  await expect.poll(() => openAt(name), { timeout: 5_000 }).toBe(0);
};

const cutInWords =
  /^More than 2 MiB waited on the connections of this sandbox, and on this one what waited was not read for the longest time\.$/;
const ways: [string, string, () => Promise<GateConnection>][] = [
  ['CONNECT', 'ssh.test', async () => sent(await openTunnel(folder, 'ssh.test:22'), 'x')],
  ['plain TCP', 'ssh.test', async () => sent(await openStraight(folder, 'ssh.test', 22), 'x')],
  ['a request to the proxy', 'big.test', async () => sent(connectGate(folder, explicitProxy), get('http://big.test/', 'big.test'))],
  ['HTTP', 'big.test', async () => sent(await openStraight(folder, 'big.test', 80), get('/', 'big.test'))],
  ['TLS', 'a.b.allowed.test', async () => sent(await openStraight(folder, 'a.b.allowed.test', 443), tls('a.b.allowed.test'))],
  [
    'an upgrade',
    'big.test',
    async () =>
      sent(
        await openStraight(folder, 'big.test', 80),
        'GET / HTTP/1.1\r\nHost: big.test\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
      ),
  ],
];

test.each(ways)(
  'downloads by %s that nobody reads any more are ended when too much waits, and it is said why',
  async (_way, name, open) => {
    const all = await Promise.all(Array.from({ length: 20 }, open));
    await Promise.all(all.map(readMuch));
    for (const { socket } of all) socket.pause();
    await expect.poll(() => openAt(name), { timeout: 10_000 }).toBeLessThan(10);
    const cut = await world.attempted(sandboxId, (list) => list.some(({ detail }) => detail?.startsWith('More than') === true));
    expect(cut.find(({ detail }) => detail !== null)).toMatchObject({
      host: name,
      verdict: 'allowed',
      detail: expect.stringMatching(cutInWords),
    });
    // What is within the bound stays as long as it likes.
    await pause(1_000);
    const left = openAt(name);
    expect(left).toBeGreaterThan(0);
    await pause(1_000);
    expect(openAt(name)).toBe(left);
    expect([await seeItWork(neighbour), world.crashes]).toEqual([expect.any(Number), []]);
    await letGo(all, name);
  },
);

test('who takes a little now and then to seem alive is ended too', async () => {
  const all = await Promise.all(Array.from({ length: 20 }, () => openTunnel(folder, 'ssh.test:22')));
  for (const connection of all) connection.send('x');
  await Promise.all(all.map(readMuch));
  for (const { socket } of all) socket.pause();
  const timer = setInterval(() => {
    for (const { socket } of all) socket.read(16_384);
  }, 50);
  await expect.poll(() => openAt('ssh.test'), { timeout: 10_000 }).toBeLessThan(10);
  clearInterval(timer);
  await letGo(all, 'ssh.test');
});

test('who sends all the while and reads nothing is ended too', async () => {
  const all = await Promise.all(Array.from({ length: 20 }, () => openTunnel(folder, 'ssh.test:22')));
  for (const connection of all) connection.send('x');
  await Promise.all(all.map(readMuch));
  for (const { socket } of all) {
    socket.pause();
    pour(socket);
  }
  await expect.poll(() => openAt('ssh.test'), { timeout: 10_000 }).toBeLessThan(10);
  await letGo(all, 'ssh.test');
});

test('uploads that the server does not read are ended when too much waits', async () => {
  const all = await Promise.all(Array.from({ length: 20 }, () => openStraight(folder, 'plain.test', 80)));
  for (const connection of all) connection.send('POST / HTTP/1.1\r\nHost: plain.test\r\nContent-Length: 1099511627776\r\n\r\n');
  for (const { socket } of all) pour(socket);
  await expect.poll(() => all.filter((connection) => connection.isOver()).length, { timeout: 10_000 }).toBeGreaterThan(5);
  expect(all.some((connection) => !connection.isOver())).toBe(true);
  // A server that does not read does not hear of the end either.
  for (const socket of [...(world.sinks.get('plain.test')?.sockets ?? [])]) socket.destroy();
  await letGo(all, 'plain.test');
});

test('who reads all that comes is never ended, however much of it there is', async () => {
  const all = await Promise.all(Array.from({ length: 20 }, () => openTunnel(folder, 'ssh.test:22')));
  for (const connection of all) connection.send('x');
  await Promise.all(all.map(readMuch));
  await pause(3_000);
  expect(all.filter((connection) => connection.isOver())).toEqual([]);
  await letGo(all, 'ssh.test');
});

test('a few that are paused go on where they were, and who has nothing waiting stays beside too much', async () => {
  const idle = await Promise.all(Array.from({ length: 50 }, () => openStraight(folder, 'allowed.test', 443)));
  for (const connection of idle) connection.send(tls('allowed.test'));
  await Promise.all(idle.map((connection) => connection.until((text) => text.includes('\n'))));
  const own = await openTunnel(neighbour, 'ssh.test:22');
  own.send('x');
  await readMuch(own);
  own.socket.pause();
  const all = await Promise.all(Array.from({ length: 20 }, () => openTunnel(folder, 'ssh.test:22')));
  for (const connection of all) connection.send('x');
  await Promise.all(all.map(readMuch));
  for (const { socket } of all) socket.pause();
  await expect.poll(() => openAt('ssh.test'), { timeout: 10_000 }).toBeLessThan(10);
  expect(idle.filter((connection) => connection.isOver())).toEqual([]);
  own.socket.resume();
  await readMuch(own);
  for (const { socket } of idle) socket.destroy();
  await letGo([...all, own], 'ssh.test');
});

test('several sandboxes together are held to what all may have, and who has little of it keeps it', async () => {
  const shared = await buildWorld({
    limits: { ...shortLimits, ...flooded, waiting: 2 * flooded.waitingOfSandbox, waitingOfSandbox: 64 * piece.length, idleMs: 60_000 },
    answers: { 'ssh.test': answerWith('') },
  });
  const folders = await Promise.all(['ses_one', 'ses_two', 'ses_little'].map((id) => shared.openSandbox(id)));
  const held = await Promise.all(
    folders.flatMap((place, index) => Array.from({ length: index === 2 ? 1 : 12 }, () => openTunnel(place, 'ssh.test:22'))),
  );
  for (const connection of held) connection.send('x');
  await Promise.all(held.map(readMuch));
  for (const { socket } of held) socket.pause();
  await expect.poll(() => shared.sinks.get('ssh.test')?.sockets.length, { timeout: 10_000 }).toBeLessThan(12);
  const little = held.at(-1) as GateConnection;
  little.socket.resume();
  await readMuch(little);
  const cut = shared.attempts.filter(({ detail }) => detail?.startsWith('More than') === true);
  expect(new Set(cut.map(({ sandbox_id }) => sandbox_id))).toEqual(new Set(['ses_one', 'ses_two']));
  for (const { socket } of held) socket.destroy();
  await shared.close();
});
