// The forwards of all sessions: asked for, opened as soon as their session runs, closed when it does not, kept with the session so that
// they come back after a resume and with the next host.
import type { Socket } from 'node:net';
import { SandlotError } from '../base/errors.ts';
import { createTurns } from '../base/take-turns.ts';
import type { ContainerRuntime } from '../container/container-runtime.ts';
import type { Forward, ForwardWish, Session } from '../contract/model.ts';
import { type ForwardListener, openForwardListener } from './forward-listener.ts';
import { type ForwardRelay, openForwardRelay } from './forward-relay.ts';

export interface Forwards {
  /** @throws already_exists @throws too_large */
  ask: (session: Session, port: number, localPort?: number) => Promise<Forward>;
  /** Safe to repeat. */
  stop: (session: Session, port: number) => Promise<void>;
  list: (session: Session) => Forward[];
  /** Opens and closes what the session's state asks for. */
  settle: (session: Session) => Promise<void>;
  forget: (sessionId: string) => Promise<void>;
  /** Whether any is open: then this host is needed. */
  isAnyOpen: () => boolean;
  close: () => Promise<void>;
}

interface ForwardsDeps {
  runtimeOf: (id: string) => ContainerRuntime;
  sessionOf: (id: string) => Promise<Session>;
  /** Keeps with the session what was asked for. */
  keep: (sessionId: string, forwards: ForwardWish[]) => Promise<void>;
  /** Somebody came or went, or bytes passed. */
  touch: (sessionId: string) => void;
  /** Something can be said anew about the forwards of this session. */
  changed: (sessionId: string) => void;
}

interface Opened {
  containerId: string;
  runtimeId: string;
  relay: Promise<ForwardRelay> | null;
  listeners: Map<number, ForwardListener>;
  failures: Map<number, string>;
}

const mostForwards = 32;

const joinOver = async (deps: ForwardsDeps, sessionId: string, opened: Opened, socket: Socket, port: number): Promise<void> => {
  // Started by the first connection, and again by the next when it has ended.
  opened.relay ??= openForwardRelay(deps.runtimeOf(opened.runtimeId), opened.containerId, () => deps.touch(sessionId));
  const starting = opened.relay;
  try {
    const relay = await starting;
    void relay.ended.then(() => {
      if (opened.relay === starting) opened.relay = null;
    });
    relay.join(socket, port);
  } catch {
    if (opened.relay === starting) opened.relay = null;
    socket.destroy();
  }
};

const closeOpened = async (opened: Opened | undefined): Promise<void> => {
  if (opened === undefined) return;
  await Promise.all([...opened.listeners.values()].map((listener) => listener.close()));
  opened.listeners.clear();
  (await opened.relay?.catch(() => null))?.close();
  opened.relay = null;
};

const openOne = async (deps: ForwardsDeps, sessionId: string, opened: Opened, { port, local_port }: ForwardWish, isExact: boolean) => {
  const listener = await openForwardListener({
    wanted: local_port,
    isExact,
    // Somebody may speak before the way inside stands: what they say waits in their socket.
    join: (socket) => void joinOver(deps, sessionId, opened, socket.pause(), port),
    onChange: () => {
      deps.touch(sessionId);
      deps.changed(sessionId);
    },
  });
  opened.failures.delete(port);
  opened.listeners.set(port, listener);
  return listener;
};

const isOpenable = ({ status, container_id }: Session): boolean => status === 'running' && container_id !== null;

const madeFor = ({ container_id, runtime }: Session): Opened => ({
  ...{ containerId: container_id ?? '', runtimeId: runtime, relay: null, listeners: new Map(), failures: new Map() },
});

/** What is open now, by session. */
const createBook = () => {
  const all = new Map<string, Opened>();
  const close = async (sessionId: string): Promise<void> => {
    const opened = all.get(sessionId);
    all.delete(sessionId);
    await closeOpened(opened);
  };
  return {
    all,
    close,
    /** For this container: what led to another one is closed. */
    open: async (session: Session): Promise<Opened> => {
      const known = all.get(session.id);
      if (known?.containerId === session.container_id) return known;
      await close(session.id);
      const made = madeFor(session);
      all.set(session.id, made);
      return made;
    },
  };
};

