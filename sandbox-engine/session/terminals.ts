// Terminals: shells with a PTY in a running session. Their output is a stream that outlives them, the window and the host.
import { SandlotError } from '../base/errors.ts';
import type { Session, Terminal } from '../contract/model.ts';
import type { StreamWriter } from '../stream/stream.ts';
import { pump } from './pump.ts';
import { endMarked } from './run-inside.ts';
import { type Connected, type SessionDeps, sandboxUser, terminalVariable, workspace } from './session-parts.ts';

interface TerminalSize {
  cols: number;
  rows: number;
  title?: string;
}

export interface Terminals {
  open: (session: Session, size: TerminalSize) => Promise<Terminal>;
  write: (id: string, bytes: Uint8Array) => Promise<void>;
  resize: (id: string, cols: number, rows: number) => Promise<void>;
  /** Ends the shell and all that runs in it; the output stays readable. */
  close: (id: string, session: (id: string) => Promise<Session>) => Promise<void>;
  isConnected: (id: string) => boolean;
  disconnect: () => void;
}

interface OpenTerminal extends Connected {
  terminal: Terminal;
}

const keptOutput = { keep: 'tail', maxBytes: 8_388_608 } as const;

const save = async (deps: SessionDeps, terminal: Terminal): Promise<Terminal> => {
  deps.emit.terminal(terminal);
  await deps.sessionStore.saveTerminal(terminal);
  return terminal;
};

const startShell = (deps: SessionDeps, session: Session, id: string, tty: { cols: number; rows: number }) => {
  if (session.status !== 'running' || session.container_id === null) {
    throw new SandlotError('session_not_running', `Session "${session.name}" is ${session.status}: a terminal needs a running one.`, {
      nextAction: 'Resume the session first.',
    });
  }
  return deps.runtimeOf(session.runtime).exec(session.container_id, {
    command: ['bash', '-l'],
    env: ['TERM=xterm-256color', 'COLORTERM=truecolor', `${terminalVariable}=${id}`],
    user: sandboxUser,
    workdir: workspace,
    stdin: true,
    tty,
  });
};

/** Carries a shell's output to its end and answers its exit code; null when it was cut off. */
const follow = async ({ handle }: OpenTerminal, writer: StreamWriter): Promise<number | null> => {
  try {
    await pump(handle.output, () => writer);
    return await handle.exitCode();
  } catch (thrown) {
    await writer.append(Buffer.from(`\r\n[Sandlot: this terminal was cut off: ${(thrown as Error).message}]\r\n`)).catch(() => undefined);
    return null;
  }
};

const openShell = async (
  deps: SessionDeps,
  session: Session,
  { cols, rows, title }: TerminalSize,
): Promise<{ open: OpenTerminal; writer: StreamWriter }> => {
  const id = deps.newId('trm');
  const streamId = deps.newId('str');
  const shell = startShell(deps, session, id, { cols, rows });
  const [handle, writer] = await Promise.all([shell, deps.streams.create(streamId, keptOutput)]);
  const terminal: Terminal = {
    ...{ id, session_id: session.id, title: title ?? 'bash', status: 'running', exit_code: null },
    ...{ cols, rows, stream_id: streamId, created_at: deps.clock.iso(), ended_at: null },
  };
  return { open: { terminal, handle, done: Promise.resolve() }, writer };
};

const endProcesses = async (deps: SessionDeps, session: Session, id: string): Promise<void> => {
  if (session.status !== 'running' || session.container_id === null) return;
  await endMarked(deps.runtimeOf(session.runtime), session.container_id, `${terminalVariable}=${id}`);
};

const typeInto = (open: OpenTerminal | undefined, { title }: Terminal, bytes: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    if (open !== undefined) return void open.handle.stdin.write(bytes, (failure) => (failure ? reject(failure) : resolve()));
    const message = `Terminal "${title}" has ended; nothing can be typed into it.`;
    reject(new SandlotError('terminal_closed', message, { nextAction: 'Open a new terminal.' }));
  });

/** Makes the terminals of one host. */
export const createTerminals = (deps: SessionDeps): Terminals => {
  const connected = new Map<string, OpenTerminal>();
  let leaving = false;

  const find = async (id: string): Promise<Terminal> => {
    const terminal = connected.get(id)?.terminal ?? (await deps.sessionStore.findTerminal(id));
    if (terminal === null) throw new SandlotError('not_found', `There is no terminal "${id}".`);
    return terminal;
  };

  const finish = async (open: OpenTerminal, writer: StreamWriter): Promise<void> => {
    const exitCode = await follow(open, writer);
    // The shell lives on without this host: the next one finds it in the store and says what became of it.
    if (leaving) return;
    await writer.end().catch(() => undefined);
    connected.delete(open.terminal.id);
    await save(deps, { ...open.terminal, status: 'exited', exit_code: exitCode, ended_at: deps.clock.iso() }).catch(() => undefined);
  };

  return {
    open: async (session, size) => {
      const { open, writer } = await openShell(deps, session, size);
      connected.set(open.terminal.id, open);
      const saved = save(deps, open.terminal);
      open.done = finish(open, writer);
      return await saved;
    },
    write: async (id, bytes) => typeInto(connected.get(id), await find(id), bytes),
    resize: async (id, cols, rows) => {
      const open = connected.get(id);
      if (open === undefined) return void (await find(id));
      open.terminal = { ...open.terminal, cols, rows };
      await open.handle.resize(cols, rows);
    },
    close: async (id, sessionOf) => {
      const open = connected.get(id);
      const terminal = await find(id);
      if (terminal.status !== 'running') return;
      await endProcesses(deps, await sessionOf(terminal.session_id), id);
      open?.handle.close();
      await open?.done;
    },
    isConnected: (id) => connected.has(id),
    disconnect: () => {
      leaving = true;
      for (const { handle } of connected.values()) handle.close();
    },
  };
};
