// Terminals: shells with a PTY in a running session. Their output is a stream that outlives them, the window and the host; a shell
// that outlived its connection is attached again. How it stays alive is in shell-holder.ts.
import { setTimeout as delay } from 'node:timers/promises';
import { SandlotError } from '../base/errors.ts';
import type { Session, Terminal } from '../contract/model.ts';
import { freeName } from './free-name.ts';
import type { SessionDeps } from './session-parts.ts';
import { findShell, type ShellState } from './shell-holder.ts';
import { earlyMs, repaint, tellEarly, tellWhole } from './tell-terminal.ts';
import {
  attach,
  carry,
  conclude,
  type Ending,
  endedWithSession,
  endingOf,
  endProcesses,
  lost,
  type OpenTerminal,
  openShell,
  paintsMs,
  save,
  type TerminalSize,
} from './terminal-connection.ts';
import { resizeFrame, typeFrames } from './terminal-frames.ts';

export interface Terminals {
  /** Without a title it is called as its shell, with a number where another is called so. */
  open: (session: Session, size: Omit<TerminalSize, 'title'> & { title?: string | undefined }) => Promise<Terminal>;
  write: (id: string, bytes: Uint8Array) => Promise<void>;
  resize: (id: string, cols: number, rows: number) => Promise<void>;
  /** Ends the shell and all that runs in it; the output stays readable. */
  close: (id: string) => Promise<void>;
  /** Attaches to the shells that outlived their connection; says of the others how they ended. Those whose runtime is away wait. */
  recover: () => Promise<void>;
  /** A session has changed: whoever came too early is told when it is whole. */
  sessionChanged: (session: Session) => void;
  /** The sandbox of this session is about to be stopped. */
  sandboxEnds: (sessionId: string) => void;
  /** Leaves every shell running for the next host. */
  disconnect: () => void;
}

const refuseTyping = ({ title, status }: Terminal): never => {
  const message = status === 'running' ? `Terminal "${title}" is not connected now` : `Terminal "${title}" has ended`;
  const nextAction = status === 'running' ? 'Wait until its runtime answers again.' : 'Open a new terminal.';
  throw new SandlotError('terminal_closed', `${message}; nothing can be typed into it.`, { nextAction });
};

type SessionOf = (id: string) => Promise<Session>;

interface LastConnection {
  cutAt: string | null;
  /** It ended at once: such a connection is not tried again and again. */
  isFutile: boolean;
  endsWithSession: boolean;
}

const shortestAttachMs = 1_000;

/** `seeming` unless the sandbox knows better. */
const endingFrom = (state: ShellState, seeming: Ending, cutAt: string | null): Ending => {
  if (typeof state === 'string') return state === 'alive' ? lost : seeming;
  const { exitCode, kept } = state;
  return { status: 'exited', exitCode, note: null, ...(kept === null ? {} : { kept: { ...kept, cutAt } }) };
};

/** Whether its shell has no sandbox any more to live on in. What a start of the host has looked at is not looked at again. */
const isStopped = async ({ runtimeOf }: SessionDeps, session: Session | null, wasConnected: boolean): Promise<boolean> => {
  if (session?.status !== 'running' || session.container_id === null) return true;
  if (!wasConnected) return false;
  const found = await runtimeOf(session.runtime)
    .inspectContainer(session.container_id)
    .catch(() => null);
  return found !== null && found.status !== 'running' && found.status !== 'paused';
};

/** Attaches again where the shell is alive, else writes down how it ended: `seeming` unless the sandbox knows better. */
const settle = async (
  deps: SessionDeps,
  sessionOf: SessionOf,
  terminal: Terminal,
  seeming: Ending,
  { cutAt, isFutile, endsWithSession }: LastConnection,
): Promise<OpenTerminal | null> => {
  const session = await sessionOf(terminal.session_id).catch(() => null);
  const state = await findShell(deps, session, terminal.id);
  if (state === 'unreachable' && !endsWithSession) return null;
  if (state === 'alive' && session !== null && !isFutile) return await attach(deps, session, terminal, cutAt);
  const isWithSession = endsWithSession || (state === 'gone' && (await isStopped(deps, session, cutAt !== null)));
  await conclude(deps, terminal, session, endingFrom(state, isWithSession ? endedWithSession : seeming, cutAt));
  return null;
};

interface Links {
  of: (sessionId: string) => OpenTerminal[];
  get: (id: string) => OpenTerminal | undefined;
  find: (id: string) => Promise<Terminal>;
  /** Carries its output from now on, and finds out at its end what became of the shell. */
  follow: (open: OpenTerminal) => void;
  recover: () => Promise<void>;
  disconnect: () => void;
}

