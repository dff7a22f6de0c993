import type { Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { connectTo, get, tls } from '../egress/corpus/row.ts';
import { connectGate, explicitProxy, type GateConnection } from '../egress/gate-client.ts';
import { openStraight, openTunnel, seeItWork, shortLimits } from '../egress/short-limits.ts';
import { buildWorld, type World } from '../egress/world.ts';

let world: World;
let folder: string;
let neighbour: string;
let count = 0;
let sandboxId: string;

const halves = (socket: Socket): void => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf');

/** A body of as many bytes as the path says. */
const sized = (socket: Socket, bytes: Buffer): void => {
  const length = Number(/^GET \/(\d+)/.exec(bytes.toString('latin1'))?.[1]);
  socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\n\r\n${'x'.repeat(length)}`);
};

beforeAll(async () => {
  world = await buildWorld({ limits: shortLimits, answers: { 'corp.test': halves, 'big.test': sized } });
  neighbour = await world.openSandbox('ses_neighbour');
});
afterAll(async () => {
  await world.close();
});
beforeEach(async () => {
  count += 1;
  sandboxId = `ses_limit${count}`;
  folder = await world.openSandbox(sandboxId);
});

const straight = (name: string, port: number): Promise<GateConnection> => openStraight(folder, name, port);
const tunnel = (authority: string): Promise<GateConnection> => openTunnel(folder, authority);
const neighbourWorks = (): Promise<number> => seeItWork(neighbour);
const reasons = async (isThere: (all: string[]) => boolean): Promise<string[]> =>
  (await world.attempted(sandboxId, (list) => isThere(list.map(({ reason }) => reason)))).map(({ reason }) => reason);
/** Sends a byte at a time until the other side has had enough; answers how long that took. */
const trickle = async (connection: GateConnection, bytes: Buffer): Promise<number> => {
  const began = performance.now();
  let at = 0;
  const timer = setInterval(() => {
    if (at < bytes.length) connection.socket.write(bytes.subarray(at, at + 1));
    at += 1;
  }, 40);
  await connection.closed();
  clearInterval(timer);
  return performance.now() - began;
};

test('D14: a head that comes byte by byte is closed in time, and others are served meanwhile', async () => {
  const slow = Array.from({ length: 100 }, () =>
    trickle(connectGate(folder, explicitProxy), Buffer.from(get('http://plain.test/', 'plain.test', 'X-A: 1\r\n'.repeat(20)))),
  );
  await neighbourWorks();
  const took = await Promise.all(slow);
  expect(Math.min(...took)).toBeGreaterThan(shortLimits.headMs - 100);
  expect(new Set(await reasons((all) => all.length > 0))).toEqual(new Set(['limit_exceeded']));
});

test('E06: a greeting that comes byte by byte is closed in time', async () => {
  await trickle(await straight('allowed.test', 443), tls('allowed.test'));
  expect(await reasons((all) => all.length > 0)).toEqual(['limit_exceeded']);
});

test('a connection that says nothing is closed, and the log says what would let it through', async () => {
  const connection = await straight('allowed.test', 443);
  expect(await connection.closed()).toBe('');
  expect(await reasons((all) => all.length > 0)).toEqual(['not_recognised']);
});

test('an idle tunnel is closed, as the allowed attempt that it was', async () => {
  const connection = await tunnel('ssh.test:22');
  await connection.closed();
  const [attempt] = await world.attempted(sandboxId, (list) => list.some(({ duration_ms }) => duration_ms !== null));
  expect(attempt).toMatchObject({ verdict: 'allowed', reason: 'allowed', detail: 'Closed after 1.2 seconds without progress.' });
});

test('a tunnel on which bytes move is not idle', async () => {
  const connection = await tunnel('ssh.test:22');
  const began = performance.now();
  while (performance.now() - began < shortLimits.idleMs * 2) {
    const had = connection.text().length;
    connection.send('x');
    await connection.until((text) => text.length > had);
  }
  expect(connection.isOver()).toBe(false);
  connection.socket.destroy();
});

test('D38: an answer that stops half-way is closed', async () => {
  world.answers.set('corp.test', [{ ok: true, addresses: ['10.1.2.3'], ttlSeconds: 0 }]);
  const connection = await straight('corp.test', 80);
  connection.send(get('/', 'corp.test'));
  expect(await connection.closed()).toContain('half');
  world.answers.clear();
});

test('J03: a tunnel whose server has ended is closed when the client never does', async () => {
  const connection = connectGate(folder, explicitProxy, { allowHalfOpen: true });
  connection.send(connectTo('ssh.test:22'));
  await connection.until((text) => text.includes('established'));
  const began = performance.now();
  for (const socket of world.sinks.get('ssh.test')?.sockets ?? []) socket.end();
  await world.attempted(sandboxId, (list) => list.some(({ duration_ms }) => duration_ms !== null));
  expect(performance.now() - began).toBeGreaterThan(shortLimits.halfOpenMs - 100);
  expect(performance.now() - began).toBeLessThan(shortLimits.idleMs);
  connection.socket.destroy();
});

test('sandboxes that hold all connections together leave every other one a few', async () => {
  const full = await buildWorld({
    limits: { ...shortLimits, headMs: 60_000, connections: 6, connectionsOfSandbox: 6, connectionsKept: 2 },
  });
  const [own, other] = [await full.openSandbox('ses_own'), await full.openSandbox('ses_other')];
  const held = Array.from({ length: 7 }, () => connectGate(own, explicitProxy));
  await Promise.race(held.map((connection) => connection.closed()));
  await seeItWork(other);
  for (const { socket } of held) socket.destroy();
  await full.close();
});

test('who pauses at the end of an answer that is the last of its connection gets all of it', async () => {
  const lengths = Array.from({ length: 20 }, (_, index) => 100_000 + 20_000 * index);
  const paused = lengths.map((length) => {
    const connection = connectGate(folder, explicitProxy);
    connection.socket.pause();
    connection.send(get(`http://big.test/${length}`, 'big.test', 'Connection: close\r\n'));
    return connection;
  });
  // Longer than a refused one may linger, and not as long as one may be idle.
  await new Promise((resolve) => setTimeout(resolve, 2 * shortLimits.lingerMs));
  for (const { socket } of paused) socket.resume();
  const texts = await Promise.all(paused.map((connection) => connection.closed()));
  expect(texts.map((text) => text.length - text.indexOf('\r\n\r\n') - 4)).toEqual(lengths);
});
