import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { encode } from 'dns-packet';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { connectTo, get, tls } from '../egress/corpus/row.ts';
import { askDns, connectGate, explicitProxy, type GateConnection, proxyHeader } from '../egress/gate-client.ts';
import { tokensOf } from '../egress/run-row.ts';
import { openStraight, openTunnel, seeItWork, shortLimits } from '../egress/short-limits.ts';
import { buildWorld, type World } from '../egress/world.ts';

let world: World;
let folder: string;
let neighbour: string;
let count = 0;
let sandboxId: string;

const stall = (socket: Socket): void => void socket.pause();

beforeAll(async () => {
  world = await buildWorld({ limits: shortLimits, answers: { 'big.test': stall } });
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
test('G16: beyond its limit a sandbox gets no connection, its names and its neighbours are served', async () => {
  // Nothing ends by itself meanwhile, however slow this machine is.
  const patient = await buildWorld({ limits: { ...shortLimits, headMs: 60_000 } });
  const [own, other] = [await patient.openSandbox('ses_own'), await patient.openSandbox('ses_other')];
  const held = Array.from({ length: 260 }, () => connectGate(own, explicitProxy));
  await Promise.race(held.map((connection) => connection.closed()));
  expect((await askDns(own, 'allowed.test')).answers).toHaveLength(1);
  await seeItWork(other);
  const attempts = await patient.attempted('ses_own', (list) => list.reduce((sum, attempt) => sum + attempt.count, 0) >= 60);
  expect(attempts[0]).toMatchObject({ reason: 'limit_exceeded', host: null, detail: 'The sandbox has too many connections open.' });
  expect(attempts.reduce((sum, attempt) => sum + attempt.count, 0)).toBe(60);
  for (const { socket } of held) socket.destroy();
  await expect
    .poll(() =>
      seeItWork(own).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
  await patient.close();
});

test('J04: an upload to a server that does not read is held back, not kept', async () => {
  const connection = await straight('big.test', 80);
  connection.send('POST / HTTP/1.1\r\nHost: big.test\r\nContent-Length: 5368709120\r\n\r\n');
  const piece = Buffer.alloc(1_048_576);
  const before = process.memoryUsage().rss;
  let pushed = 0;
  const push = () => {
    while (pushed < 512 && connection.socket.write(piece)) pushed += 1;
    pushed += 1;
  };
  connection.socket.on('drain', push);
  push();
  await connection.closed(); // At the idle limit.
  expect(pushed).toBeLessThan(32);
  expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1_048_576);
});

const descriptors = (): number => readdirSync('/proc/self/fd').length;
const settled = async (wanted: number): Promise<number> => {
  const until = performance.now() + 5_000;
  while (descriptors() > wanted && performance.now() < until) await new Promise((resolve) => setImmediate(resolve));
  return descriptors();
};

test.skipIf(process.platform !== 'linux')('X-05: clients that vanish leave nothing behind, and nobody else notices', async () => {
  await neighbourWorks();
  const stays = await tunnel('ssh.test:22');
  const before = descriptors();
  world.answers.set('allowed.test', ['silent']);
  const resolving = Array.from({ length: 100 }, () => connectGate(folder, explicitProxy));
  for (const connection of resolving) connection.send(connectTo('allowed.test:443'));
  const asked = world.questions.length;
  const half = connectGate(folder, explicitProxy);
  half.send('CONNECT allowed.te');
  await stays.until(() => world.questions.length >= asked);
  for (const connection of resolving) connection.socket.destroy();
  const refused = Array.from({ length: 100 }, () => connectGate(folder, explicitProxy));
  for (const connection of refused) connection.send(connectTo('blocked.test:443'));
  await Promise.all(refused.map((connection) => connection.until((text) => text.includes('403'))));
  for (const connection of refused) connection.socket.destroy();
  const tunnels = await Promise.all(Array.from({ length: 90 }, () => tunnel('ssh.test:22')));
  for (const connection of tunnels) connection.send('x'.repeat(100_000));
  for (const connection of tunnels) connection.socket.destroy();
  await half.closed();
  stays.send('x');
  await stays.until((text) => text.includes('tcp:'));
  world.answers.clear();
  expect(await settled(before)).toBeLessThanOrEqual(before);
  expect([await neighbourWorks(), world.crashes]).toEqual([expect.any(Number), []]);
  stays.socket.destroy();
});

test('J01: a flood of connections is survived, and the neighbour is served during it', async () => {
  const header = proxyHeader(explicitProxy);
  let open = 0;
  let done = 0;
  const flood = new Promise<void>((resolve) => {
    const next = () => {
      if (done >= 3_000) resolve();
      while (open < 150 && done < 3_000) {
        open += 1;
        done += 1;
        const socket = connect(join(folder, 'proxy.sock'));
        socket.on('error', () => undefined);
        socket.on('close', () => {
          open -= 1;
          next();
        });
        socket.on('data', () => socket.destroy());
        socket.write(Buffer.concat([header, Buffer.from(connectTo('blocked.test:443'))]));
      }
    };
    next();
  });
  const times: number[] = [];
  while (done < 3_000) times.push(await neighbourWorks());
  await flood;
  expect(Math.max(...times)).toBeLessThan(2_000);
  expect(world.crashes).toEqual([]);
});

test('J06: packets of every shape reach nobody and break nothing', { timeout: 60_000 }, async () => {
  const asked = world.questions.length;
  const seeds = [
    tls('evil.test'),
    Buffer.from(connectTo('evil.test:443')),
    Buffer.from(get('http://evil.test/', 'evil.test')),
    Buffer.from('SSH-2.0-x\r\n'),
  ];
  const mutated = fc
    .tuple(fc.constantFrom(...seeds), fc.array(fc.tuple(fc.nat(400), fc.nat(255)), { maxLength: 8 }))
    .map(([seed, changes]) => {
      const bytes = Buffer.from(seed);
      for (const [at, value] of changes) bytes[at % bytes.length] = value;
      return bytes;
    });
  const packet = fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
    mutated,
  );
  const header = fc.oneof(
    fc.constant(proxyHeader(explicitProxy)),
    fc.constantFrom('198.18.0.2', '6.6.6.6').map((ip) => proxyHeader({ ip, port: 443 })),
    fc.uint8Array({ minLength: 1, maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
  );
  const property = fc.asyncProperty(header, packet, async (first, second) => {
    const socket = connect(join(folder, 'proxy.sock'));
    socket.on('error', () => undefined);
    socket.resume();
    socket.end(Buffer.concat([first, second]));
    await new Promise((resolve) => socket.on('close', resolve));
  });
  await fc.assert(property, { numRuns: 1_500 });
  await neighbourWorks();
  expect([world.questions.slice(asked).filter((name) => name !== 'allowed.test'), world.crashes]).toEqual([[], []]);
});

test('refusals on one connection do not pile up for a client that does not read them', async () => {
  const connection = connectGate(folder, explicitProxy);
  connection.socket.pause();
  const request = Buffer.from(get('http://blocked.test/', 'blocked.test').repeat(1_000));
  let pushed = 0;
  const push = () => {
    while (pushed < 200 && connection.socket.write(request)) pushed += 1;
    pushed += 1;
  };
  connection.socket.on('drain', push);
  push();
  await world.attempted(sandboxId, (list) => list.some(({ reason }) => reason === 'no_rule'));
  await neighbourWorks();
  expect(pushed).toBeLessThan(50);
  expect(tokensOf(connection.text())).toEqual([]);
  connection.socket.destroy();
});

const questionOf = (name: string): Buffer => {
  const message = encode({ type: 'query', id: 7, questions: [{ type: 'A', name }] });
  return Buffer.concat([Buffer.from([0, message.length]), message]);
};

test.each([
  ['requests that are refused', 'proxy.sock', get('http://b.c/', 'b.c').repeat(2_500)],
  ['questions', 'dns.sock', Buffer.concat(Array<Buffer>(4_000).fill(questionOf('b.c'))).toString('latin1')],
])('%s in a row, on twenty connections, leave the neighbour its turn', async (_what, path, row) => {
  const bytes = Buffer.from(row, 'latin1');
  const sockets = Array.from({ length: 20 }, () => connect(join(folder, path)));
  for (const socket of sockets) {
    socket.on('error', () => undefined).resume();
    if (path === 'proxy.sock') socket.write(proxyHeader(explicitProxy));
    socket.write(bytes);
  }
  await Promise.race(sockets.map((socket) => new Promise((resolve) => socket.once('data', resolve))));
  const times: number[] = [];
  for (let count = 0; count < 10; count++) times.push(await neighbourWorks());
  for (const socket of sockets) socket.destroy();
  expect(times.sort((a, b) => a - b)[5]).toBeLessThan(150);
  expect([Math.max(...times) < 1_000, world.crashes]).toEqual([true, []]);
});

test('requests in a row that are many are not all taken in at once', async () => {
  const socket = connect(join(folder, 'proxy.sock'));
  let heard = 0;
  const enough = new Promise<void>((resolve) => {
    socket.on('data', (bytes: Buffer) => {
      heard += bytes.length;
      if (heard >= 1_000_000) resolve();
    });
  });
  socket.on('error', () => undefined).write(proxyHeader(explicitProxy));
  const row = Buffer.from(get('http://blocked.test/', 'blocked.test').repeat(500));
  for (let count = 0; count < 2_000; count++) socket.write(row);
  await enough;
  expect(socket.bytesWritten - socket.writableLength).toBeLessThan(4_000_000);
  socket.destroy();
});
