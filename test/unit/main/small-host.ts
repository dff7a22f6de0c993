// A host over a small table of real handlers, in a folder of its own: what the doors are tested with.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Host, startHost } from '../../../main/host/host.ts';
import { createEventBus, type EventBus } from '../../../sandbox-engine/base/event-bus.ts';
import type { Handlers } from '../../../sandbox-engine/index.ts';

export interface SmallHost {
  host: Host;
  bus: EventBus;
  dataFolder: string;
  /** Scripts that reached the handler. */
  seen: string[];
}

/** Makes a folder that is removed when the test is over. */
export const temporaryFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'sandlot-test-'));
  onTestFinished(async () => await rm(folder, { recursive: true, force: true }));
  return folder;
};

const smallHandlers = (seen: string[]): Partial<Handlers> => ({
  'templates.list': async () => ({ items: [] }),
  'setup.check': async ({ script }) => {
    seen.push(script);
    return { script, size: script.length, warnings: [] };
  },
});

/** Starts a host over `setup.check`, `templates.list` and what `more` adds; it ends with the test. */
export const startSmallHost = async (dataFolder?: string, more: (bus: EventBus) => Partial<Handlers> = () => ({})): Promise<SmallHost> => {
  const folder = dataFolder ?? (await temporaryFolder());
  const bus = createEventBus();
  const seen: string[] = [];
  const start = await startHost({
    env: {},
    dataFolder: folder,
    version: '0.0.0',
    openEngine: async () => ({
      handlers: { ...smallHandlers(seen), ...more(bus) } as Handlers,
      events: bus,
      redactText: (text) => text,
      isBusy: async () => false,
      close: async () => undefined,
    }),
  });
  if (start.kind !== 'started') throw new Error('there is a host in a new folder');
  onTestFinished(async () => await start.host.close());
  return { host: start.host, bus, dataFolder: folder, seen };
};
