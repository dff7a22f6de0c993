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
import { closedTable } from './closed-table.ts';

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

// The relay's own number too: with sudo a sandbox can be whoever it likes.
const users: [string, string[]][] = [
  ['its user', []],
  ['root', ['sudo']],
  ["the relay's number", ['sudo', 'setpriv', '--reuid=61111', '--regid=61111', '--clear-groups']],
];

const seenBy = (text: string): Record<string, string> =>
  Object.fromEntries(text.split('\n').flatMap((line) => (line.includes('\t') ? [line.split('\t') as [string, string]] : [])));

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

  // G22: what root inside may not do is the same table.
  describe.each(users)('G22: tried as %s', (_user, as) => {
    let one: Awaited<ReturnType<House['openSandbox']>>;
    let seen: Record<string, string>;
    beforeAll(async () => {
      one = await house.openSandbox();
      seen = seenBy((await house.run(one.containerId, [...as, 'perl', '-e', closedProbes, ...canaries.places])).text);
    });

    // The canaries' places are known only now.
    test.each(closedTable([]).map(([id, what], index) => [id, what, index] as const))('%s: %s', (_id, _what, index) => {
      const [, , expected = {}] = closedTable(canaries.places)[index] ?? [];
      expect(Object.fromEntries(Object.keys(expected).map((name) => [name, seen[name]]))).toEqual(expected);
    });

    test('every probe is judged', () => {
      const judged = new Set(closedTable(canaries.places).flatMap(([, , expected]) => Object.keys(expected)));
      expect(Object.keys(seen).filter((name) => !judged.has(name))).toEqual([]);
    });

    test('O3, O5: nothing was heard of it but what its gate caught', async () => {
      const own = canaries.places.filter((each) => !each.startsWith('127.'));
      expect([...new Set(one.host.destinations)].sort()).toEqual(['198.18.0.3:9', `${probeAddress}:443`, '9.9.9.9:5432', ...own].sort());
      expect([canaries.seen, capture?.hits ?? []]).toEqual([[], []]);
      // Name resolution is what it was, whatever was written.
      expect((await house.run(one.containerId, ['getent', 'ahostsv4', 'after.test'])).text).toMatch(/^198\.18\.0\.2 /);
      await house.gates.rest({ runtimeId: 'test', sandboxId: one.id, kind: 'session' });
      await house.runtime.removeContainer(one.containerId);
    });
  });

  test.skipIf(process.arch !== 'x64')('the old 32-bit way to make a socket ends the program that takes it', async () => {
    const one = await house.openSandbox();
    const run = `echo ${oldCallProgram.toString('base64')} | base64 -d >/tmp/old && chmod +x /tmp/old && { /tmp/old; echo "code $?"; }`;
    for (const as of [[], ['sudo']]) {
      const said = await house.run(one.containerId, [...as, 'bash', '-c', run]);
      expect(said.text).toContain('code 159');
    }
  });

  test('a sandbox knows its own name, so that sudo says nothing', async () => {
    const one = await house.openSandbox();
    expect(await house.run(one.containerId, ['sudo', 'getent', 'ahostsv4', one.id.slice(-12)])).toEqual({
      ...{ code: 0, text: expect.stringMatching(/^127\.0\.0\.1 /) },
    });
    expect(one.host.names).not.toContain(one.id.slice(-12));
  });

  test('with no gate at all there is no network either, under the same profile', async () => {
    const id = house.newSandboxId();
    const containerId = await house.createSandbox(id, await house.gates.none('test'));
    await house.runtime.startContainer(containerId);
    const said = await house.run(containerId, ['sudo', 'perl', '-e', closedProbes, ...canaries.places]);
    const seen = seenBy(said.text);
    const notPermitted = closedTable([]).flatMap(([, , expected]) => Object.entries(expected).filter(([, what]) => what === 'EPERM'));
    expect(seen).toMatchObject(Object.fromEntries(notPermitted));
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
    // A bridge that somebody else makes meanwhile may have an address that this runtime does not lead to; the machine's own it does.
    const isOwn = ([name]: [string, unknown]) => !/^(lo|docker|podman|cni|br-|veth|sandlot)/.test(name);
    const own = Object.entries(networkInterfaces())
      .filter(isOwn)
      .flatMap(([, list]) => (list ?? []).filter(({ family }) => family === 'IPv4').map(({ address }) => address));
    expect(own.filter((address) => !canaries.seen.includes(address))).toEqual([]);
    expect([canaries.seen.length > 0, canaries.seen.includes('127.0.0.1')]).toEqual([true, false]);
  });
});
