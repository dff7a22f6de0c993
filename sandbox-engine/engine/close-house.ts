// Ends what the engine has open, in an order in which nothing needs what is closed already.
import { setTimeout as delay } from 'node:timers/promises';
import type { House } from './house.ts';

interface Parts
  extends Pick<House, 'activity' | 'builds' | 'setupRuns' | 'sessions' | 'networks' | 'egress' | 'runtimes' | 'streams' | 'registry'> {
  /** What looks after them by itself, by its name; ended first. */
  keepers: Record<string, () => Promise<unknown>>;
}

/** A part that waits for a runtime or for somebody who is connected must not keep the next host out for as long. */
const usualLimitMs = 20_000;

/** Closes them all; what has not closed in time is left behind. @throws AggregateError that names each part that failed or was left */
export const closeHouse = async (house: Parts, stopSessions: boolean, limitMs = usualLimitMs): Promise<void> => {
  const troubles: Error[] = [];
  const close = async (name: string, closing: () => Promise<unknown>, partLimitMs = limitMs): Promise<void> => {
    const over = new AbortController();
    const late = delay(partLimitMs, undefined, { signal: over.signal }).then(() => {
      throw new Error(`It had not closed after ${partLimitMs / 1_000} seconds.`);
    });
    late.catch(() => undefined);
    await Promise.race([closing(), late]).catch((cause: unknown) => troubles.push(new Error(`${name}: ${String(cause)}`, { cause })));
    over.abort();
  };
  await Promise.all(Object.entries(house.keepers).map(([name, end]) => close(name, end)));
  await close('activity', () => house.activity.close());
  await close('builds', () => house.builds.close());
  await close('setup runs', () => house.setupRuns.close());
  // Stopping is what somebody asked for, and takes each as long as its runtime does.
  const sessionsLimitMs = stopSessions ? 6 * limitMs : limitMs;
  await Promise.all([
    close('sessions', () => house.sessions.close({ stop: stopSessions }), sessionsLimitMs),
    close('networks', () => house.networks.stop()),
  ]);
  await close('the policy proxy', () => house.egress.close());
  await close('runtimes', async () => await house.runtimes.close());
  await close('streams', () => house.streams.close());
  await close('the registry', () => house.registry.close());
  if (troubles.length > 0) throw new AggregateError(troubles, troubles.map(({ message }) => message).join(' '));
};
