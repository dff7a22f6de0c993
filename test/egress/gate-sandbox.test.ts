// A sandbox behind its gate, on real runtimes, as its user and as root: every way out is tried from inside and judged from outside, by
// a capture on all of the machine's interfaces, by canaries that listen on this machine, and by what the host was told.
// Source: NETWORK.md F01-F14, G01-G09, G18, G19, G21, G22, H01-H03, L1-L13.
import { createServer, type Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openNetwork } from '../../sandbox-engine/container/sandbox-network.ts';
import { addressPattern, type Capture, canCapture, startCapture, textPattern } from '../runtime/support/capture.ts';
import { closedProbes, probeAddress, probeText } from '../runtime/support/closed-probes.ts';
import { openGateHouse } from '../runtime/support/gate-house.ts';
import { oldCallProgram } from '../runtime/support/old-call.ts';
import { testRuntimes } from '../runtime/support/test-image.ts';

if (!canCapture) process.stderr.write('only root may capture packets: what a sandbox lets out is not looked for\n');

type House = Awaited<ReturnType<typeof openGateHouse>>;

/** One listener on each address of this machine, loopback among them. */
const openCanaries = async () => {
  const seen: string[] = [];
  const servers: Server[] = [];
  const places: string[] = [];
  const addresses = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter(({ family }) => family === 'IPv4')
    .map(({ address }) => address);
  for (const address of addresses) {
    const server = createServer((socket) => {
      seen.push(address);
      socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, address, resolve));
    const bound = server.address();
    places.push(`${address}:${typeof bound === 'object' && bound !== null ? bound.port : 0}`);
    servers.push(server);
  }
  return { seen, places, close: () => servers.map((server) => server.close()) };
};

const notPermitted = [
  'raw icmp',
  'raw tcp',
  'raw ip',
  'raw icmp6',
  'packet',
  'packet dgram',
  'xdp',
  'vsock stream',
  'vsock dgram',
  'alg',
  'rds',
].concat(
  ['tipc', 'bluetooth', 'sctp', 'dccp', 'udp lite', 'io_uring_setup', 'io_uring_enter', 'io_uring_register', 'unshare net', 'unshare user'],
  ['unshare both', 'clone net', 'bpf', 'perf', 'mount', 'setns', 'mark', 'transparent', 'netlink new route', 'netlink del route'],
  [
    'netlink new address',
    'netlink new link',
    'netlink link down',
    'netlink new rule',
    'netlink destroy',
    'nft list',
    'nft flush',
    'remount proc',
  ],
);
const caught = `to ${probeAddress}:443`;

/** What the sandbox must see, besides its canaries. Refusals that a kernel may word in several ways are patterns. */
const expected = (canaries: string[]): Record<string, unknown> => ({
  ...Object.fromEntries(notPermitted.map((name) => [name, 'EPERM'])),
  ...Object.fromEntries(['udp out', 'udp name', 'udp stun', 'udp bridge', 'udp gateway'].map((name) => [name, 'ECONNREFUSED'])),
  'udp broadcast': expect.stringMatching(/^(EINVAL|EACCES|ENETUNREACH|sent)$/),
  'udp multicast': expect.stringMatching(/^(EINVAL|ENETUNREACH|sent)$/),
  ping: expect.stringMatching(/^no/),
  ...Object.fromEntries(['mptcp', 'fast open', 'urgent', 'after reset', 'steered', 'control'].map((name) => [name, caught])),
  ...Object.fromEntries(
    ['ipv6 out', 'ipv6 loopback', 'ipv6 link', 'ipv6 multicast'].map((name) => [
      name,
      expect.stringMatching(/^E(ADDRNOTAVAIL|NETUNREACH|INVAL|HOSTUNREACH|AFNOSUPPORT)$/),
    ]),
  ),
  // A v4 address in v6 clothes is v4, and caught.
  'ipv6 mapped': 'ok',
  ...Object.fromEntries(
    ['tun', 'vhost', 'vsock device']
      .flatMap((name) => [name, `${name} made`])
      .map((name) => [name, expect.stringMatching(/^E(PERM|NOENT|ACCES|NXIO)$/)]),
  ),
  'netlink read routes': 'answer',
  'gate processes': '0',
  ...Object.fromEntries(
    ['forward', 'accept local', 'ipv6'].map((name) => [`sysctl ${name}`, expect.stringMatching(/^E(ROFS|ACCES|PERM)$/)]),
  ),
  ...Object.fromEntries(['relay', 'names'].map((name) => [`beside the ${name}`.replace('the names', 'names'), 'EADDRINUSE'])),
  ...{ 'beside all': 'EADDRINUSE', 'beside names tcp': 'EADDRINUSE', 'relay itself': 'ECONNREFUSED', 'names itself': 'ECONNREFUSED' },
  'own listener out there': 'bound, to 9.9.9.9:5432, heard 0',
  ...{ 'own server': 'ok', 'own server by its address': 'ok', 'abstract sockets': '0', 'host files': '0' },
  'write /etc/hosts': expect.stringMatching(/^(written|EACCES)$/),
  'write /etc/hostname': expect.stringMatching(/^(written|EACCES)$/),
  'write /etc/resolv.conf': expect.stringMatching(/^E(ROFS|ACCES)$/),
  ...Object.fromEntries(canaries.map((place) => [`canary ${place}`, place.startsWith('127.') ? 'ECONNREFUSED' : `to ${place}`])),
});

