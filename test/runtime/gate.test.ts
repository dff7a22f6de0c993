// A gate on real runtimes: what it proves before a sandbox may join, and that it stays closed, and heals, whatever ends or breaks.
// Source: NETWORK.md 0 (L6, L8, L11), G09, G11, G13. What a gate must not prove is in gate-faults.test.ts.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packContext } from '../../sandbox-engine/container/pack-context.ts';
import { gateName, standInName } from '../../sandbox-engine/gate/gate-container.ts';
import { gateVersion } from '../../sandbox-engine/gate/gate-image.ts';
import { gateChecks } from '../../sandbox-engine/gate/self-test.ts';
import { openGateHouse } from './support/gate-house.ts';
import { until } from './support/real-host.ts';
import { testRuntimes } from './support/test-image.ts';

type House = Awaited<ReturnType<typeof openGateHouse>>;
type Opened = Awaited<ReturnType<House['openSandbox']>>;

const never = new AbortController().signal;

/** What a program in the sandbox reads from an address within two seconds, or why it reads nothing. */
const reach = (ip: string, port: number): string[] => [
  'bash',
  '-c',
  `exec 2>&1; timeout 2 bash -c 'exec 3<>/dev/tcp/${ip}/${port} && head -n1 <&3' || echo "no: $?"`,
];

/** Listens in the gate's place, where the sandbox's root can. */
const takeIt = `socket(S, AF_INET, SOCK_STREAM, 0); setsockopt(S, SOL_SOCKET, SO_REUSEADDR, 1);
  print bind(S, sockaddr_in(15001, inet_aton('127.13.13.13'))) ? 'taken' : $!`;

const owner = (sandboxId: string) => ({ runtimeId: 'test', sandboxId, kind: 'session' as const });