type Book = ReturnType<typeof createBook>;

const listOf = ({ all }: Book, { id, forwards = [] }: Session): Forward[] => {
  const opened = all.get(id);
  return forwards.map(({ port, local_port }) => {
    const listener = opened?.listeners.get(port);
    const failure = opened?.failures.get(port) ?? null;
    if (listener !== undefined)
      return { port, local_port: listener.localPort, status: 'open', message: null, connections: listener.connections() };
    return { port, local_port, status: failure === null ? 'waiting' : 'failed', message: failure, connections: 0 };
  });
};

const settle = async (deps: ForwardsDeps, book: Book, session: Session): Promise<void> => {
  const { id, forwards = [] } = session;
  if (!isOpenable(session) || forwards.length === 0) {
    if (!book.all.has(id)) return;
    await book.close(id);
    return deps.changed(id);
  }
  const opened = await book.open(session);
  const missing = forwards.filter(({ port }) => !opened.listeners.has(port) && !opened.failures.has(port));
  for (const wish of missing) {
    await openOne(deps, id, opened, wish, false).catch((thrown: unknown) => opened.failures.set(wish.port, (thrown as Error).message));
  }
  if (missing.length > 0) deps.changed(id);
};

const checkRoom = (others: readonly ForwardWish[]): void => {
  if (others.length < mostForwards) return;
  throw new SandlotError('too_large', `A session has at most ${mostForwards} forwards.`, { nextAction: 'Stop one that you do not need.' });
};

const ask = async (deps: ForwardsDeps, book: Book, session: Session, wanted: { port: number; localPort?: number | undefined }) => {
  const { port, localPort } = wanted;
  const known = listOf(book, session).find((one) => one.port === port && one.status === 'open');
  if (known !== undefined && (localPort === undefined || localPort === known.local_port)) return known;
  const others = (session.forwards ?? []).filter((one) => one.port !== port);
  checkRoom(others);
  const opened = await book.open(session);
  // The new one first: when it cannot be had, the old one stays.
  const before = opened.listeners.get(port);
  const wish = { port, local_port: localPort ?? port };
  const { localPort: local_port } = await openOne(deps, session.id, opened, wish, localPort !== undefined);
  await before?.close();
  await deps.keep(session.id, [...others, { port, local_port }]);
  deps.changed(session.id);
  const made: Forward = { port, local_port, status: 'open', message: null, connections: 0 };
  return made;
};

const stop = async (deps: ForwardsDeps, book: Book, session: Session, port: number): Promise<void> => {
  const opened = book.all.get(session.id);
  await opened?.listeners.get(port)?.close();
  opened?.listeners.delete(port);
  opened?.failures.delete(port);
  const others = (session.forwards ?? []).filter((one) => one.port !== port);
  await deps.keep(session.id, others);
  if (others.length === 0) await book.close(session.id);
  deps.changed(session.id);
};

/** Makes the forwards of one host. What is asked about one session happens one after the other, with the session as it is then. */
export const createForwards = (deps: ForwardsDeps): Forwards => {
  const book = createBook();
  const turns = createTurns();
  return {
    ask: ({ id }, port, localPort) => turns(id, async () => await ask(deps, book, await deps.sessionOf(id), { port, localPort })),
    stop: ({ id }, port) => turns(id, async () => await stop(deps, book, await deps.sessionOf(id), port)),
    list: (session) => listOf(book, session),
    settle: ({ id }) => turns(id, async () => await settle(deps, book, await deps.sessionOf(id))),
    forget: (sessionId) => turns(sessionId, () => book.close(sessionId)),
    isAnyOpen: () => [...book.all.values()].some(({ listeners }) => listeners.size > 0),
    close: async () => {
      await Promise.all([...book.all.keys()].map((id) => turns(id, () => book.close(id))));
    },
  };
};
