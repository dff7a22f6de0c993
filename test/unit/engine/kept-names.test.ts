// Source: NETWORK.md 1.6, J11.
import { appendFile, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSyntheticPool, mostSyntheticNames } from '../../../sandbox-engine/egress/synthetic-pool.ts';
import { createKeptNames, readNameLines } from '../../../sandbox-engine/engine/kept-names.ts';
import { collidingNames } from '../../runtime/support/colliding-names.ts';
import { temporaryFolder } from '../registry/temporary-folder.ts';

test('J11: names have the addresses that they had, in whatever order they are asked for after a restart', async () => {
  const file = join(await temporaryFolder(), 'names');
  const [first, second] = collidingNames('.allowed.test');
  const kept = createKeptNames();
  const before = createSyntheticPool(await kept.read(file));
  const addresses = [first, second].map((name) => before.addressOf(name) ?? '');
  for (const [name, address] of before.entries()) kept.add(file, name, address);
  // The keeper that wrote them knows of all that it was told; one that comes later finds what was written.
  expect(await kept.read(file)).toEqual([first, second].map((name, at) => [name, addresses[at]]));
  const after = createSyntheticPool(await createKeptNames().read(file));
  expect([after.addressOf(second), after.addressOf(first)]).toEqual([addresses[1], addresses[0]]);
});

test.each([
  ['nothing', '', []],
  ['a line that was cut short', 'a.test 198.18.1.7\nb.test 198.18', [['a.test', '198.18.1.7']]],
  ['a second line of a name', 'a.test 198.18.1.7\na.test 198.18.1.8\n', [['a.test', '198.18.1.7']]],
  ['a second name of an address', 'a.test 198.18.1.7\nb.test 198.18.1.7\n', [['a.test', '198.18.1.7']]],
  ["the proxy's own address, and others that are not the pool's", 'a.test 198.18.0.1\nb.test 10.0.0.1\nc.test 198.18.1.256\n', []],
  ['what is no name', 'A.TEST 198.18.1.7\n 198.18.1.8\na b 198.18.1.9\n', []],
])('of a file with %s only what can be right is read', (_what, text, expected) => {
  expect(readNameLines(text)).toEqual(expected);
});

test('more names than a pool has are not read', () => {
  const text = Array.from({ length: 5_000 }, (_, at) => `n${at}.test 198.19.${at >> 8}.${at & 255}`).join('\n');
  expect(readNameLines(text)).toHaveLength(mostSyntheticNames);
});

test('a file that is not there or cannot be read keeps nothing, and a folder that is gone is not made again', async () => {
  const folder = await temporaryFolder();
  const kept = createKeptNames();
  expect(await kept.read(join(folder, 'names'))).toEqual([]);
  await appendFile(join(folder, 'names'), 'a.test 198.18.1.7\n');
  await rm(folder, { recursive: true });
  kept.add(join(folder, 'names'), 'b.test', '198.18.1.8');
  expect(await kept.read(join(folder, 'names'))).toEqual([]);
  await expect(readFile(join(folder, 'names'))).rejects.toMatchObject({ code: 'ENOENT' });
});
