// Opens the room of sessions over the ground of one host.
import type { SandboxNetworks } from '../container/sandbox-network.ts';
import { createSessions, type Sessions } from '../session/sessions.ts';
import type { Ground } from './house.ts';
import { openLifetimes } from './keep-lifetimes.ts';
import { isRegistryWhole } from './recover.ts';

/** What happens in it is told to whoever listens to the bus. */
export const openSessions = async (ground: Ground, networks: SandboxNetworks): Promise<Sessions> => {
  const { bus, registry } = ground;
  return createSessions({
    ...ground,
    networks,
    lifetimes: await openLifetimes(ground),
    environmentOf: ({ environment_id }) => registry.environments.find(environment_id),
    sessionStore: registry.sessions,
    knowsAllSessions: () => isRegistryWhole(ground),
    emit: {
      session: (session) => bus.emit('session.changed', session),
      terminal: (terminal) => bus.emit('terminal.changed', terminal),
      exec: (exec) => bus.emit('exec.changed', exec),
      sessionRemoved: (id) => {
        bus.emit('session.removed', { id });
        // What cannot be written now is forgotten when the next host starts.
        ground.secrets.sessionRemoved(id).catch(() => undefined);
      },
    },
  });
};
