// Sandboxes that take all they can, on real runtimes: processes, memory, connections, bytes. Their gates and their neighbours go on, and what
// the policy takes back is cut at once. Source: NETWORK.md G17, J01, J03, J04, J07, J08, J13.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { proveGate } from '../../sandbox-engine/gate/prove-gate.ts';
import { until } from '../runtime/support/real-host.ts';
import { testRuntimes } from '../runtime/support/test-image.ts';
import { get, tls } from './corpus/row.ts';
import type { RowConnection } from './gate-client.ts';
import { connectInside, type InsideDriver, startInside } from './inside-sandbox.ts';
import { tokensOf } from './run-row.ts';
import { openWorldHouse, type WorldHouse, type WorldSandbox } from './world-house.ts';

const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';

/** As many children as there may be; says how many there were, and why there were no more. */
const forkAll = String.raw`$| = 1; my $count = 0; my $why = ''; for (1 .. 20000) { my $pid = fork; if (!defined $pid) { $why = "$!"; last } if (!$pid) { sleep 60; exit } $count++ }
print "$count $why\n"; kill 'KILL', -getpgrp 0`;

/** Children of children of children, for five seconds, whatever comes of it. */
const bomb = `timeout -s KILL 5 perl -e 'fork while 1'; pkill -9 -x perl; echo over`;

/** Takes memory until there is none. */
const eatMemory = `perl -e 'my @all; push @all, "x" x 16777216 while 1'; echo "code $?"`;

/** New connections as fast as one process can, for a while; says how many. */
const connectAll = String.raw`use Socket; $SIG{PIPE} = 'IGNORE'; my ($until, $count) = (time + $ARGV[0], 0);
while (time < $until) { for (1 .. 100) { socket(my $tcp, AF_INET, SOCK_STREAM | 2048, 0); connect($tcp, sockaddr_in(443, inet_aton('6.6.6.6'))); $count++ } }
print "$count\n"`;

