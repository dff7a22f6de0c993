// Terminals: shells with a PTY in a running session. Their output is a stream that outlives them, the window and the host.
import { SandlotError } from '../base/errors.ts';
import type { Session, Terminal } from '../contract/model.ts';
import { pump } from './pump.ts';
import { endMarked } from './run-inside.ts';
import { type Connected, type SessionDeps, sandboxUser, terminalVariable, workspace } from './session-parts.ts';

export interface Terminals {
  open: (session: Session, size: { cols: number; rows: number; title?: string }) => Promise<Terminal>;
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

/** Makes the terminals of one host. */
export const createTerminals = (deps: SessionDeps): Terminals => {
  const connected = new Map<string, OpenTerminal>();

  const follow = async (open: OpenTerminal, writer: Awaited<ReturnType<typeof deps.streams.create>>): Promise<void> => {
    const { handle } = open;
    let exitCode: number | null = null;
    try {
      await pump(handle.output, () => writer);
      exitCode = await handle.exitCode();
    } catch (thrown) {
      await writer.append(Buffer.from(`\r\n[Sandlot: this terminal was cut off: ${(thrown as Error).message}]\r\n`)).catch(() => undefined);
    }
    await writer.end().catch(() => undefined);
    connected.delete(open.terminal.id);
    await save(deps, { ...open.terminal, status: 'exited', exit_code: exitCode, ended_at: deps.clock.iso() }).catch(() => undefined);
  };

  const find = async (id: string): Promise<Terminal> => {
    const terminal = connected.get(id)?.terminal ?? (await deps.sessionStore.findTerminal(id));
    if (terminal === null) throw new SandlotError('not_found', `There is no terminal "${id}".`);
    return terminal;
  };

  return {
    open: async (session, { cols, rows, title }) => {
      const id = deps.newId('trm');
      const streamId = deps.newId('str');
      const shell = startShell(deps, session, id, { cols, rows });
      const made = deps.streams.create(streamId, keptOutput);
      const [handle, writer] = await Promise.all([shell, made]);
      const terminal: Terminal = {
        ...{ id, session_id: session.id, title: title ?? 'bash', status: 'running', exit_code: null },
        ...{ cols, rows, stream_id: streamId, created_at: deps.clock.iso(), ended_at: null },
      };
      const open: OpenTerminal = { terminal, handle, done: Promise.resolve() };
      connected.set(id, open);
      const saved = save(deps, terminal);
      open.done = follow(open, writer);
      await saved;
      return terminal;
    },
    write: async (id, bytes) => {
      const open = connected.get(id);
      if (open === undefined) {
        const { title } = await find(id);
        throw new SandlotError('terminal_closed', `Terminal "${title}" has ended; nothing can be typed into it.`, {
          nextAction: 'Open a new terminal.',
        });
      }
      await new Promise<void>((resolve, reject) => open.handle.stdin.write(bytes, (failure) => (failure ? reject(failure) : resolve())));
    },
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
      const session = await sessionOf(terminal.session_id);
      if (session.status === 'running' && session.container_id !== null) {
        await endMarked(deps.runtimeOf(session.runtime), session.container_id, `${terminalVariable}=${id}`);
      }
      open?.handle.close();
      await open?.done;
    },
    isConnected: (id) => connected.has(id),
    disconnect: () => {
      for (const { handle } of connected.values()) handle.close();
    },
  };
};
