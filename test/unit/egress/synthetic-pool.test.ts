import fc from 'fast-check';
import { expect, test } from 'vitest';
import { classifyAddress } from '../../../sandbox-engine/egress/address.ts';
import { createSyntheticPool, mostSyntheticNames, proxyAddress, refusedAddress } from '../../../sandbox-engine/egress/synthetic-pool.ts';

const inRange = (address: string): boolean => {
  const [a, b, c, d] = address.split('.').map(Number) as [number, number, number, number];
  return a === 198 && (b === 18 || b === 19) && (b === 19 || c >= 1) && !(b === 19 && c === 255 && d === 255);
};

test('a name keeps its address, and the address its name', () => {
  const pool = createSyntheticPool();
  const address = pool.addressOf('allowed.test') ?? '';
  pool.addressOf('other.test');
  expect([pool.addressOf('allowed.test'), pool.nameOf(address)]).toEqual([address, 'allowed.test']);
  expect(inRange(address)).toBe(true);
});

test('an address that was not given out has no name, and neither have the proxy and the refused', () => {
  const pool = createSyntheticPool();
  expect([pool.nameOf('198.18.1.0'), pool.nameOf(proxyAddress), pool.nameOf(refusedAddress), pool.nameOf('1.1.1.1')]).toEqual([
    null,
    null,
    null,
    null,
  ]);
});

test('two sandboxes give a name the same address, also after a restart', () => {
  expect(createSyntheticPool().addressOf('allowed.test')).toBe(createSyntheticPool().addressOf('allowed.test'));
});

test('C15: of 100,000 names 4,096 get an address each, none twice, and the first keep theirs', () => {
  const pool = createSyntheticPool();
  const first = pool.addressOf('allowed.test');
  const addresses = Array.from({ length: 100_000 }, (_, at) => pool.addressOf(`x${at}.allowed.test`));
  const given = addresses.filter((address) => address !== null);
  expect([given.length, new Set([...given, first]).size]).toEqual([mostSyntheticNames - 1, mostSyntheticNames]);
  expect(given.filter((address) => !inRange(address) || address === proxyAddress || address === refusedAddress)).toEqual([]);
  expect(given.filter((address) => classifyAddress(address) !== 'special')).toEqual([]);
  expect([pool.addressOf('allowed.test'), pool.addressOf('late.allowed.test'), pool.nameOf(given[7] ?? '')]).toEqual([
    first,
    null,
    'x7.allowed.test',
  ]);
});

test('what an earlier pool gave out stays, in whatever order it is asked for', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(50_000), { maxLength: 300 }), (numbers) => {
      const names = numbers.map((number) => `n${number}.test`);
      const before = createSyntheticPool();
      const addresses = names.map((name) => before.addressOf(name));
      const after = createSyntheticPool(before.entries());
      after.addressOf('new.test');
      expect(names.toReversed().map((name) => after.addressOf(name))).toEqual(addresses.toReversed());
      expect(addresses.map((address) => after.nameOf(address ?? ''))).toEqual(names);
    }),
    { numRuns: 50 },
  );
});
