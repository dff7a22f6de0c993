// Real host processes for tests that need no compute: they end with their test.
import { rm } from 'node:fs/promises';
import { onTestFinished } from 'vitest';
import { type RealHost, startRealHost } from '../../runtime/support/real-host.ts';

/** A host that ends with the test, and its folder with it. */
export const hostHere = async (given: Parameters<typeof startRealHost>[0] = {}): Promise<RealHost> => {
  const host = await startRealHost(given);
  onTestFinished(async () => {
    await host.kill();
    await rm(host.folder, { recursive: true, force: true, maxRetries: 5 });
  });
  return host;
};

/** A small environment on it. */
export const createHere = (host: RealHost, name: string, more: object = {}) =>
  host.call('environments.create', { body: { name, recipe_yaml: 'base: python\n', ...more } });
