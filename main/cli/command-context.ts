// What every command holds: a way to ask the host, to print, and to hear Ctrl-C. The connection is made at the first question.
import type { CallInput, CallName, CallOutput } from '../../sandbox-engine/contract/calls.ts';
import type { AppEvent } from '../../sandbox-engine/contract/events.ts';
import type { HostClient } from '../host/connect-host.ts';
import { callFailed } from './command-failed.ts';
import { createPrinter, type OutputMode, type Printer } from './print.ts';
import { reachHost } from './reach-host.ts';

export interface CommandContext {
  print: Printer;
  env: NodeJS.ProcessEnv;
  /** Asks the host; a refusal is thrown with its exit code. */
  ask: <N extends CallName>(name: N, input: CallInput<N>) => Promise<CallOutput<N>>;
  /** Hears events of the host from now on. */
  hear: (listener: (event: AppEvent) => void) => Promise<() => void>;
  host: () => Promise<HostClient>;
  close: () => void;
}

/** Makes the context of one command. */
export const createContext = (mode: OutputMode, env: NodeJS.ProcessEnv): CommandContext => {
  let client: Promise<HostClient> | null = null;
  const host = async (): Promise<HostClient> => {
    client ??= reachHost(env);
    return await client;
  };
  return {
    print: createPrinter(mode),
    env,
    host,
    ask: async (name, input) => {
      const reply = await (await host()).call(name, input);
      if (!reply.ok) throw callFailed(reply.error);
      return reply.value;
    },
    hear: async (listener) => (await host()).subscribe(listener),
    close: () => void client?.then((open) => open.close()).catch(() => undefined),
  };
};
