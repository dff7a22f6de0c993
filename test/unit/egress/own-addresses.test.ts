import { expect, test } from 'vitest';
import { classifyAddress } from '../../../sandbox-engine/egress/address.ts';
import { withInterfaces } from '../../../sandbox-engine/egress/own-addresses.ts';

const interfaces = {
  lo: [{ address: '127.0.0.1' }],
  eth0: [{ address: '192.168.1.7' }],
  docker0: [{ address: '172.17.0.1' }],
  'br-1f2e': [{ address: '172.20.0.1' }],
  podman1: [{ address: '10.89.0.1' }],
  bridge0: [{ address: '10.1.1.1' }],
};
const own = withInterfaces({ interfaces: ['192.168.1.8'], gateways: ['10.7.0.1'], ownPorts: [4100] }, interfaces);

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
])('%s:%i is %s', (address, port, kind) => expect(classifyAddress(address, own, port)).toBe(kind));
