// A gate under load and under attack: nothing that a sandbox does opens another way, and afterwards everything works as before.
// Source: NETWORK.md G11, G15, G16.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openGateHouse } from '../runtime/support/gate-house.ts';
import { until } from '../runtime/support/real-host.ts';
import { testRuntimes } from '../runtime/support/test-image.ts';

type House = Awaited<ReturnType<typeof openGateHouse>>;
type Opened = Awaited<ReturnType<House['openSandbox']>>;

const prelude = `use strict; use warnings; use Socket; $| = 1; $SIG{PIPE} = 'IGNORE';
sub at { sockaddr_in($_[1], inet_aton($_[0])) }
sub opened { socket(my $tcp, AF_INET, SOCK_STREAM | 2048, 0) or return; connect($tcp, at(@_)); $tcp }
`;

/** Ports of one address that take a connection, as one line. */
const openPorts = String.raw`my @open;
for my $port (1 .. 65535) { socket(my $tcp, AF_INET, SOCK_STREAM, 0); connect($tcp, at($ARGV[0], $port)) or next;
  # On loopback a connection may happen to begin at the very port that it asks for, and then it has met itself.
  push @open, $port if (sockaddr_in(getsockname $tcp))[0] != $port }
print "open @open\n";`;

/** As many connections as the sandbox may have, held for a moment, and what the last one got. */
const hoard = String.raw`my @all; for (1 .. 20000) { my $one = opened('203.0.113.9', 443); last unless $one; push @all, $one }
print "hoarded ", scalar @all, "\n"; select(undef, undef, undef, 3);`;

/** Takes the gate's place as soon as it is free, and has it for eight seconds. */
const takePlace = String.raw`my @all; for my $port (15001, 15054) {
  socket(my $tcp, AF_INET, SOCK_STREAM, 0); setsockopt($tcp, SOL_SOCKET, SO_REUSEADDR, 1);
  select(undef, undef, undef, 0.005) until bind($tcp, at('127.13.13.13', $port)) && listen($tcp, 16); push @all, $tcp }
for (my $until = time + 8; time < $until;) { my $ready = ''; vec($ready, fileno $_, 1) = 1 for @all;
  select($ready, undef, undef, 1) > 0 or next;
  for (@all) { vec($ready, fileno $_, 1) or next; accept(my $one, $_) or next; print {$one} "taken\n"; close $one } }
print "taken\n";`;

const askManyNames = String.raw`my @all; for my $turn (1 .. 100) {
  socket(my $udp, AF_INET, SOCK_DGRAM, 0); connect($udp, at('198.18.0.53', 53));
  for my $number (1 .. 200) { my $name = "n$turn-$number"; send($udp, pack('n6', $number, 0x100, 1, 0, 0, 0) . chr(length $name) . $name . "\4test\0" . pack('n2', 1, 1), 0) }
  push @all, $udp;
} print "asked\n";`;

describe.each(testRuntimes)('a gate on $kind under load', (place) => {
  let house: House;
  let one: Opened;
  let other: Opened;
  beforeAll(async () => {
    house = await openGateHouse(place);
    await house.gates.ensureImage('test', new AbortController().signal, () => undefined);
    other = await house.openSandbox();
  }, 300_000);
  beforeEach(async () => {
    one = await house.openSandbox();
  });
  afterAll(async () => await house.removeAll());

  const perl = (script: string, ...words: string[]) => house.run(one.containerId, ['perl', '-e', prelude + script, ...words]);
  const reach = async ({ containerId }: Opened) => {
    const said = await house.run(containerId, [
      'bash',
      '-c',
      `timeout 2 bash -c 'exec 3<>/dev/tcp/203.0.113.9/443 && head -n1 <&3'; getent ahostsv4 name.test | head -n1`,
    ]);
    return said.text.replaceAll(/ +/g, ' ');
  };
  /** What `one` hears, asked again until all is fine or the time is over. */
  const reachesWithin = (ms: number) =>
    until(
      () => reach(one),
      (said) => said === fine,
      ms,
    );
  const fine = 'to 203.0.113.9:443\n198.18.0.2 STREAM name.test';

  test.each(['127.0.0.1', '127.13.13.13', '198.18.0.10'])('G15: no port of %s answers', async (address) => {
    expect((await perl(openPorts, address)).text).toBe('open');
    expect(await reach(one)).toBe(fine);
  });

  test('G16: 20,000 connections of one sandbox leave names, itself afterwards, and its neighbour alone', async () => {
    expect((await perl(hoard)).text).toMatch(/^hoarded \d{3,}$/);
    expect(await reachesWithin(30_000)).toBe(fine);
    expect(await reach(other)).toBe(fine);
  });

  test('a flood of questions is bounded, and names are answered afterwards', async () => {
    expect((await perl(askManyNames)).text).toBe('asked');
    expect(await reachesWithin(30_000)).toBe(fine);
  });

  test('G11: a relay that is killed is back in a moment, and meanwhile nothing has another way', async () => {
    const kill = 'for p in /proc/[0-9]*; do grep -qa "^sandlot-gate relay" $p/cmdline && { kill -9 "${p#/proc/}"; exit; }; done; exit 1';
    expect(await house.run(one.gateId, ['bash', '-c', kill], '61111:61111')).toMatchObject({ code: 0 });
    expect(await reachesWithin(10_000)).toBe(fine);
    expect((await house.runtime.inspectContainer(one.gateId))?.status).toBe('running');
  });

  test("a program that takes the gate's place while the gate is dead keeps its sandbox cut off, which is told, until it ends", async () => {
    const known = { runtimeId: 'test', sandboxId: one.id, kind: 'session' as const, listen: house.listenFor(one.id) };
    const thief = perl(takePlace);
    await house.runtime.killContainer(one.gateId);
    await until(
      () => reach(one),
      (said) => said.startsWith('taken'),
      10_000,
    );
    expect(await house.gates.heal(known, one.containerId)).toEqual({
      state: 'cut_off',
      reason: expect.stringContaining("has taken the gate's place at 127.13.13.13:15001 127.13.13.13:15054"),
    });
    expect((await thief).text).toBe('taken');
    expect(
      await until(
        () => house.gates.heal(known, one.containerId),
        ({ state }) => state !== 'cut_off',
      ),
    ).toEqual({ state: 'mended' });
    expect(await reachesWithin(10_000)).toBe(fine);
  });
});
