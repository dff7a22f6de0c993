// Started by tests as a process of its own: a small host that says `started` or `joined`, and lives until it is killed.

import { startHost } from '../../../main/host/host.ts';
import { guardProcess } from '../../../main/host/process-guards.ts';
import { createEventBus } from '../../../sandbox-engine/base/event-bus.ts';
import type { Handlers } from '../../../sandbox-engine/index.ts';

const start = await startHost({
  env: process.env,
  version: '0.0.0',
  openEngine: async () => {
    process.stdout.write('opened the registry\n');
    return {
      handlers: { 'templates.list': async () => ({ items: [] }) } as unknown as Handlers,
      events: createEventBus(),
      redactText: (text) => text,
      isBusy: async () => false,
      close: async () => undefined,
    };
  },
});
if (start.kind === 'started') {
  guardProcess(start.host);
  process.stdout.write('started\n');
  await start.host.closed;
  process.stdout.write('closed\n');
  process.exit();
}
process.stdout.write('joined\n');
start.client.close();
