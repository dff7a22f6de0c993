// The whole corpus inside real sandboxes: the same rows as at the proxy's sockets, through gate and relay, on Docker and Podman, as the
// sandbox's user and as root.
// Source: NETWORK.md 2 ("Run each network case as uid 1000 and as root-by-sudo").
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openGateHouse } from '../runtime/support/gate-house.ts';
import { testRuntimes } from '../runtime/support/test-image.ts';
import { corpusRows } from './corpus/rows.ts';
import { type InsideDriver, insideSandbox, startInside } from './inside-sandbox.ts';
import { expectedOf, type RowPlace, runRow } from './run-row.ts';
import { buildWorld, type World } from './world.ts';

const users: [string, string[]][] = [
  ['its user', []],
  ['root', ['sudo']],
];
const places = testRuntimes.flatMap((place) => users.map(([user, as]) => ({ ...place, user, as })));

describe.each(places)('a sandbox on $kind as $user', ({ kind, socket, as }) => {
  let world: World;
  let house: Awaited<ReturnType<typeof openGateHouse>>;
  let driver: InsideDriver;
  let place: RowPlace;

  beforeAll(async () => {
    world = await buildWorld({ limits: { tellMs: 10, resolveMs: 1_000, refusedHelloMs: 300, lingerMs: 500 } });
    house = await openGateHouse({ kind, socket });
    let folder = '';
    const { containerId } = await house.openBehind({
      listen: async (given) => {
        folder = given;
        await world.openSandbox('ses_first', undefined, {}, given);
      },
    });
    await world.proxy.close('ses_first');
    driver = await startInside(house.runtime, containerId, as);
    place = insideSandbox(world, driver, folder);
  }, 300_000);
  afterAll(async () => {
    driver.close();
    await house.removeAll();
    await world.close();
  });

  test.each(corpusRows.map((row) => [row.id, row.what, row] as const))('%s: %s', async (_id, _what, row) => {
    expect(await runRow(world, world, row, place)).toEqual(expectedOf(row, world));
  });
});