describe.each(testRuntimes)('a sandbox behind a gate on $kind', (place) => {
  let house: House;
  let capture: Capture | null = null;
  let canaries: Awaited<ReturnType<typeof openCanaries>>;
  beforeAll(async () => {
    house = await openGateHouse(place);
    await house.gates.ensureImage('test', new AbortController().signal, () => undefined);
    if (canCapture) capture = await startCapture([addressPattern(probeAddress), textPattern(probeText)]);
    canaries = await openCanaries();
  }, 300_000);
  afterAll(async () => {
    await capture?.stop();
    canaries.close();
    await house.removeAll();
  });

  const seenBy = (text: string): Record<string, string> =>
    Object.fromEntries(text.split('\n').flatMap((line) => (line.includes('\t') ? [line.split('\t') as [string, string]] : [])));

  // The relay's own number too: with sudo a sandbox can be whoever it likes.
  test.each([
    ['its user', []],
    ['root', ['sudo']],
    ["the relay's number", ['sudo', 'setpriv', '--reuid=61111', '--regid=61111', '--clear-groups']],
  ])('nothing gets out of it as %s but what the gate catches', async (_, as) => {
    const one = await house.openSandbox();
    const said = await house.run(one.containerId, [...as, 'perl', '-e', closedProbes, ...canaries.places]);
    expect(seenBy(said.text)).toEqual(expected(canaries.places));
    // Name resolution is what it was, whatever was written.
    expect((await house.run(one.containerId, ['getent', 'ahostsv4', 'after.test'])).text).toMatch(/^198\.18\.0\.2 /);
    const own = canaries.places.filter((each) => !each.startsWith('127.'));
    expect([...new Set(one.host.destinations)].sort()).toEqual(['198.18.0.3:9', `${probeAddress}:443`, '9.9.9.9:5432', ...own].sort());
    expect([canaries.seen, capture?.hits ?? []]).toEqual([[], []]);
    await house.gates.rest({ runtimeId: 'test', sandboxId: one.id, kind: 'session' });
    await house.runtime.removeContainer(one.containerId);
  });

  test.skipIf(process.arch !== 'x64')('the old 32-bit way to make a socket ends the program that takes it', async () => {
    const one = await house.openSandbox();
    const run = `echo ${oldCallProgram.toString('base64')} | base64 -d >/tmp/old && chmod +x /tmp/old && { /tmp/old; echo "code $?"; }`;
    for (const as of [[], ['sudo']]) {
      const said = await house.run(one.containerId, [...as, 'bash', '-c', run]);
      expect(said.text).toContain('code 159');
    }
  });

  test('with no gate at all there is no network either, under the same profile', async () => {
    const id = house.newSandboxId();
    const containerId = await house.createSandbox(id, await house.gates.none('test'));
    await house.runtime.startContainer(containerId);
    const said = await house.run(containerId, ['sudo', 'perl', '-e', closedProbes, ...canaries.places]);
    const seen = seenBy(said.text);
    expect(seen).toMatchObject(Object.fromEntries(notPermitted.map((name) => [name, 'EPERM'])));
    expect([seen['control'], seen['udp out'], canaries.seen, capture?.hits ?? []]).toEqual(['ENETUNREACH', 'ENETUNREACH', [], []]);
  });

  test.skipIf(!canCapture)('the capture and the canaries do notice a sandbox that is open', async () => {
    const id = house.newSandboxId();
    const containerId = await house.createSandbox(id, openNetwork);
    await house.runtime.startContainer(containerId);
    const tried = canaries.places.map((each) => `timeout 2 bash -c '</dev/tcp/${each.replace(':', '/')}'`).join('; ');
    await house.run(containerId, ['bash', '-c', `echo ${probeText} >/dev/udp/${probeAddress}/9; ${tried}`]);
    await capture?.heard(addressPattern(probeAddress));
    await capture?.heard(textPattern(probeText));
    const reached = canaries.places.filter((each) => !each.startsWith('127.')).map((each) => each.slice(0, each.lastIndexOf(':')));
    expect([...new Set(canaries.seen)].sort()).toEqual([...new Set(reached)].sort());
  });
});
