import { expect, test } from 'vitest';
import { closeHouse } from '../../../sandbox-engine/engine/close-house.ts';

test('a part that does not close, or fails, keeps no other one open, and is named', async () => {
  const closed: string[] = [];
  const part = (name: string) => ({ close: async () => void closed.push(name), stop: async () => void closed.push(name) });
  const never = () => new Promise<never>(() => undefined);
  const house = {
    ...{ activity: part('activity'), builds: part('builds'), setupRuns: { close: never }, sessions: part('sessions') },
    ...{ networks: part('networks'), egress: part('egress'), runtimes: { close: async () => Promise.reject(new Error('It is away.')) } },
    ...{ streams: part('streams'), registry: part('registry') },
    keepers: { lifetimes: part('lifetimes').stop, 'warm sandboxes': never },
  } as unknown as Parameters<typeof closeHouse>[0];
  await expect(closeHouse(house, false, 50)).rejects.toThrow(
    'warm sandboxes: Error: It had not closed after 0.05 seconds. setup runs: Error: It had not closed after 0.05 seconds. runtimes: Error: It is away.',
  );
  expect(closed).toEqual(['lifetimes', 'activity', 'builds', 'sessions', 'networks', 'egress', 'streams', 'registry']);
});
