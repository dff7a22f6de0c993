// The way of runtimes in virtual machines, forced on the runtimes of this one: a gate without any interface, a carrier beside it that may
// reach one port of the host and nothing else, and that port, which answers to the token alone.
// Source: NETWORK.md 3.3, H07, H09-H12; issue 4 ("The TCP variant").
import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CarriedPlace } from '../../sandbox-engine/egress/carried-door.ts';
import { carrierName, socketVolumeName } from '../../sandbox-engine/gate/carrier-container.ts';
import { gateName } from '../../sandbox-engine/gate/gate-container.ts';
import { createGates } from '../../sandbox-engine/gate/gates.ts';
import { addressPattern, type Capture, canCapture, startCapture } from '../runtime/support/capture.ts';
import { probeAddress } from '../runtime/support/closed-probes.ts';
import { openGateHouse } from '../runtime/support/gate-house.ts';
import { until } from '../runtime/support/real-host.ts';
import { testRuntimes } from '../runtime/support/test-image.ts';
import { buildWorld, type World } from './world.ts';

type House = Awaited<ReturnType<typeof openGateHouse>>;

/** What a program reads back after it has sent something, or why nothing. */
const talk = (address: string, port: number, hex = ''): string[] => [
  ...['perl', '-MSocket', '-e'],
  String.raw`$SIG{ALRM} = sub { print "late\n"; exit }; alarm 4; $| = 1;
socket(my $tcp, AF_INET, SOCK_STREAM, 0); connect($tcp, sockaddr_in($ARGV[1], inet_aton($ARGV[0]))) or do { print "no: $!\n"; exit };
syswrite($tcp, pack('H*', $ARGV[2])) if $ARGV[2]; my $got = sysread($tcp, my $text, 4096); print defined $got && $got ? "got $text" : "closed\n";`,
  ...[address, String(port), hex],
];

/** Which of some ports of an address take a connection within a moment. */
const scan = (address: string, ports: readonly number[]): string[] => [
  ...['perl', '-MSocket', '-e'],
  String.raw`my ($address, @ports) = @ARGV; my @open;
for my $port (@ports) {
  socket(my $tcp, AF_INET, SOCK_STREAM | 2048, 0); connect($tcp, sockaddr_in($port, inet_aton($address)));
  my $ready = ''; vec($ready, fileno $tcp, 1) = 1; select(undef, $ready, undef, 0.03) or next;
  push @open, $port if getpeername $tcp;
}
print "open @open\n";`,
  address,
  ...ports.map(String),
];

const markOf = (id: string): string => {
  const bytes = Buffer.from(id, 'latin1');
  const length = (count: number) => count.toString(16).padStart(4, '0');
  return `0d0a0d0a000d0a515549540a2000${length(bytes.length + 3)}05${length(bytes.length)}${bytes.toString('hex')}`;
};

const get = (name: string): string =>
  `exec 3<>/dev/tcp/${name}/80 && printf 'GET / HTTP/1.1\\r\\nHost: ${name}\\r\\nConnection: close\\r\\n\\r\\n' >&3 && tr -d '\\r' <&3 | sed -n '1p;$p'`;

