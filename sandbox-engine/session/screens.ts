// The connections of viewers to screens: bytes are held until the viewer asks for them, and no more than a little is held, so that a busy
// screen waits for a slow viewer and nobody else does. Nothing is read, kept or written down.
import { SandlotError } from '../base/errors.ts';
import type { Session } from '../contract/model.ts';
import { screenSocket, startDesktop } from './desktop.ts';
import { type InsideRelay, openInsideRelay } from './inside-relay.ts';
import { runningContainer } from './running-container.ts';
import type { SessionDeps } from './session-parts.ts';

export interface ScreenSlice {
  bytes: Buffer;
  /** Nothing will come any more. */
  ended: boolean;
}

export interface Screens {
  /** Answers the id of the connection. @throws session_not_running @throws not_found when it has no desktop @throws forbidden */
  open: (session: Session) => Promise<string>;
  /** Waits until something has come, at most that long. @throws not_found */
  read: (id: string, limits: { waitMs: number; maxBytes: number }) => Promise<ScreenSlice>;
  /** Resolves when there is room for more. @throws not_found */
  write: (id: string, bytes: Uint8Array) => Promise<void>;
  close: (id: string) => void;
  /** Lets go of all; the desktops stay. */
  disconnect: () => void;
}

interface Viewer {
  sessionId: string;
  relay: InsideRelay;
  waiting: Buffer[];
  held: number;
  ended: boolean;
  /** Tells whoever reads that something has come. */
  wake: () => void;
  /** Lets the sandbox go on. */
  goOn: () => void;
  lastSeen: number;
}

/** What is held of one screen before its server has to wait. */
const mostHeld = 524_288;
/** In how many pieces: one costs much more than its bytes, and to take the first of very many moves all others. */
const mostPieces = 1_024;
const mostViewers = 8;
/** Who has not asked for so long is gone. */
const forgottenMs = 60_000;

const receive =
  (viewer: Viewer) =>
  (bytes: Buffer): Promise<void> | undefined => {
    viewer.waiting.push(bytes);
    viewer.held += bytes.length;
    viewer.wake();
    if (viewer.held <= mostHeld && viewer.waiting.length <= mostPieces) return undefined;
    return new Promise((resolve) => {
      viewer.goOn = resolve;
    });
  };

/** Takes at most that many bytes out of what waits. */
const take = (viewer: Viewer, maxBytes: number): Buffer => {
  const taken: Buffer[] = [];
  let size = 0;
  while (viewer.waiting.length > 0 && size < maxBytes) {
    const next = viewer.waiting.shift() as Buffer;
    const part = next.subarray(0, maxBytes - size);
    if (part.length < next.length) viewer.waiting.unshift(next.subarray(part.length));
    taken.push(part);
    size += part.length;
  }
  viewer.held -= size;
  if (viewer.held <= mostHeld / 2 && viewer.waiting.length <= mostPieces / 2) viewer.goOn();
  return Buffer.concat(taken, size);
};

const waitFor = (viewer: Viewer, ms: number): Promise<void> =>
  new Promise((resolve) => {
    // Who asked before is answered with nothing: one viewer reads in one place.
    viewer.wake();
    const timer = setTimeout(resolve, ms);
    viewer.wake = () => {
      clearTimeout(timer);
      resolve();
    };
  });

/** The session's container, where it runs and has a desktop. @throws session_not_running @throws not_found */
export const screenOf = (session: Session): string => {
  if (session.computer_use !== true)
    throw new SandlotError('not_found', `Session "${session.name}" has no screen.`, {
      nextAction: 'Set "computer_use: true" in its environment, with the base "browser-desktop", and launch a new session.',
    });
  return runningContainer(session, 'its screen is dark');
};

const connect = async ({ runtimeOf, clock }: SessionDeps, session: Session): Promise<Viewer> => {
  const containerId = screenOf(session);
  const runtime = runtimeOf(session.runtime);
  await startDesktop(runtime, containerId);
  const relay = await openInsideRelay(runtime, containerId, { socket: screenSocket });
  const nobody = (): void => undefined;
  return {
    ...{ sessionId: session.id, relay, waiting: [], held: 0, ended: false },
    ...{ wake: nobody, goOn: nobody, lastSeen: clock.monotonic() },
  };
};

const follow = (viewer: Viewer): void => {
  const finish = (): void => {
    viewer.ended = true;
    viewer.wake();
  };
  viewer.relay.each(receive(viewer)).then(finish, finish);
};

/** Makes the viewers of one host. */
export const createScreens = (deps: SessionDeps): Screens => {
  const viewers = new Map<string, Viewer>();
  let sweeping: NodeJS.Timeout | undefined;

  const close = (id: string): void => {
    const viewer = viewers.get(id);
    viewers.delete(id);
    if (viewers.size === 0) clearInterval(sweeping);
    viewer?.relay.close();
    viewer?.goOn();
    viewer?.wake();
  };
  const find = (id: string): Viewer => {
    const viewer = viewers.get(id);
    if (viewer === undefined)
      throw new SandlotError('not_found', `There is no connection "${id}" to a screen.`, { nextAction: 'Open the screen again.' });
    viewer.lastSeen = deps.clock.monotonic();
    return viewer;
  };
  const sweep = (): void => {
    for (const [id, { lastSeen }] of viewers) if (deps.clock.monotonic() - lastSeen > forgottenMs) close(id);
  };
  const checkRoom = (sessionId: string): void => {
    const count = [...viewers.values()].filter((viewer) => viewer.sessionId === sessionId).length;
    if (count >= mostViewers)
      throw new SandlotError('forbidden', `${count} viewers look at this screen already.`, { nextAction: 'Close one of them.' });
  };

  return {
    open: async (session) => {
      checkRoom(session.id);
      const viewer = await connect(deps, session);
      const id = deps.newId('scr');
      if (viewers.size === 0) sweeping = setInterval(sweep, forgottenMs / 4).unref();
      viewers.set(id, viewer);
      follow(viewer);
      return id;
    },
    read: async (id, { waitMs, maxBytes }) => {
      const viewer = find(id);
      if (viewer.held === 0 && !viewer.ended) await waitFor(viewer, waitMs);
      viewer.lastSeen = deps.clock.monotonic();
      const bytes = take(viewer, maxBytes);
      return { bytes, ended: (viewer.ended && viewer.held === 0) || !viewers.has(id) };
    },
    write: (id, bytes) => find(id).relay.write(bytes),
    close,
    disconnect: () => [...viewers.keys()].forEach(close),
  };
};
