// Gives each allowed name of one sandbox an address of its own that leads nowhere but to the proxy, which reads the name back from it.
// Source: NETWORK.md 1.6 and C15; RFC 2544 (198.18.0.0/15 is never routed).

/** Where a sandbox finds the explicit proxy. */
export const proxyAddress = '198.18.0.1';
export const proxyPort = 3_128;

/** The one address that every refused name has. */
export const refusedAddress = '198.18.0.2';

/** What a gate tries before its sandbox starts: that connections and questions arrive. Both are refused like any other, and not told of. */
export const selfTestAddress = '198.18.0.3';
export const selfTestName = 'self-test.invalid';

/** Most names; beyond them a new name gets no address, and those that have one keep it. */
export const mostSyntheticNames = 4096;

/** The names and addresses of one sandbox. An address is never given to a second name. */
export interface SyntheticPool {
  /** The address of a canonical name, at the first time a new one; null when all are given out. */
  addressOf: (name: string) => string | null;
  /** The name behind an address; null when it has none. */
  nameOf: (address: string) => string | null;
  /** Every name with its address, to be given to the pool that comes after a restart. */
  entries: () => [name: string, address: string][];
}

// 198.18.1.0 to 198.19.255.254.
const first = (198 << 24) | (18 << 16) | (1 << 8);
const places = 2 * 65_536 - 256 - 1;

const addressAt = (place: number): string => {
  const value = (first + place) >>> 0;
  return [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255].join('.');
};

// FNV-1a: spreads names so that each mostly gets the same address again, in whatever order they are asked for after a restart.
const placeOf = (name: string): number => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  hash ^= hash >>> 15;
  return (hash >>> 0) % places;
};

/** Makes a pool; what it is given to keep, from an earlier one, stays as it was. */
export const createSyntheticPool = (kept: [name: string, address: string][] = []): SyntheticPool => {
  const addresses = new Map<string, string>(kept);
  const names = new Map<string, string>(kept.map(([name, address]) => [address, name]));

  const give = (name: string): string | null => {
    if (addresses.size >= mostSyntheticNames) return null;
    let place = placeOf(name);
    while (names.has(addressAt(place))) place = (place + 1) % places;
    const address = addressAt(place);
    addresses.set(name, address);
    names.set(address, name);
    return address;
  };

  return {
    addressOf: (name) => addresses.get(name) ?? give(name),
    nameOf: (address) => names.get(address) ?? null,
    entries: () => [...addresses],
  };
};