describe.each(testRuntimes)('a gate on $kind', (place) => {
  let house: House;
  beforeAll(async () => {
    house = await openGateHouse(place);
    await house.gates.ensureImage('test', never, () => undefined);
  }, 300_000);
  afterAll(async () => await house.removeAll());

  const known = ({ id }: Pick<Opened, 'id'>) => ({ ...owner(id), listen: house.listenFor(id) });
  const read = async ({ containerId }: Opened, ip = '203.0.113.9', port = 443) => (await house.run(containerId, reach(ip, port))).text;
  const drop = async ({ id, containerId }: Opened) => {
    await house.gates.rest(owner(id));
    await house.runtime.removeContainer(containerId);
    await house.gates.close(owner(id));
  };

  test('the image is made once, and versions that nobody uses are taken away', async () => {
    const first = await house.images.find('test');
    const lines: string[] = [];
    expect([await house.images.ensure('test', never, (line) => lines.push(line)), lines]).toEqual([first, []]);
    const older = await house.runtime.buildImage({
      context: packContext({ dockerfile: `FROM sandlot/gate:${gateVersion}\nUSER 1\n`, files: [] }),
      ...{ dockerfile: 'Dockerfile', tag: 'sandlot/gate:older', onEvent: () => undefined, signal: never },
      labels: house.makeLabels('gate-image', { gateVersion: 'older' }),
    });
    const used = await house.runtime.createContainer({
      ...{ name: `sandlot-test-${house.newSandboxId()}`, image: older, command: ['/bin/true'], env: [], network: 'none' },
      labels: house.makeLabels('probe'),
    });
    await house.gates.removeOrphans('test');
    const whileUsed = await house.runtime.inspectImage('sandlot/gate:older');
    await house.runtime.removeContainer(used);
    await house.gates.removeOrphans('test');
    expect([whileUsed?.id, await house.runtime.inspectImage('sandlot/gate:older'), await house.images.find('test')]).toEqual([
      older,
      null,
      first,
    ]);
  });

  test.each([
    ['handed over', true, `sandlot-gate relay`],
    ['relayed', false, '/usr/sbin/haproxy'],
  ])(
    '%s: every check passes, every address is caught, names are answered, and nothing has any right',
    async (_way, takesSockets, relay) => {
      const id = house.newSandboxId();
      const gate = await house.gates.open(house.request(id, { listen: house.listenFor(id, { takesSockets }) }));
      const proof = await gate.proven;
      expect([proof.checks.map(({ name, passed }) => [name, passed]), proof.capture]).toEqual([
        gateChecks.map((name) => [name, true]),
        'all',
      ]);
      const containerId = await house.createSandbox(id, gate.join);
      await house.runtime.startContainer(containerId);
      const one = { id, containerId, gateId: gate.gateId, host: house.hosts.get(id)! };
      const targets: [string, number][] = [
        ['1.1.1.1', 443],
        ['169.254.169.254', 80],
        ['10.0.0.1', 22],
        ['240.0.0.1', 5],
        ['192.168.65.254', 65_535],
        ['198.18.0.1', 3128],
      ];
      const heard: string[] = [];
      for (const [ip, port] of targets) heard.push(await read(one, ip, port));
      expect(heard).toEqual(targets.map(([ip, port]) => `to ${ip}:${port}`));
      expect((await house.run(containerId, ['getent', 'ahostsv4', 'name.test'])).text).toMatch(/^198\.18\.0\.2 /);
      expect(one.host.names).toContain('name.test');
      const own =
        'getent ahostsv4 localhost "$(hostname)" | cut -d" " -f1 | sort -u; echo 127.0.0.9 added | tee -a /etc/hosts >/dev/null; getent hosts added';
      expect((await house.run(containerId, ['sh', '-c', own], '0')).text).toMatch(/^127\.0\.0\.1\n127\.0\.0\.9 /);
      const rights = `for p in /proc/[0-9]*; do
      echo $(tr '\\0' ' ' <$p/cmdline | cut -c1-40) $(grep -ahE '^(Uid|CapPrm|CapEff|CapBnd|NoNewPrivs|Seccomp):' $p/status | cut -f2)
    done | grep -aE '^(sandlot-gate|/usr/sbin/haproxy)'; find / -xdev -perm /6000 -type f 2>/dev/null`;
      const nobody = '61111 0000000000000000 0000000000000000 0000000000000000 1 2';
      const running = (await house.run(gate.gateId, ['sh', '-c', rights], '0')).text.split('\n').sort();
      expect(running).toHaveLength(3);
      expect(running).toEqual(
        expect.arrayContaining([
          expect.stringMatching(new RegExp(`^${relay} (.* )?${nobody}$`)),
          ...[`sandlot-gate ${nobody}`, `sandlot-gate names ${nobody}`],
        ]),
      );
      expect((await house.run(gate.gateId, ['sh', '-c', 'awk "NR > 1 { print \\$8 }" /proc/net/unix | grep @; echo done'], '0')).text).toBe(
        'done',
      );
      await drop(one);
      expect([await house.runtime.inspectContainer(gateName(id)), await readdir(join(house.folder, 'gates'))]).toEqual([
        null,
        expect.not.arrayContaining([id.slice(-16)]),
      ]);
    },
  );

  test('with the host gone every connection ends at once, and it heals when the host is back', async () => {
    const one = await house.openSandbox();
    const before = await read(one);
    await one.host.close();
    house.hosts.delete(one.id);
    const began = performance.now();
    const meanwhile = await read(one);
    const name = await house.run(one.containerId, ['getent', 'ahostsv4', 'other.test']);
    const tookMs = performance.now() - began;
    const taken = await house.run(one.containerId, ['perl', '-MSocket', '-e', takeIt], '0');
    await known(one).listen(house.places.of(one.id).socketFolder);
    const after = await until(
      () => read(one),
      (said) => said.startsWith('to '),
    );
    expect([before, meanwhile, name.code, taken.text, after]).toEqual([
      'to 203.0.113.9:443',
      expect.stringMatching(/refused/),
      2,
      'Address already in use',
      'to 203.0.113.9:443',
    ]);
    expect(tookMs).toBeLessThan(4_000);
    await drop(one);
  });

  test('G13: a gate that ends cuts its sandbox off; a stand-in mends it and what runs inside runs on', async () => {
    const one = await house.openSandbox();
    await house.run(one.containerId, ['bash', '-c', 'setsid sleep 4711 >/dev/null 2>&1 & echo $! >/tmp/pid']);
    expect(await house.gates.heal(known(one), one.containerId)).toEqual({ state: 'whole' });
    await house.runtime.killContainer(one.gateId);
    await until(
      async () => (await house.runtime.inspectContainer(one.gateId))?.status,
      (status) => status === 'exited',
    );
    expect(await read(one)).toMatch(/refused/);
    expect(await house.gates.heal(known(one), one.containerId)).toEqual({ state: 'mended' });
    expect(await read(one)).toBe('to 203.0.113.9:443');
    expect(await house.gates.heal(known(one), one.containerId)).toEqual({ state: 'whole' });
    expect((await house.run(one.containerId, ['bash', '-c', 'cat /proc/$(cat /tmp/pid)/cmdline'])).text).toContain('4711');
    // Stopped and resumed: the gate itself again, in a namespace of its own.
    await house.runtime.stopContainer(one.containerId, 1);
    await house.gates.rest(owner(one.id));
    expect(await house.runtime.inspectContainer(standInName(one.id))).toBe(null);
    await house.gates.resume(known(one));
    await house.runtime.startContainer(one.containerId);
    expect([await read(one), await house.gates.heal(known(one), one.containerId)]).toEqual(['to 203.0.113.9:443', { state: 'whole' }]);
    await drop(one);
  });

  test('G13: a gate that somebody restarted has another namespace: the sandbox is cut off, and mended', async () => {
    const one = await house.openSandbox();
    await house.runtime.stopContainer(one.gateId, 0);
    await house.runtime.startContainer(one.gateId);
    expect(await read(one)).toMatch(/refused/);
    expect(await house.gates.heal(known(one), one.containerId)).toEqual({ state: 'mended' });
    expect(await read(one)).toBe('to 203.0.113.9:443');
    await drop(one);
  });

  test('G14: a sandbox whose gate was removed is not started again on any other network', async () => {
    const one = await house.openSandbox();
    await house.runtime.stopContainer(one.containerId, 0);
    const removed = house.runtime.removeContainer(one.gateId);
    if (place.kind === 'podman') {
      await expect(removed).rejects.toMatchObject({ message: expect.stringContaining('dependent') });
      return await drop(one);
    }
    await removed;
    await expect(house.gates.resume(known(one))).rejects.toMatchObject({
      code: 'gate_failed',
      message: expect.stringContaining('removed'),
    });
    await expect(house.runtime.startContainer(one.containerId)).rejects.toMatchObject({ code: 'runtime_error' });
    await drop(one);
  });

  test('where addresses cannot be translated the ports of the policy are caught, and no other goes anywhere', async () => {
    const id = house.newSandboxId();
    const gate = await house.gates.open(house.request(id, { capture: 'ports', ports: [2222] }));
    const { capture } = await gate.proven;
    const one = { id, gateId: gate.gateId, host: house.hosts.get(id)!, containerId: await house.createSandbox(id, gate.join) };
    await house.runtime.startContainer(one.containerId);
    expect([capture, await read(one), await read(one, '203.0.113.9', 2222)]).toEqual([
      'ports',
      'to 203.0.113.9:443',
      'to 203.0.113.9:2222',
    ]);
    expect(await read(one, '203.0.113.9', 9999)).toMatch(/refused/);
    expect((await house.run(one.containerId, ['getent', 'ahostsv4', 'name.test'])).text).toMatch(/^198\.18\.0\.2 /);
    await drop(one);
  });

  test('gates that nobody stands behind are removed, all others stay', async () => {
    const dead = '999999:1';
    const earlier = await openGateHouse({ ...place, home: house.home, owner: dead });
    const stranger = await openGateHouse({ ...place, owner: dead });
    const left = earlier.newSandboxId();
    await (await earlier.gates.open(earlier.request(left))).proven;
    const foreign = stranger.newSandboxId();
    await (await stranger.gates.open(stranger.request(foreign))).proven;
    const inUse = await earlier.openSandbox();
    const opening = house.newSandboxId();
    await (await house.gates.open(house.request(opening))).proven;
    await house.gates.removeOrphans('test');
    const there = await Promise.all([left, foreign, inUse.id, opening].map((id) => house.runtime.inspectContainer(gateName(id))));
    expect(there.map((found) => found !== null)).toEqual([false, true, true, true]);
    await house.gates.close(owner(opening));
    await stranger.removeAll();
    await earlier.removeAll();
  });
});
