// A gate that is not closed on real runtimes: no sandbox may join it, and the refusal names what is open or missing.
// Source: NETWORK.md J16.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ContainerSpec } from '../../sandbox-engine/container/container-runtime.ts';
import { gateName, gateSpec } from '../../sandbox-engine/gate/gate-container.ts';
import { proveGate } from '../../sandbox-engine/gate/prove-gate.ts';
import { openGateHouse } from '../runtime/support/gate-house.ts';
import { testRuntimes } from '../runtime/support/test-image.ts';

const owner = (sandboxId: string) => ({ runtimeId: 'test', sandboxId, kind: 'session' as const });

describe.each(testRuntimes)('J16: a gate on $kind refuses its sandbox and names the cause', (place) => {
  let house: Awaited<ReturnType<typeof openGateHouse>>;
  beforeAll(async () => {
    house = await openGateHouse(place);
    await house.gates.ensureImage('test', new AbortController().signal, () => undefined);
  }, 300_000);
  afterAll(async () => await house.removeAll());

  const spec = async (id: string): Promise<ContainerSpec> => {
    const found = await house.places.make(id);
    const imageId = (await house.images.find('test')) ?? '';
    const asked = { owner: owner(id), imageId, runtimeKind: place.kind, place: found, hostname: 'box', ports: [] };
    return gateSpec({ ...asked, makeLabels: house.makeLabels });
  };
  const notPassed = async (id: string): Promise<string[]> => {
    try {
      await proveGate(house.runtime, gateName(id));
      return [];
    } catch (thrown) {
      const { details, message } = thrown as { details: { checks?: { name: string; passed: boolean }[] }; message: string };
      return details.checks?.filter(({ passed }) => !passed).map(({ name }) => name) ?? [message];
    }
  };
  const holdNames = `socket(my $s, 2, 2, 0); bind($s, pack_sockaddr_in(15053, inet_aton('127.13.13.13'))) or die; sleep`;
  const faults: [string, (asked: ContainerSpec) => Partial<ContainerSpec>, string[]][] = [
    ['no route', () => ({ command: ['/opt/sandlot/start', 'stand-in'] }), ['route', 'redirect', 'dns']],
    ['IPv6 on', () => ({ sysctls: { 'net.ipv6.conf.all.disable_ipv6': '0' } }), ['ipv6']],
    ['no seccomp profile', () => ({ securityOpt: ['seccomp=unconfined'] }), ['seccomp']],
    ['rights kept', () => ({ command: ['sh', '-c', '/opt/sandlot/start gate & exec sleep 60'] }), ['rights']],
    ['a way out', () => ({ network: 'bridge' }), ['interfaces']],
    [
      'its port for names taken',
      () => ({
        command: ['sh', '-c', `perl -MSocket -e "${holdNames.replaceAll('$', '\\$')}" & sleep 0.3; exec /opt/sandlot/start gate`],
      }),
      ['dns'],
    ],
    ['no right to close the network', () => ({ capAdd: ['SETPCAP', 'SETUID', 'SETGID'] }), [expect.stringContaining('route')]],
  ];
  test.each(faults)('%s', async (_, change, expected) => {
    const id = house.newSandboxId();
    const asked = await spec(id);
    await house.listenFor(id)(house.places.of(id).socketFolder);
    const gateId = await house.runtime.createContainer({ ...asked, ...change(asked) });
    await house.runtime.startContainer(gateId);
    expect(await notPassed(id)).toEqual(expected);
    await house.runtime.removeContainer(gateId);
  });

  test('nobody listens', async () => {
    const id = house.newSandboxId();
    const gate = await house.gates.open(house.request(id, { listen: async () => undefined }));
    await expect(gate.proven).rejects.toMatchObject({
      code: 'gate_failed',
      message: expect.stringMatching(/socket: proxy\.sock: No such file.*dns: the host did not answer/),
      nextAction: expect.stringContaining('sockets of this machine'),
    });
    await house.gates.close(owner(id));
  });
});
