import type { CallInput, CallName, CallOutput } from '../../sandbox-engine/contract/calls.ts';
import type { OpenApp } from './open-app.ts';

/** Asks the host beside the page, for what a test needs and does not test; a refusal is thrown. */
export const callsOf =
  ({ host }: Pick<OpenApp, 'host'>) =>
  async <N extends CallName>(name: N, input: CallInput<N>): Promise<CallOutput<N>> => {
    const reply = await host.dispatch(name, input);
    if (!reply.ok) throw new Error(`${name}: ${reply.error.message}`);
    return reply.value as CallOutput<N>;
  };
