// The ports of sessions: what is listened at inside, as far as somebody looks, and the forwards on this machine.
import { SandlotError } from '../base/errors.ts';
import type { ContainerRuntime } from '../container/container-runtime.ts';
import type { Forward, ForwardWish, ListeningPort, Session, SessionPorts } from '../contract/model.ts';
import { createForwards } from './forwards.ts';
import { guessUrl } from './guess-url.ts';
import { createLeases } from './lease.ts';
import { readListening } from './listening-ports.ts';
import { lookAtPorts, type PortWatch, watchPorts } from './port-watch.ts';
import { runningContainer } from './running-container.ts';

export interface Ports {
  /** Looks once. @throws session_not_running */
  list: (session: Session) => Promise<SessionPorts>;
  /** Looks on for a while, and answers what is known. @throws session_not_running */
  watch: (session: Session) => SessionPorts;
  /** @throws session_not_running @throws already_exists @throws too_large */
  forward: (session: Session, port: number, localPort?: number) => Promise<Forward>;
  stop: (session: Session, port: number) => Promise<void>;
  /** @throws not_found when it is not forwarded */
  url: (session: Session, port: number) => Promise<string>;
  /** The session is as this now. */
  settle: (session: Session) => void;
  removed: (sessionId: string) => void;
  isAnyForwarded: () => boolean;
  close: () => Promise<void>;
}

export interface PortsDeps {
  runtimeOf: (id: string) => ContainerRuntime;
  sessionOf: (id: string) => Promise<Session>;
  keep: (sessionId: string, forwards: ForwardWish[]) => Promise<void>;
  tell: (ports: SessionPorts) => void;
  /** Somebody came or went: the session is in use. */
  touch: (sessionId: string) => void;
  redactText: (text: string) => string;
  /** Whose ports are not the sandbox's: the relay of a gate shares its network. */
  hiddenUser: number;
}

const leaseMs = 20_000;
const toLook = 'looking at its ports needs a running one';

interface Known {
  listening: ListeningPort[] | null;
  trouble: string | null;
  watch: PortWatch | null;
}

/** What is known of what is listened at, while somebody looks. */
const createLooking = (deps: PortsDeps, told: (sessionId: string) => void) => {
  const known = new Map<string, Known>();
  const sessions = new Map<string, Session>();
  const end = (id: string): void => {
    known.get(id)?.watch?.close();
    known.delete(id);
    sessions.delete(id);
  };
  const begin = (id: string): void => {
    const session = sessions.get(id);
    if (session === undefined || session.container_id === null) return;
    const one: Known = { listening: null, trouble: null, watch: null };
    known.set(id, one);
    one.watch = watchPorts(deps.runtimeOf(session.runtime), session.container_id, {
      onLine: (line) => {
        one.listening = readListening(line, deps.hiddenUser, deps.redactText);
        told(id);
      },
      onEnd: (why) => {
        one.trouble = why ?? 'The program that looks for ports has ended inside the sandbox.';
        told(id);
        // Whoever asks next begins anew.
        leases.drop(id);
      },
    });
  };
  const leases = createLeases({ lastsMs: leaseMs, onBegin: begin, onEnd: end });
  return {
    of: (id: string): Pick<Known, 'listening' | 'trouble'> => known.get(id) ?? { listening: null, trouble: null },
    renew: (session: Session): void => {
      sessions.set(session.id, session);
      leases.renew(session.id);
    },
    drop: leases.drop,
    dropAll: leases.dropAll,
  };
};

/** Makes the ports of one host. */
export const createPorts = (deps: PortsDeps): Ports => {
  const tellAnew = (id: string): void => {
    deps.sessionOf(id).then(
      (session) => deps.tell(stateOf(session)),
      () => undefined,
    );
  };
  const looking = createLooking(deps, tellAnew);
  const forwards = createForwards({ ...deps, changed: tellAnew });
  const stateOf = (session: Session): SessionPorts => {
    const { listening, trouble } = looking.of(session.id);
    return { session_id: session.id, listening, forwards: forwards.list(session), trouble };
  };
  return {
    list: async (session) => {
      const line = await lookAtPorts(deps.runtimeOf(session.runtime), runningContainer(session, toLook));
      return { ...stateOf(session), listening: readListening(line, deps.hiddenUser, deps.redactText) };
    },
    watch: (session) => {
      runningContainer(session, toLook);
      looking.renew(session);
      return stateOf(session);
    },
    forward: async (session, port, localPort) => {
      runningContainer(session, 'a forward needs a running one');
      return await forwards.ask(session, port, localPort);
    },
    stop: forwards.stop,
    url: async (session, port) => {
      const found = forwards.list(session).find((one) => one.port === port && one.status === 'open');
      if (found === undefined) {
        throw new SandlotError('not_found', `Port ${port} of "${session.name}" does not lead to this machine.`, {
          nextAction: `sandlot session forward ${session.id} ${port}`,
        });
      }
      return await guessUrl(port, found.local_port);
    },
    settle: (session) => {
      if (session.status !== 'running') looking.drop(session.id);
      forwards.settle(session).catch(() => undefined);
    },
    removed: (id) => {
      looking.drop(id);
      forwards.forget(id).catch(() => undefined);
    },
    isAnyForwarded: forwards.isAnyOpen,
    close: async () => {
      looking.dropAll();
      await forwards.close();
    },
  };
};
