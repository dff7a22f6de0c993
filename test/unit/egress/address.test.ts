import { networkInterfaces } from 'node:os';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { classifyAddress, readIpAddress, reservedName } from '../../../sandbox-engine/egress/address.ts';

// Each range of the floor by its first and last address, and its neighbours outside.
test.each([
  [
    'special',
    ['0.0.0.0', '0.255.255.255', '127.0.0.0', '127.0.0.1', '127.255.255.255', '169.254.0.0', '169.254.169.254', '169.254.255.255'],
  ],
  ['special', ['192.0.0.0', '192.0.0.255', '192.0.2.0', '192.0.2.255', '192.88.99.0', '192.88.99.255', '198.18.0.0', '198.19.255.255']],
  ['special', ['198.51.100.0', '198.51.100.255', '203.0.113.0', '203.0.113.255', '224.0.0.0', '224.0.0.251', '239.255.255.255']],
  ['special', ['240.0.0.0', '240.0.0.1', '255.255.255.255', '168.63.129.16', '100.100.100.200']],
  ['private', ['10.0.0.0', '10.255.255.255', '172.16.0.0', '172.20.0.1', '172.31.255.255', '192.168.0.0', '192.168.255.255']],
  ['private', ['100.64.0.0', '100.127.255.255', '100.100.100.199', '100.100.100.201']],
  ['public', ['1.0.0.0', '1.1.1.1', '9.255.255.255', '11.0.0.0', '126.255.255.255', '128.0.0.0', '169.253.255.255', '169.255.0.0']],
  ['public', ['100.63.255.255', '100.128.0.0', '172.15.255.255', '172.32.0.0', '192.0.1.0', '192.0.3.0', '192.88.98.255', '192.88.100.0']],
  ['public', ['192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0', '198.51.99.255', '198.51.101.0', '203.0.112.255']],
  ['public', ['203.0.114.0', '223.255.255.255', '168.63.129.15', '168.63.129.17', '20.0.0.9']],
  ['special', ['::', '::1', '::2', '::127.0.0.1', '::8.8.8.8', '::ffff', '::ffff:0:8.8.8.8', '100::', '100::1', '2001::', '2001:0:1::']],
  [
    'special',
    ['2001:1ff:ffff::', '2001:db8::', '2001:db8:ffff:ffff::', '2002::', '2002:0808:0808::1', '2002:ffff::', '3fff::1', '3fff:fff::1'],
  ],
  ['special', ['4000::', '5f00::1', 'fe00::1', 'fe80::1', 'febf:ffff::', 'fec0::1', 'feff::1', 'ff00::', 'ff02::1', 'ffff::']],
  ['special', ['fd00:ec2::254', 'fd20:ce::254', 'fd00:c1::a9fe:a9fe', '1fff:ffff::']],
  ['private', ['fc00::', 'fd00::1', 'fd00::5', 'fdff:ffff::', 'fd00:ec1::254', 'fd00:ec3::']],
  ['public', ['2000::', '2001:200::', '2001:db7:ffff::', '2001:db9::', '2003::', '2606:4700:4700::1111', '3ffe::', '3fff:1000::']],
] as const)('%s: %j', (expected, addresses) => {
  expect(addresses.filter((address) => classifyAddress(address) !== expected)).toEqual([]);
});

test.each([
  ['::ffff:127.0.0.1', 'special'],
  ['::ffff:7f00:1', 'special'],
  ['::ffff:10.0.0.5', 'private'],
  ['::ffff:8.8.8.8', 'public'],
  ['0:0:0:0:0:ffff:808:808', 'public'],
  ['64:ff9b::7f00:1', 'special'],
  ['64:ff9b::10.1.2.3', 'private'],
  ['64:ff9b::8.8.8.8', 'public'],
  ['64:ff9b::169.254.169.254', 'special'],
  ['64:ff9b:0:1::8.8.8.8', 'special'],
  ['64:ff9b:1::127.0.0.1', 'special'],
  ['64:ff9b:1::192.168.1.1', 'private'],
  ['64:ff9b:1::8.8.8.8', 'public'],
  // 127.0.0.1, 10.0.0.1 and 169.254.169.254 behind prefixes of 48, 56 and 64 bits.
  ['64:ff9b:1:7f00:0:100::', 'special'],
  ['64:ff9b:1:aa0a:0:1::', 'special'],
  ['64:ff9b:1:abcd:a9:fea9:fe00:0', 'special'],
  ['64:ff9b:2::8.8.8.8', 'special'],
])('an address with another inside, %s, is %s', (address, expected) => {
  expect(classifyAddress(address)).toBe(expected);
});

test.each([
  '',
  'allowed.test',
  '127.1',
  '0x7f.0.0.1',
  '0177.0.0.1',
  '2130706433',
  '1.2.3.4 ',
  '8.8.8.8/32',
  '[2606::1]',
  '2606::1%eth0',
  '8.8.8.8\0',
])('what is no address is special: %j', (text) => {
  expect(readIpAddress(text)).toBeNull();
  expect(classifyAddress(text)).toBe('special');
});

