// The whole corpus inside real sandboxes of one runtime: the same rows as at the proxy's sockets, through gate and relay, as the sandbox's
// user and as root. Source: NETWORK.md 2 ("Run each network case as uid 1000 and as root-by-sudo").
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { GateWay } from '../../sandbox-engine/gate/gate-ways.ts';
import { type Capture, canCapture, startCapture } from '../runtime/support/capture.ts';
import { testRuntimes } from '../runtime/support/test-image.ts';
import { corpusRows } from './corpus/rows.ts';
import { insideSandbox, startInside } from './inside-sandbox.ts';
import { neverOut } from './never-out.ts';
import { expectedOf, type RowPlace, runRow } from './run-row.ts';
import { corpusWorld } from './world.ts';
import { openWorldHouse, type WorldHouse } from './world-house.ts';

const users: [string, string[]][] = [
  ['its user', []],
  ['root', ['sudo']],
];

/** So long may one row take; a row that hangs fails alone. */
const rowMs = 15_000;

/** Declares the corpus for one runtime, by the way that its gates take or by another. */
export const declareInside = (kind: 'docker' | 'podman', forcedWay?: GateWay): void => {
  const places = testRuntimes.filter((each) => each.kind === kind).flatMap((place) => users.map(([user, as]) => ({ ...place, user, as })));
  const over = forcedWay === undefined ? '' : ` over ${forcedWay}`;
  describe.each(places)(`a sandbox on $kind${over} as $user`, ({ socket, as }) => {
    let house: WorldHouse;
    let place: RowPlace;
    let capture: Capture | null = null;
    let close = (): void => undefined;

    beforeAll(async () => {
      house = await openWorldHouse({ kind, socket, ...corpusWorld, ...(forcedWay === undefined ? {} : { forcedWay }) });
      const { containerId, socketFolder, sandboxId, at } = await house.openWorldSandbox();
      await house.world.proxy.close(sandboxId);
      const driver = await startInside(house.runtime, containerId, as);
      close = driver.close;
      place = insideSandbox(house.world, driver, socketFolder, at);
      // Over TCP what a sandbox says to the proxy crosses the network of the carriers.
      if (canCapture && forcedWay !== 'tcp') capture = await startCapture(neverOut);
    }, 300_000);
    afterAll(async () => {
      close();
      await capture?.stop();
      await house?.closeAll();
    });

    test.each(corpusRows.map((row) => [row.id, row.what, row] as const))('%s: %s', { timeout: rowMs }, async (_id, _what, row) => {
      const { world } = house;
      const seen = await runRow(world, world, row, place);
      expect([seen, capture?.hits ?? []]).toEqual([expectedOf(row, world, true), []]);
      expect(world.crashes).toEqual([]);
    });
  });
};