describe.each(testRuntimes)('a hog on $kind', (place) => {
  let house: WorldHouse;
  let neighbour: WorldSandbox;
  let beside: InsideDriver;
  let one: WorldSandbox;
  let driver: InsideDriver;

  beforeAll(async () => {
    house = await openWorldHouse({ ...place, answers: { 'big.test': (socket) => socket.pause() } });
    neighbour = await house.openWorldSandbox();
    beside = await startInside(house.runtime, neighbour.containerId);
  }, 300_000);
  beforeEach(async () => {
    one = await house.openWorldSandbox();
    driver = await startInside(house.runtime, one.containerId);
    return async () => {
      driver.close();
      await house.runtime.removeContainer(one.containerId);
      await house.gates.close({ runtimeId: 'test', sandboxId: one.sandboxId, kind: 'session' });
    };
  });
  afterAll(async () => {
    beside?.close();
    await house?.closeAll();
  });

  const opened = async (from: InsideDriver, name: string, port: number, send: string | Buffer): Promise<RowConnection> => {
    const connection = await connectInside(from, { name, port });
    connection.send(send);
    return connection;
  };
  /** An allowed request from the neighbour; answers the milliseconds that it took. */
  const neighbourWorks = async (): Promise<number> => {
    const began = performance.now();
    const connection = await opened(beside, 'allowed.test', 443, tls('allowed.test'));
    expect(await connection.until((text) => text.includes('\n'))).toBe('tls:allowed.test\n');
    connection.end();
    return performance.now() - began;
  };
  /** As long as the corpus says. */
  const floodSeconds = 30;

  const p95 = (times: number[]): number => times.sort((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.NaN;
  const sandboxWorks = async (): Promise<void> => {
    const said = await until(
      () =>
        house.run(one.containerId, ['getent', 'ahostsv4', 'allowed.test']).catch((thrown: Error) => ({ code: null, text: thrown.message })),
      ({ code }) => code === 0,
      20_000,
    );
    expect(said.text).toMatch(/^198\.1[89]\./);
  };
  const gateWorks = async (): Promise<void> => {
    expect((await proveGate(house.runtime, one.gateId)).passed).toBe(true);
  };

  test('G17: a sandbox has a limit of processes, and its gate is not counted in it', async () => {
    const said = house.run(one.containerId, ['setsid', '-w', 'perl', '-e', forkAll]);
    await gateWorks();
    const [count = '', ...why] = (await said).text.split(' ');
    expect([Number(count) > 500 && Number(count) < 4_096, why.join(' ')]).toEqual([
      true,
      expect.stringMatching(/temporarily unavailable|allocate memory/),
    ]);
    await sandboxWorks();
  });

  test('G17: a fork bomb and a memory hog end nothing but themselves', async () => {
    const bombed = house.run(one.containerId, ['bash', '-c', bomb]).catch(() => null);
    const times = [await neighbourWorks(), await neighbourWorks()];
    await gateWorks();
    await bombed;
    const eaten = house.run(one.containerId, ['bash', '-c', eatMemory]).catch(() => null);
    times.push(await neighbourWorks());
    await gateWorks();
    await eaten;
    expect(Math.max(...times)).toBeLessThan(5_000);
    await sandboxWorks();
    expect((await house.runtime.inspectContainer(one.containerId))?.status).toBe('running');
  });

  test('J01, J13: a flood of connections is slowed down and summed up, and the neighbour is served', async () => {
    const quiet: number[] = [];
    for (let count = 0; count < 20; count++) quiet.push(await neighbourWorks());
    const before = house.world.attempts.length;
    let over = false;
    const floods = Promise.all([1, 2, 3].map(() => house.run(one.containerId, ['perl', '-e', connectAll, String(floodSeconds)]))).finally(
      () => {
        over = true;
      },
    );
    const busy: number[] = [];
    while (!over) busy.push(await neighbourWorks());
    const tried = (await floods).reduce((sum, { text }) => sum + Number(text), 0);
    process.stderr.write(
      `${place.kind}: ${tried} connections in ${floodSeconds} s; the neighbour's p95 ${p95(quiet).toFixed(1)} ms before, ${p95(busy).toFixed(1)} ms meanwhile\n`,
    );
    expect([tried > 1_000, p95(busy) < 1_000, house.world.crashes]).toEqual([true, true, []]);
    const lines = house.world.attempts.slice(before).filter(({ sandbox_id }) => sandbox_id === one.sandboxId);
    expect(lines.length).toBeLessThan(3_000);
    await sandboxWorks();
  });

  test('J04: an upload to a server that does not read is held back, not kept', async () => {
    const before = process.memoryUsage().rss;
    const script = `exec 3<>/dev/tcp/big.test/80; printf 'POST / HTTP/1.1\\r\\nHost: big.test\\r\\nContent-Length: 5368709120\\r\\n\\r\\n' >&3; timeout 4 dd if=/dev/zero bs=1M count=5000 2>/tmp/dd >&3; grep -o '^[0-9]* bytes' /tmp/dd || echo '0 bytes'`;
    await house.run(one.containerId, ['bash', '-c', `${script}; echo done`]);
    const sink = house.world.sinks.get('big.test');
    expect([process.memoryUsage().rss - before < 128 * 1_048_576, sink?.connections()]).toEqual([true, 1]);
    await neighbourWorks();
  });

  test('J03: clients that never read and never close keep nobody else from anything', async () => {
    const held = await Promise.all(Array.from({ length: 100 }, () => opened(driver, 'allowed.test', 443, tls('allowed.test'))));
    await Promise.all(held.map((connection) => connection.until((text) => text.includes('\n'))));
    expect(await neighbourWorks()).toBeLessThan(2_000);
    await sandboxWorks();
  });

  test('J07: what is taken back is closed within a second: an idle tunnel, a WebSocket, a download', async () => {
    const idle = await opened(driver, 'allowed.test', 443, tls('allowed.test'));
    await idle.until((text) => text.includes('\n'));
    const socket = await opened(driver, 'plain.test', 80, get('/', 'plain.test', upgrade));
    await socket.until((text) => tokensOf(text).includes('101'));
    const download = await opened(driver, 'big.test', 80, get('/', 'big.test'));
    await house.world.attempted(one.sandboxId, (list) => list.some(({ host }) => host === 'plain.test'));
    const began = performance.now();
    expect(await house.world.setPolicy(one.sandboxId, { version: 'v1', rules: [] })).toEqual({ closed: 3 });
    await Promise.all([idle.closed(), socket.closed(), download.closed()]);
    expect(performance.now() - began).toBeLessThan(1_000);
    const attempts = await house.world.attempted(
      one.sandboxId,
      (list) => list.filter(({ reason }) => reason === 'policy_changed').length >= 3,
    );
    expect(
      attempts
        .filter(({ reason }) => reason === 'policy_changed')
        .map(({ host }) => host)
        .sort(),
    ).toEqual(['allowed.test', 'big.test', 'plain.test']);
  });

  test('J08: what is allowed from now on is written down with its revision', async () => {
    await house.world.setPolicy(one.sandboxId, { version: 'v1', rules: [{ action: 'allow', hosts: ['evil.test'] }] }, { revision: 9 });
    const connection = await opened(driver, 'evil.test', 443, tls('evil.test'));
    expect(await connection.until((text) => text.includes('\n'))).toBe('tls:evil.test\n');
    connection.end();
    expect(await house.world.attempted(one.sandboxId, (list) => list.some(({ host }) => host === 'evil.test'))).toMatchObject([
      { host: 'evil.test', verdict: 'allowed', policy_revision: 9 },
    ]);
  });
});
