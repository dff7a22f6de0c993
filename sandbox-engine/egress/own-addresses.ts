// The addresses of this computer: those that were given and those that its interfaces have at the moment, with the gateways of the
// runtimes' networks among them, which no rule opens. Source: NETWORK.md 1.3; Linux net/ipv4/fib_trie.c, net/ipv6/addrconf.c and
// net/ipv6/route.c (/proc/net).
import { readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { type OwnAddresses, readIpAddress } from './address.ts';

const lookAgainMs = 1_000;

/** RTF_LOCAL. */
const localRoute = 0x8000_0000;

/** What Docker and Podman call the bridges of their networks: such an interface has the address of a gateway. */
const runtimeBridge = /^(docker|podman|cni|br-)/;

type Interfaces = Readonly<Record<string, readonly { address: string }[] | undefined>>;

const read = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // Another kernel than Linux: its list of interfaces is whole.
  }
};

/** The addresses that Linux takes for its own, by its tables of routes (`/proc/net/fib_trie`) and of IPv6 addresses (`/proc/net/if_inet6`). */
export const readLocal = (routes: string, ipv6: string): string[] => {
  const v4 = [...routes.matchAll(/\|-- ([\d.]+)\n\s+\/32 host LOCAL/g)].map(([, address = '']) => address);
  const v6 = [...ipv6.matchAll(/^([0-9a-f]{32}) /gm)].map(([, digits = '']) => (digits.match(/.{4}/g) ?? []).join(':'));
  return [...new Set([...v4, ...v6])];
};

const isLoopback = (range: string): boolean => range === '127.0.0.0/8';

/**
 * The blocks that Linux takes for its own as a whole, with no interface that has an address of them (`ip route add local 20.0.0.0/24 dev lo`, as
 * where a machine answers for many), by its tables of routes: `/proc/net/fib_trie` and `/proc/net/ipv6_route`.
 */
export const readLocalRanges = (routes: string, ipv6Routes: string): string[] => {
  const v4 = [...routes.matchAll(/\|-- ([\d.]+)\n((?:\s+\/\d+ [^\n]*(?:\n|$))+)/g)].flatMap(([, address = '', kinds = '']) =>
    [...kinds.matchAll(/\/(\d+) host LOCAL/g)].filter(([, bits]) => bits !== '32').map(([, bits]) => `${address}/${bits}`),
  );
  const v6 = ipv6Routes.split('\n').flatMap((line) => {
    const [digits = '', bits = '', ...others] = line.trim().split(/\s+/);
    const isLocal = (Number.parseInt(others[6] ?? '0', 16) & localRoute) !== 0;
    const length = Number.parseInt(bits, 16);
    return isLocal && length < 128 ? [`${(digits.match(/.{4}/g) ?? []).join(':')}/${length}`] : [];
  });
  return [...new Set([...v4, ...v6])].filter((range) => !isLoopback(range));
};

/**
 * What was given, with the addresses that the interfaces have. An interface on which nothing runs, as the bridge of a network without a
 * container, is not listed by Node, while its address leads to this computer all the same: such a `local` one counts as a gateway.
 */
export const withInterfaces = (given: OwnAddresses, interfaces: Interfaces, local: readonly string[] = []): OwnAddresses => {
  const addressesOf = (names: string[]): string[] => names.flatMap((name) => (interfaces[name] ?? []).map(({ address }) => address));
  const names = Object.keys(interfaces);
  const listed = new Set(addressesOf(names).map((address) => readIpAddress(address.replace(/%.*$/s, ''))?.ip));
  const unlisted = local.filter((address) => !listed.has(readIpAddress(address)?.ip));
  const bridges = addressesOf(names.filter((name) => runtimeBridge.test(name)));
  return {
    ...given,
    interfaces: [...new Set([...given.interfaces, ...addressesOf(names), ...unlisted])],
    gateways: [...new Set([...given.gateways, ...bridges, ...unlisted])],
  };
};

/** Answers the addresses of now; looks at the interfaces once a second at most. */
export const watchOwnAddresses = (given: () => OwnAddresses): (() => OwnAddresses) => {
  let lookedAt = Number.NEGATIVE_INFINITY;
  let base = given();
  let own = base;
  return () => {
    if (performance.now() - lookedAt < lookAgainMs && base === given()) return own;
    lookedAt = performance.now();
    base = given();
    const routes = read('/proc/net/fib_trie');
    const local = readLocal(routes, read('/proc/net/if_inet6'));
    const ranges = readLocalRanges(routes, read('/proc/net/ipv6_route'));
    own = { ...withInterfaces(base, networkInterfaces(), local), ranges: [...(base.ranges ?? []), ...ranges] };
    return own;
  };
};
