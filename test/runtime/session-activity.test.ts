// Ports, use of the machine and what was typed, on real runtimes, in a session that has no network at all.
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ForwardWish, Session, SessionPorts } from '../../sandbox-engine/contract/model.ts';
import { measureWorkspace } from '../../sandbox-engine/session/measure-workspace.ts';
import { createPorts, type Ports } from '../../sandbox-engine/session/ports.ts';
import { readTyped } from '../../sandbox-engine/session/shell-history.ts';
import { anEnvironment, aPlan, openSessionHouse } from './support/session-house.ts';
import { ensureTestImage, testRuntimes } from './support/test-image.ts';

type House = Awaited<ReturnType<typeof openSessionHouse>>;

/** Listens at loopback alone, hears each connection to its end, then says how much that was; `hang` is never read. */
const server = (port: number) =>
  `perl -MSocket -e 'socket(S,PF_INET,SOCK_STREAM,0);setsockopt(S,SOL_SOCKET,SO_REUSEADDR,1);bind(S,sockaddr_in(${port},inet_aton("127.0.0.1")));listen(S,9);` +
  `$SIG{CHLD}="IGNORE";while(accept(C,S)){if(fork){close C;next}sysread(C,$b,4);sleep 60 if $b eq "hang";$n=length $b;while($r=sysread(C,$b,65536)){$n+=$r}syswrite(C,"got $n\\n");exit}' </dev/null >/dev/null 2>&1 &`;

const open = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true }, () => resolve(socket));
    socket.once('error', reject);
  });

/** Says all of it, ends its own half, and hears what is said then. */
const exchange = async (port: number, bytes: Buffer): Promise<string> => {
  const socket = await open(port);
  let heard = '';
  socket.on('data', (piece: Buffer) => {
    heard += piece.toString();
  });
  socket.end(bytes);
  await new Promise((resolve) => socket.once('close', resolve));
  return heard;
};

describe.each(testRuntimes)('what goes on in a session on $kind', (where) => {
  let house: House;
  let session: Session;
  let ports: Ports;
  let forwards: ForwardWish[] = [];
  const told: SessionPorts[] = [];

  const now = async (): Promise<Session> => ({ ...(await house.sessions.get(session.id)), forwards });
  const inside = async (script: string): Promise<string> => {
    const { id } = await house.sessions.startExec(session.id, { command: ['bash', '-c', script] });
    return await house.textOf((await house.sessions.getExec(id, 30)).stdout_stream_id);
  };

  beforeAll(async () => {
    house = await openSessionHouse(where);
    const environment = anEnvironment({ network_policy: { version: 'v1', rules: [] } });
    const launched = await house.sessions.launch(aPlan(environment, await ensureTestImage(where.socket)));
    session = await house.sessions.launched(launched.id);
    ports = createPorts({
      runtimeOf: () => house.runtime,
      sessionOf: now,
      keep: async (_id, wishes) => {
        forwards = wishes;
      },
      tell: (state) => void told.push(state),
      touch: () => undefined,
      redactText: (text) => text,
      hiddenUser: 61_111,
    });
  });
  afterAll(async () => {
    await ports.close();
    await house.removeAll();
  });

  test('a port is seen with its program, once and as it comes', async () => {
    ports.watch(await now());
    await inside(server(4001));
    const wanted = expect.objectContaining({ port: 4001, addresses: ['127.0.0.1'], process: 'perl' });
    expect((await ports.list(await now())).listening).toEqual([wanted]);
    await expect.poll(() => told.at(-1)?.listening, { timeout: 10_000 }).toEqual([wanted]);
  });

  test('a forward leads to what listens at loopback alone, whole, with half-closed ends, past one that hangs', async () => {
    const { local_port: port } = await ports.forward(await now(), 4001);
    const hanging = await open(port);
    hanging.write(Buffer.concat([Buffer.from('hang'), Buffer.alloc(2_000_000)]));
    const big = Buffer.alloc(8 * 1024 ** 2, 7);
    expect(await Promise.all([exchange(port, big), ...Array.from({ length: 20 }, () => exchange(port, Buffer.from('hello')))])).toEqual([
      `got ${big.length}\n`,
      ...Array.from({ length: 20 }, () => 'got 5\n'),
    ]);
    hanging.destroy();
  });

  test('a port that nothing listens at ends the connection', async () => {
    const { local_port: port } = await ports.forward(await now(), 4002);
    const socket = await open(port);
    await new Promise((resolve) =>
      socket
        .on('error', () => undefined)
        .once('end', resolve)
        .once('close', resolve)
        .resume(),
    );
    socket.destroy();
    await ports.stop(await now(), 4002);
    await expect(open(port)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  test('processor time and memory are what the programs inside used', async () => {
    const id = session.container_id ?? '';
    const before = await house.runtime.readCounters(id);
    // Its own time, so that it is the same on a busy machine.
    await inside(`perl -e 'for (;;) { 1 for 1 .. 100_000; my ($user, $system) = times; last if $user + $system >= 1 }'`);
    const after = await house.runtime.readCounters(id);
    const seconds = ((after?.cpuNs ?? 0) - (before?.cpuNs ?? 0)) / 1e9;
    expect(seconds).toBeGreaterThan(0.95);
    expect(seconds).toBeLessThan(2.2);
    await inside(
      `perl -e '$x = "a"; $x x= 200_000_000; open(F, ">", "/tmp/ready"); sleep 30' </dev/null >/dev/null 2>&1 & until [ -e /tmp/ready ]; do sleep 0.1; done`,
    );
    const full = await house.runtime.readCounters(id);
    expect((full?.memoryBytes ?? 0) - (after?.memoryBytes ?? 0)).toBeGreaterThan(190e6);
    expect(full?.memoryLimitBytes).toBe(1024 ** 3);
    expect((await house.runtime.inspectContainer(id))?.cpus).toBe(1);
  });

  test('a workspace has the same size from inside as the runtime says', async () => {
    await inside('cd /workspace && mkdir -p deep/er empty && head -c 70001 /dev/zero > deep/er/file && echo one > "a b"');
    const { volumes } = await house.runtime.readDiskUse(AbortSignal.timeout(30_000));
    expect(await measureWorkspace(house.runtime, session.container_id ?? '')).toBe(
      volumes.find(({ name }) => name === session.volume)?.bytes,
    );
  });

  test('what is typed in a terminal is written down at once, with its time', async () => {
    const terminal = await house.sessions.openTerminal(session.id, { cols: 80, rows: 24 });
    await house.sessions.writeTerminal(terminal.id, Buffer.from('echo "ans$((40 + 2))"\n'));
    await house.until(terminal.stream_id, /ans42[\s\S]*\$ /);
    const { commands } = await readTyped(house.runtime, session.container_id ?? '', (text) => text);
    expect(commands.at(-1)).toEqual({ at: expect.any(String), command: 'echo "ans$((40 + 2))"' });
  });

  test('forwards close with the session and are there again, at the same port, when it is resumed', async () => {
    const [wish] = forwards;
    await house.sessions.stop(session.id);
    ports.settle(await now());
    await expect
      .poll(
        () =>
          open(wish?.local_port ?? 0).then(
            () => 'open',
            () => 'closed',
          ),
        { timeout: 10_000 },
      )
      .toBe('closed');
    await house.sessions.resume(session.id);
    ports.settle(await now());
    await inside(server(4001));
    await expect
      .poll(() => exchange(wish?.local_port ?? 0, Buffer.from('again')).catch(() => 'closed'), { timeout: 10_000 })
      .toBe('got 5\n');
  });
});
