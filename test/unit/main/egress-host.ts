// A host for the tests of `sandlot egress`: it answers from the test and remembers what it was asked.
import type { EventBus } from '../../../sandbox-engine/base/event-bus.ts';
import type { Handlers } from '../../../sandbox-engine/index.ts';
import { runSandlot } from './run-sandlot.ts';
import { startSmallHost } from './small-host.ts';

/** An id of this kind. */
export const id = (prefix: string, digit = '0') => `${prefix}_${digit.repeat(26)}`;

/** The environment that it has. */
export const environment = {
  id: id('env'),
  name: 'web',
  slug: 'web',
  network_policy: { version: 'v1', rules: [] },
  privileged: false,
  revision: 4,
};

/** A host that answers `egress.*` with these handlers, and remembers what it was asked. */
export const openEgressHost = async (handlers: (bus: EventBus) => Partial<Handlers>) => {
  const asked: Record<string, unknown>[] = [];
  const remember = (table: Partial<Handlers>): Partial<Handlers> =>
    Object.fromEntries(
      Object.entries(table).map(([name, answer]) => [
        name,
        async (input: unknown) => {
          asked.push({ [name]: input });
          return await (answer as (input: unknown) => unknown)(input);
        },
      ]),
    );
  const small = await startSmallHost(undefined, (bus) => ({
    'environments.list': async () => ({ environments: [environment as never], next_cursor: null, total: 1 }),
    'environments.get': async () => environment as never,
    ...remember(handlers(bus)),
  }));
  return { asked, run: (words: string[], options = {}) => runSandlot(small.dataFolder, ['egress', ...words], options) };
};
