// The addresses of this computer: those that were given and those that its interfaces have at the moment, with the gateways of the
// runtimes' networks among them, which no rule opens. Source: NETWORK.md 1.3.
import { networkInterfaces } from 'node:os';
import type { OwnAddresses } from './address.ts';

const lookAgainMs = 5_000;

/** What Docker and Podman call the bridges of their networks: such an interface has the address of a gateway. */
const runtimeBridge = /^(docker|podman|cni|br-)/;

type Interfaces = Readonly<Record<string, readonly { address: string }[] | undefined>>;

/** What was given, with the addresses that the interfaces have. */
export const withInterfaces = (given: OwnAddresses, interfaces: Interfaces): OwnAddresses => {
  const addressesOf = (names: string[]): string[] => names.flatMap((name) => (interfaces[name] ?? []).map(({ address }) => address));
  const names = Object.keys(interfaces);
  return {
    ...given,
    interfaces: [...new Set([...given.interfaces, ...addressesOf(names)])],
    gateways: [...new Set([...given.gateways, ...addressesOf(names.filter((name) => runtimeBridge.test(name)))])],
  };
};

/** Answers the addresses of now; looks at the interfaces every five seconds at most. */
export const watchOwnAddresses = (given: () => OwnAddresses): (() => OwnAddresses) => {
  let lookedAt = Number.NEGATIVE_INFINITY;
  let base = given();
  let own = base;
  return () => {
    if (performance.now() - lookedAt < lookAgainMs && base === given()) return own;
    lookedAt = performance.now();
    base = given();
    own = withInterfaces(base, networkInterfaces());
    return own;
  };
};