test.each([
  ['B05', '0.0.0.0', 'special'],
  ['B05', '::', 'special'],
  ['B06', '::127.0.0.1', 'special'],
  ['B06', '::ffff:7f00:1', 'special'],
  ['B08', '2606:4700:4700::1111', 'public'],
  ['B09', 'fe80::1%lo', 'special'],
  ['B09', 'fec0::1', 'special'],
  ['B09', 'fd00::1', 'private'],
  ['B10', '255.255.255.255', 'special'],
  ['B10', '224.0.0.251', 'special'],
  ['B10', '240.0.0.1', 'special'],
  ['B16', '168.63.129.16', 'special'],
  ['B16', '100.100.100.200', 'special'],
  ['B16', 'fd00:ec2::254', 'special'],
  ['C12', '127.0.0.1', 'special'],
  ['C12', '10.0.0.5', 'private'],
  ['C12', '172.20.0.1', 'private'],
  ['C12', '192.168.1.1', 'private'],
  ['C12', '100.64.0.1', 'private'],
  ['C12', '169.254.169.254', 'special'],
  ['C12', '::1', 'special'],
  ['C12', 'fd00::5', 'private'],
])('%s: %s is %s', (_, address, expected) => {
  expect(classifyAddress(address)).toBe(expected);
});

const own = {
  interfaces: ['192.168.1.20', '20.0.0.9', '2606:4700::9', 'fe80::1%eth0'],
  gateways: ['172.17.0.1', 'fd00:0:0::1'],
  ownPorts: [4100],
};

test.each([
  ['a gateway, on any port', '172.17.0.1', 443, 'special'],
  ['a gateway in another spelling', 'fd00::1', 443, 'special'],
  ['a gateway behind ::ffff:', '::ffff:172.17.0.1', 443, 'special'],
  ['a gateway behind NAT64', '64:ff9b::ac11:1', 443, 'special'],
  ["a gateway's neighbour", '172.17.0.2', 443, 'private'],
  ["the host's address on the app's port", '192.168.1.20', 4100, 'special'],
  ["the host's address on another port", '192.168.1.20', 443, 'private'],
  ["the host's address, no port known", '192.168.1.20', undefined, 'special'],
  ["the host's public address on the app's port", '20.0.0.9', 4100, 'special'],
  ["the host's public address on another port", '20.0.0.9', 443, 'private'],
  ["the host's public IPv6 address on another port", '2606:4700:0::9', 443, 'private'],
  ["the host's public IPv6 address on the app's port", '2606:4700:0::9', 4100, 'special'],
  ["the host's link-local address", 'fe80::1', 443, 'special'],
  ["the app's port elsewhere", '20.0.0.10', 4100, 'public'],
] as const)('%s: %s port %s is %s', (_, address, port, expected) => {
  expect(classifyAddress(address, own, port)).toBe(expected);
});

test("this machine's own addresses are never public", () => {
  const interfaces = Object.values(networkInterfaces()).flatMap((each) => (each ?? []).map(({ address }) => address));
  expect(interfaces.length).toBeGreaterThan(0);
  expect(interfaces.filter((address) => classifyAddress(address, { interfaces, gateways: [], ownPorts: [] }, 443) === 'public')).toEqual(
    [],
  );
});

test('every spelling of an IPv6 address reads to one, which stands for the same bytes', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 }),
      fc.integer({ min: 0, max: 8 }),
      (groups, zeros) => {
        const zeroed = groups.map((group, at) => (at < zeros ? 0 : group));
        const plain = zeroed.map((group) => group.toString(16)).join(':');
        const full = zeroed.map((group) => group.toString(16).padStart(4, '0').toUpperCase()).join(':');
        const [high = 0, low = 0] = zeroed.slice(6);
        const dotted = `${zeroed
          .slice(0, 6)
          .map((group) => group.toString(16))
          .join(':')}:${[high >> 8, high & 255, low >> 8, low & 255].join('.')}`;
        const read = readIpAddress(plain);
        expect(read).not.toBeNull();
        expect([readIpAddress(full), readIpAddress(dotted), readIpAddress(read?.ip ?? '')]).toEqual([read, read, read]);
      },
    ),
  );
});

const piece = fc.constantFrom(
  ...['0', '1', '8', '08', '255', '256', '0x7f', 'ffff', '.', '.', ':', ':', '::', '[', ']', '%', '/', ' ', '\0', '\u0661'],
);
const addressLike = fc.oneof(
  fc.array(piece, { maxLength: 16 }).map((pieces) => pieces.join('')),
  fc.array(fc.nat(260), { minLength: 3, maxLength: 5 }).map((octets) => octets.join('.')),
  fc.array(fc.nat(0xffff), { minLength: 7, maxLength: 9 }).map((groups) => groups.map((group) => group.toString(16)).join(':')),
);

test('no text makes it throw, and only an address is public', () => {
  fc.assert(
    fc.property(addressLike, (text) => {
      if (classifyAddress(text, own, 443) === 'public') expect(readIpAddress(text)).not.toBeNull();
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['localhost', true],
  ['x.localhost', true],
  ['a.b.localhost', true],
  ['printer.local', true],
  ['_http._tcp.local', true],
  ['local', true],
  ['registry', true],
  ['instance-data', true],
  ['host.docker.internal', true],
  ['gateway.docker.internal', true],
  ['http.docker.internal', true],
  ['kubernetes.docker.internal', true],
  ['host.containers.internal', true],
  ['metadata.google.internal', true],
  ['metadata.goog', true],
  ['localhost.test', false],
  ['notlocalhost.test', false],
  ['mylocal.test', false],
  ['x.mylocal', false],
  ['db.corp.internal', false],
  ['docker.internal.test', false],
  ['allowed.test', false],
])('the name %s is reserved: %s', (name, expected) => {
  expect(reservedName(name)).toBe(expected);
});