const createLinks = (deps: SessionDeps, sessionOf: SessionOf): Links => {
  const connected = new Map<string, OpenTerminal>();
  const returning = new Set<string>();
  let leaving = false;

  const follow = (open: OpenTerminal): void => {
    connected.set(open.terminal.id, open);
    open.done = finish(open);
  };

  const returnTo = async (terminal: Terminal, seeming: Ending, from: LastConnection): Promise<void> => {
    returning.add(terminal.id);
    const open = leaving ? null : await settle(deps, sessionOf, terminal, seeming, from).catch(() => null);
    returning.delete(terminal.id);
    if (open === null) return;
    if (leaving) return open.handle.close();
    follow(open);
    await repaint(open).catch(() => undefined);
  };

  const finish = async (open: OpenTerminal): Promise<void> => {
    const isWhole = await carry(deps, open);
    // The shell lives on without this host: the next one finds it and says what became of it.
    if (leaving) return;
    returning.add(open.terminal.id);
    connected.delete(open.terminal.id);
    const cutAt = deps.clock.iso();
    const isFutile = deps.clock.monotonic() - open.attachedAt < shortestAttachMs;
    await returnTo(open.terminal, await endingOf(open, isWhole), { cutAt, isFutile, endsWithSession: open.endsWithSession });
  };

  return {
    get: (id) => connected.get(id),
    of: (sessionId) => [...connected.values()].filter(({ terminal }) => terminal.session_id === sessionId),
    find: async (id) => {
      const terminal = connected.get(id)?.terminal ?? (await deps.sessionStore.findTerminal(id));
      if (terminal === null) throw new SandlotError('not_found', `There is no terminal "${id}".`);
      return terminal;
    },
    follow,
    recover: async () => {
      const running = await deps.sessionStore.listRunningTerminals();
      const cut = running.filter(({ id }) => !connected.has(id) && !returning.has(id));
      await Promise.all(cut.map((terminal) => returnTo(terminal, lost, { cutAt: null, isFutile: false, endsWithSession: false })));
    },
    disconnect: () => {
      leaving = true;
      for (const { handle } of connected.values()) handle.close();
    },
  };
};

const tellLater = async (sessionOf: SessionOf, open: OpenTerminal): Promise<void> => {
  await delay(earlyMs, undefined, { ref: false });
  if (open.isEarly) await tellEarly(open, await sessionOf(open.terminal.session_id));
};

/** Gives each terminal of a session a name of its own, also those that are opened in one moment. */
const createNames = (links: Links) => {
  const coming: { sessionId: string; title: string }[] = [];
  return async <T>(sessionId: string, given: string | undefined, open: (title: string) => Promise<T>): Promise<T> => {
    const taken = [
      ...links.of(sessionId).map(({ terminal }) => terminal.title),
      ...coming.filter((one) => one.sessionId === sessionId).map(({ title }) => title),
    ];
    const one = { sessionId, title: given ?? freeName('bash', new Set(taken)) };
    coming.push(one);
    try {
      return await open(one.title);
    } finally {
      coming.splice(coming.indexOf(one), 1);
    }
  };
};

/** Makes the terminals of one host over its sessions. */
export const createTerminals = (deps: SessionDeps, sessionOf: SessionOf): Terminals => {
  const links = createLinks(deps, sessionOf);
  const named = createNames(links);
  return {
    open: async (session, size) => {
      // Its first prompt comes while it paints.
      deps.touch?.(session.id);
      return await named(session.id, size.title, async (title) => {
        const open = await openShell(deps, session, { ...size, title });
        const saved = save(deps, open.terminal);
        links.follow(open);
        if (open.isUntold) tellLater(sessionOf, open).catch(() => undefined);
        return await saved;
      });
    },
    write: async (id, bytes) => {
      const open = links.get(id);
      if (open !== undefined) deps.touch?.(open.terminal.session_id);
      await (open === undefined ? refuseTyping(await links.find(id)) : open.handle.type(typeFrames(bytes)));
    },
    resize: async (id, cols, rows) => {
      const open = links.get(id);
      if (open === undefined) return void (await links.find(id));
      open.paintsUntil = deps.clock.monotonic() + paintsMs;
      open.terminal = { ...open.terminal, cols, rows };
      deps.emit.terminal(open.terminal);
      const saved = deps.sessionStore.saveTerminal(open.terminal);
      await open.handle.type(resizeFrame(cols, rows));
      await saved;
    },
    close: async (id) => {
      const open = links.get(id);
      const terminal = await links.find(id);
      if (terminal.status !== 'running') return;
      const session = await sessionOf(terminal.session_id);
      await endProcesses(deps, session, id);
      if (open === undefined) return await conclude(deps, terminal, session, { status: 'exited', exitCode: null, note: null });
      open.handle.close();
      await open.done;
    },
    recover: links.recover,
    sessionChanged: (session) => {
      for (const open of links.of(session.id)) tellWhole(open, session).catch(() => undefined);
    },
    sandboxEnds: (sessionId) => {
      for (const open of links.of(sessionId)) open.endsWithSession = true;
    },
    disconnect: links.disconnect,
  };
};