describe.each(testRuntimes)('a gate that reaches the host over TCP, on $kind', (place) => {
  let house: House;
  let world: World;
  let capture: Capture | null = null;
  const places = new Map<string, CarriedPlace>();

  const listenFor = (sandboxId: string) => async (folder: string, carried?: CarriedPlace) => {
    if (carried === undefined) throw new Error('no carrier');
    if (places.get(sandboxId)?.token === carried.token) return;
    places.set(sandboxId, carried);
    await world.openSandbox(sandboxId, undefined, { carried }, folder);
  };
  const open = async () => {
    const id = house.newSandboxId();
    const one = await house.openBehind({ listen: listenFor(id) }, id);
    const carried = places.get(id);
    if (carried === undefined) throw new Error('nobody listens');
    const carrier = (await house.runtime.inspectContainer(carrierName(id)))?.id ?? '';
    return { ...one, carried, carrier, owner: { runtimeId: 'test', sandboxId: id, kind: 'session' as const } };
  };
  type Opened = Awaited<ReturnType<typeof open>>;
  const inside = async ({ containerId }: Opened, script: string) =>
    (await house.run(containerId, ['bash', '-c', `exec 2>&1; ${script}`])).text;
  const drop = async ({ owner, containerId }: Opened) => {
    await house.gates.rest(owner);
    await house.runtime.removeContainer(containerId);
    await house.gates.close(owner);
    await world.proxy.close(owner.sandboxId);
  };

  beforeAll(async () => {
    world = await buildWorld({ limits: { tellMs: 10 } });
    house = await openGateHouse({ ...place, forcedWay: 'tcp' });
    await house.gates.ensureImage('test', new AbortController().signal, () => undefined);
    if (canCapture) capture = await startCapture([addressPattern(probeAddress)]);
  }, 300_000);
  afterAll(async () => {
    await capture?.stop();
    await house.removeAll();
    await world.close();
  });

  test('everything works as over sockets, in a namespace that has loopback alone', async () => {
    const one = await open();
    expect(await inside(one, 'ls /sys/class/net; cat /proc/net/route | wc -l')).toMatch(/^lo\n/);
    expect(await inside(one, get('plain.test'))).toBe('HTTP/1.1 200 OK\nhttp:plain.test');
    expect(await inside(one, get('blocked.test'))).toContain('403 Forbidden');
    expect((await house.run(one.containerId, ['getent', 'ahostsv4', 'blocked.test'])).text).toMatch(/^198\.18\.0\.2 /);
    const attempts = await world.attempted(one.id, (all) => all.length >= 2);
    expect(attempts.map(({ host, verdict, reason }) => `${host} ${verdict} ${reason}`)).toEqual([
      'plain.test allowed allowed',
      'blocked.test blocked no_rule',
    ]);
    await drop(one);
  });

  test('H10: a sandbox reaches neither the host nor its neighbours, whoever it is inside, and never sees the token', async () => {
    const one = await open();
    const seen: string[] = [];
    const canary = createServer((socket) => {
      seen.push(socket.remoteAddress ?? '');
      socket.destroy();
    });
    await new Promise<void>((resolve) => canary.listen(0, one.carried.address, resolve));
    const { port } = canary.address() as { port: number };
    for (const as of [[], ['sudo'], ['sudo', 'setpriv', '--reuid=61111', '--regid=61111', '--clear-groups']]) {
      const before = world.attemptsOf(one.id).length;
      // Whatever is connected to ends at the gate, which asks the proxy, which refuses.
      for (const to of [one.carried.port, port])
        await house.run(one.containerId, [...as, ...talk(one.carried.address, to, markOf(`${one.carried.token}-proxy`))]);
      const after = await world.attempted(one.id, (all) => all.length > before);
      expect(new Set(after.map(({ verdict }) => verdict))).toEqual(new Set(['blocked']));
      const neighbour = await house.run(one.containerId, [
        ...as,
        'bash',
        '-c',
        `exec 2>&1; echo x >/dev/udp/${one.carried.peer}/9; echo x >/dev/udp/${probeAddress}/9; cat /sys/class/net/*/address`,
      ]);
      expect(neighbour.text.split('\n').at(-1)).toBe('00:00:00:00:00:00');
    }
    expect(seen).toEqual([]);
    const search = `sudo grep -rlsF --exclude-dir=sys ${one.carried.token.slice(0, 20)} /proc/[0-9]*/environ /proc/[0-9]*/cmdline /proc/net /etc /run /tmp /home /var; echo searched`;
    // The search's own command line holds the text.
    expect((await inside(one, search)).split('\n').filter((line) => !line.startsWith('/proc/'))).toEqual(['searched']);
    expect(capture?.hits ?? []).toEqual([]);
    await new Promise((resolve) => canary.close(resolve));
    await drop(one);
  });

  test('H09, H12: a carrier listens at no port and reaches the one port of the host, as the relay alone', async () => {
    const one = await open();
    const servers: Server[] = [];
    const reached: number[] = [];
    for (let count = 0; count < 3; count += 1) {
      const server = createServer((socket) => {
        reached.push(count);
        socket.destroy();
      });
      await new Promise<void>((resolve) => server.listen(0, one.carried.address, resolve));
      servers.push(server);
    }
    const others = servers.map((server) => (server.address() as { port: number }).port);
    const ports = [...others, 22, 53, 80, 443, 2375, one.carried.port, one.carried.port + 1];
    const relay = await house.run(one.carrier, scan(one.carried.address, ports), '61111:61111');
    const root = await house.run(one.carrier, scan(one.carried.address, ports), '0:0');
    expect([relay.text, root.text, reached]).toEqual([`open ${one.carried.port}`, 'open', []]);
    const datagrams = String.raw`use Socket; for (@ARGV) { my ($to, $port) = split /:/; socket(my $udp, AF_INET, SOCK_DGRAM, 0); print "$_ out\n" if defined send($udp, 'x', 0, sockaddr_in($port, inet_aton($to))) } print "tried\n"`;
    const far = [
      '127.0.0.11:53',
      `${one.carried.address}:53`,
      `${one.carried.address}:${one.carried.port}`,
      `${probeAddress}:9`,
      '169.254.169.254:80',
      '224.0.0.251:5353',
    ];
    for (const user of ['61111:61111', '0:0'])
      expect((await house.run(one.carrier, ['perl', '-e', datagrams, ...far], user)).text).toBe('tried');
    // What the runtime itself has there, its name server, listens on loopback alone.
    const listening = `cat /proc/net/if_inet6 2>/dev/null; awk '$4 == "0A" && $2 !~ /7F:/' /proc/net/tcp`;
    expect((await house.run(one.carrier, ['sh', '-c', listening], '0')).text).toBe('');
    expect(capture?.hits ?? []).toEqual([]);
    await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    await drop(one);
  });

  test("the host's port answers to the token of its own carrier, and to nobody else a single byte", async () => {
    const [one, other] = [await open(), await open()];
    const { address, port, token } = one.carried;
    const proxied = Buffer.from(
      '\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c\x01\x02\x03\x04\xc6\x12\0\x01\x1f\x90\x0c\x38GET / HTTP/1.1\r\n\r\n',
      'latin1',
    ).toString('hex');
    const from = async (container: string, hex: string) => (await house.run(container, talk(address, port, hex), '61111:61111')).text;
    expect(await from(one.carrier, markOf(`${token}-proxy`) + proxied)).toMatch(/^got HTTP\/1\.1 400/);
    const wrong = [
      proxied,
      markOf('-proxy') + proxied,
      markOf(`${token}-other`) + proxied,
      markOf(`${token.slice(0, -1)}-proxy`) + proxied,
    ];
    for (const hex of [...wrong, markOf(`${other.carried.token}-proxy`) + proxied]) expect(await from(one.carrier, hex)).toBe('closed');
    // The other carrier's filter does not even let it try; this computer itself comes from another address.
    expect(await from(other.carrier, markOf(`${token}-proxy`) + proxied)).toBe('late');
    const { execFileSync } = await import('node:child_process');
    const [program = '', ...args] = talk(address, port, markOf(`${token}-proxy`) + proxied);
    expect(execFileSync(program, args, { encoding: 'utf8' }).trim()).toBe('closed');
    await Promise.all([drop(one), drop(other)]);
  });

  test('a carrier that dies, and one of a host that died, is made anew with another token, and the sandbox goes on', async () => {
    const one = await open();
    const known = { ...one.owner, listen: listenFor(one.id) };
    await house.run(one.containerId, ['bash', '-c', 'setsid sleep 4711 >/dev/null 2>&1 &']);
    expect([await house.gates.heal(known, one.containerId), places.get(one.id)]).toEqual([{ state: 'whole' }, one.carried]);
    await house.runtime.killContainer(one.carrier);
    await until(
      async () => (await house.runtime.inspectContainer(one.carrier))?.status,
      (status) => status === 'exited',
    );
    expect(await inside(one, get('plain.test'))).not.toContain('200');
    expect(await house.gates.heal(known, one.containerId)).toEqual({ state: 'whole' });
    expect(await inside(one, get('plain.test'))).toContain('http:plain.test');
    const second = places.get(one.id);
    const { runtime, makeLabels, images, places: folders } = house;
    const next = createGates({ runtimeOf: () => runtime, makeLabels, images, places: folders });
    expect(await next.heal(known, one.containerId)).toEqual({ state: 'whole' });
    expect(new Set([one.carried.token, second?.token, places.get(one.id)?.token]).size).toBe(3);
    expect(await inside(one, get('plain.test'))).toContain('http:plain.test');
    expect((await inside(one, 'pgrep -c -f "sleep 4711"')).trim()).not.toBe('0');
    await house.gates.rest(one.owner);
    expect(await house.runtime.inspectContainer(carrierName(one.id))).toBeNull();
    await house.runtime.stopContainer(one.containerId, 1);
    await next.resume(known);
    await house.runtime.startContainer(one.containerId);
    expect(await inside(one, get('plain.test'))).toContain('http:plain.test');
    await drop(one);
    const left = await Promise.all([gateName(one.id), carrierName(one.id)].map((name) => house.runtime.inspectContainer(name)));
    const volumes = await house.runtime.listVolumes({ 'dev.sandlot.home': house.home });
    expect([left, volumes.filter(({ name }) => name === socketVolumeName(one.id))]).toEqual([[null, null], []]);
  });

  test('H11: without its filter a carrier does not start, so no sandbox does either, and nothing is left of it', async () => {
    const id = house.newSandboxId();
    const { makeLabels, images, places: folders } = house;
    // A runtime that does not let a container have the right to filter.
    const runtime = {
      ...house.runtime,
      createContainer: (spec: Parameters<House['runtime']['createContainer']>[0]) =>
        house.runtime.createContainer({ ...spec, capAdd: (spec.capAdd ?? []).filter((right) => right !== 'NET_ADMIN') }),
    };
    const gates = createGates({ runtimeOf: () => runtime, makeLabels, images, places: folders, forcedWay: 'tcp' });
    await expect(gates.open(house.request(id, { listen: listenFor(id) }))).rejects.toMatchObject({
      code: 'gate_failed',
      message: expect.stringContaining('filter'),
    });
    const left = await house.runtime.listContainers({ 'dev.sandlot.session': id });
    expect([left, await house.runtime.listVolumes({ 'dev.sandlot.session': id })]).toEqual([[], []]);
  });
});
