import { expect, test } from 'vitest';
import { classifyAddress } from '../../../sandbox-engine/egress/address.ts';
import { readLocal, readLocalRanges, watchOwnAddresses, withInterfaces } from '../../../sandbox-engine/egress/own-addresses.ts';

const interfaces = {
  lo: [{ address: '127.0.0.1' }],
  eth0: [{ address: '192.168.1.7' }],
  docker0: [{ address: '172.17.0.1' }],
  'br-1f2e': [{ address: '172.20.0.1' }],
  podman1: [{ address: '10.89.0.1' }],
  bridge0: [{ address: '10.1.1.1' }],
};
// The bridge of a network without a container: Node lists only interfaces on which something runs.
const routes = `Local:
  +-- 0.0.0.0/0 3 0 5
     +-- 10.88.0.0/31 1 0 0
        |-- 10.88.0.0
           /16 link UNICAST
        |-- 10.88.0.1
           /32 host LOCAL
     |-- 10.88.255.255
        /32 link BROADCAST
     |-- 192.168.1.7
        /32 host LOCAL
`;
const ipv6 = 'fd120000000000000000000000000001 05 40 00 80  docker1\n';
const local = readLocal(routes, ipv6);
const own = withInterfaces({ interfaces: ['192.168.1.8'], gateways: ['10.7.0.1'], ownPorts: [4100] }, interfaces, local);

// `special` is what no rule opens; `private` opens with allow_private.
test.each([
  ['172.17.0.1', 5432, 'special'],
  ['172.20.0.1', 5432, 'special'],
  ['10.89.0.1', 5432, 'special'],
  ['10.7.0.1', 5432, 'special'],
  ['10.1.1.1', 5432, 'private'],
  ['192.168.1.7', 5432, 'private'],
  ['192.168.1.7', 4100, 'special'],
  ['192.168.1.8', 4100, 'special'],
  ['172.17.0.2', 5432, 'private'],
  ['10.88.0.1', 5432, 'special'],
  ['10.88.0.2', 5432, 'private'],
  ['fd12::1', 5432, 'special'],
])('%s:%i is %s', (address, port, kind) => expect(classifyAddress(address, own, port)).toBe(kind));

test("this computer's own tables are read", () => {
  expect(local).toEqual(['10.88.0.1', '192.168.1.7', 'fd12:0000:0000:0000:0000:0000:0000:0001']);
  const { interfaces: found } = watchOwnAddresses(() => ({ interfaces: [], gateways: [], ownPorts: [] }))();
  expect(found).toContain('127.0.0.1');
});

test.each([
  ['20.77.0.9', 'special'],
  ['20.77.1.9', 'public'],
  ['::ffff:20.77.0.9', 'special'],
  ['64:ff9b::144d:9', 'special'],
  ['2001:470:1::5', 'special'],
  ['2001:470:2::5', 'public'],
  ['10.88.0.2', 'private'],
])('where whole blocks lead to this computer, %s is %s', (address, kind) => {
  const v4 = `${routes}     |-- 20.77.0.0\n        /24 host LOCAL\n     |-- 127.0.0.0\n        /8 host LOCAL\n     |-- 127.0.0.1\n        /32 host LOCAL\n`;
  const zeros = '0'.repeat(32);
  const v6 = `20010470000100000000000000000000 40 ${zeros} 00 ${zeros} 00000400 00000001 00000000 80000001       lo
00000000000000000000000000000001 80 ${zeros} 00 ${zeros} 00000000 00000003 00000000 80200001       lo
20010470000200000000000000000000 40 ${zeros} 00 ${zeros} 00000100 00000001 00000000 00000001     eth0
${zeros} 00 ${zeros} 00 ${zeros} ffffffff 00000001 00000000 00200200       lo
`;
  const ranges = readLocalRanges(v4, v6);
  expect(ranges).toEqual(['20.77.0.0/24', '2001:0470:0001:0000:0000:0000:0000:0000/64']);
  expect(classifyAddress(address, { ...own, ranges }, 443)).toBe(kind);
});
