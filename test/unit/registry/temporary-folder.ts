import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { systemClock } from '../../../sandbox-engine/base/clock.ts';
import { openRegistry } from '../../../sandbox-engine/registry/open-registry.ts';
import type { Registry } from '../../../sandbox-engine/registry/registry.ts';

/** A folder that is gone after the test. */
export const temporaryFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'registry-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
};

/** The registry in this folder, closed after the test when the test has not done so. */
export const openHere = async (folder: string, clock = systemClock): Promise<Registry> => {
  const registry = await openRegistry({ folder, clock });
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= registry.close();
    return closing;
  };
  onTestFinished(close);
  return { ...registry, close };
};
