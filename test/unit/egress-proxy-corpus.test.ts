import { afterAll, beforeAll, expect, test } from 'vitest';
import { tls } from '../egress/corpus/row.ts';
import { corpusRows } from '../egress/corpus/rows.ts';
import { connectGate, lookUp } from '../egress/gate-client.ts';
import { expectedOf, runRow } from '../egress/run-row.ts';
import { buildWorld, corpusWorld, type World } from '../egress/world.ts';

let world: World;
let neighbour: string;

beforeAll(async () => {
  world = await buildWorld(corpusWorld);
  neighbour = await world.openSandbox('ses_neighbour');
});
afterAll(async () => {
  await world.close();
});

// After each, an allowed request of another sandbox works: nothing that a sandbox does harms the proxy.
test.each(corpusRows.map((row) => [row.id, row.what, row] as const))('%s: %s', async (_id, _what, row) => {
  expect(await runRow(world, world, row)).toEqual(expectedOf(row, world));
  const allowed = connectGate(neighbour, { ip: (await lookUp(neighbour, 'allowed.test')) ?? '', port: 443 });
  allowed.send(tls('allowed.test'));
  expect(await allowed.until((text) => text.includes('\n'))).toBe('tls:allowed.test\n');
  allowed.socket.destroy();
  expect(world.crashes).toEqual([]);
});
