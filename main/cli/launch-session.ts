// Launches a session and stays until it runs or has failed, telling each step with its time.
import type { Session } from '../../sandbox-engine/contract/model.ts';
import type { CommandContext } from './command-context.ts';
import { waitFor } from './wait-for.ts';

export interface LaunchWish {
  environmentId: string;
  name?: string | undefined;
  /** For this session alone. */
  secrets?: Record<string, string>;
  /** The same, given as files. */
  secretFiles?: Record<string, string>;
  /** Everything public passes, and is written down. */
  observe?: boolean;
}

/** The session once it is no longer starting. */
export const launchSession = async (
  context: CommandContext,
  { environmentId, name, secrets = {}, secretFiles = {}, observe = false }: LaunchWish,
): Promise<Session> => {
  const launched = await context.ask('sessions.launch', {
    environment_id: environmentId,
    ...(name === undefined ? {} : { name }),
    ...(Object.keys(secrets).length === 0 ? {} : { secrets }),
    ...(Object.keys(secretFiles).length === 0 ? {} : { secret_files: secretFiles }),
    ...(observe ? { observe } : {}),
  });
  const told = new Set<string>();
  let lastMessage = '';
  const tell = (session: Session): void => {
    const busy = session.steps.find(({ status, message }) => status === 'running' && message !== undefined);
    if (busy?.message !== undefined && busy.message !== lastMessage) {
      lastMessage = busy.message;
      context.print.note(`      ${busy.name}: ${busy.message}`);
    }
    for (const step of session.steps) {
      if (step.duration_ms === null || told.has(step.name)) continue;
      told.add(step.name);
      context.print.note(`${step.status === 'failed' ? 'failed' : 'done'}  ${step.name} (${Math.round(step.duration_ms)} ms)`);
    }
  };
  const session = await waitFor<Session>(context, {
    inEvent: (event) => (event.name === 'session.changed' && event.payload.id === launched.id ? event.payload : null),
    ask: async () => await context.ask('sessions.get', { session_id: launched.id }),
    isOver: ({ status }) => status !== 'starting',
    onChange: tell,
  });
  if (session.fallback !== null) context.print.note(`note: ${session.fallback}`);
  if (session.message !== null) context.print.note(session.message);
  return session;
};
