// One connection of a terminal: opened, carried into the terminal's stream, and concluded when the shell has ended. terminals.ts
// decides when.
import { setTimeout as delay } from 'node:timers/promises';
import { SandlotError } from '../base/errors.ts';
import type { ExecHandle } from '../container/container-runtime.ts';
import type { Session, Terminal } from '../contract/model.ts';
import type { StreamWriter } from '../stream/stream.ts';
import { createShellOutput } from './holder-output.ts';
import { createPace } from './pump.ts';
import { endMarked } from './run-inside.ts';
import { secretVariables } from './secret-variables.ts';
import { type Connected, type SessionDeps, terminalVariable } from './session-parts.ts';
import { attachingExec, startingExec } from './shell-holder.ts';

/** Columns and rows of the first screen, and the name on the tab. */
export interface TerminalSize {
  cols: number;
  rows: number;
  title?: string;
}

/** A terminal that this host is connected to. */
export interface OpenTerminal extends Connected {
  terminal: Terminal;
  writer: StreamWriter;
  /** What is typed reaches the shell and nothing else: `begun` has resolved. */
  hasBegun: boolean;
  begun: Promise<void>;
  onBegun: () => void;
  /** Monotonic milliseconds. */
  attachedAt: number;
}

/** How a terminal ended, with what its stream says about it. */
export interface Ending {
  status: 'exited' | 'lost';
  exitCode: number | null;
  note: string | null;
}

const keptOutput = { keep: 'tail', maxBytes: 8_388_608 } as const;
const longestSilenceMs = 1_000;

const timeOf = (iso: string): string => `${iso.slice(0, 19).replace('T', ' ')} UTC`;
const noteLine = (text: string): Buffer => Buffer.from(`\r\n\x1b[0;2m[${text}]\x1b[0m\r\n`);

/** Tells of a terminal and saves it. */
export const save = async (deps: SessionDeps, terminal: Terminal): Promise<Terminal> => {
  deps.emit.terminal(terminal);
  await deps.sessionStore.saveTerminal(terminal);
  return terminal;
};

const connect = (deps: SessionDeps, terminal: Terminal, writer: StreamWriter, handle: ExecHandle): OpenTerminal => {
  let onBegun: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => {
    onBegun = resolve;
    setTimeout(resolve, longestSilenceMs).unref();
  });
  const times = { hasBegun: false, attachedAt: deps.clock.monotonic() };
  const open: OpenTerminal = { terminal, writer, handle, begun, onBegun, ...times, done: Promise.resolve() };
  void begun.then(() => {
    open.hasBegun = true;
  });
  return open;
};

/** Starts a shell and connects to it; nothing is saved yet. @throws session_not_running */
export const openShell = async (deps: SessionDeps, session: Session, { cols, rows, title }: TerminalSize): Promise<OpenTerminal> => {
  if (session.status !== 'running' || session.container_id === null) {
    throw new SandlotError('session_not_running', `Session "${session.name}" is ${session.status}: a terminal needs a running one.`, {
      nextAction: 'Resume the session first.',
    });
  }
  const id = deps.newId('trm');
  const streamId = deps.newId('str');
  const { env, note } = await secretVariables(deps, session);
  const shell = deps.runtimeOf(session.runtime).exec(session.container_id, startingExec({ id, cols, rows }, env));
  const [handle, writer] = await Promise.all([shell, deps.streams.create(streamId, keptOutput)]);
  if (note !== null) await writer.append(noteLine(note));
  const terminal: Terminal = {
    ...{ id, session_id: session.id, title: deps.secrets.redactText(title ?? 'bash'), status: 'running', exit_code: null },
    ...{ cols, rows, stream_id: streamId, created_at: deps.clock.iso(), ended_at: null },
  };
  return connect(deps, terminal, writer, handle);
};

const reopenStream = async ({ streams }: SessionDeps, id: string): Promise<StreamWriter> => {
  try {
    return await streams.reopen(id, keptOutput);
  } catch (thrown) {
    if (thrown instanceof SandlotError && thrown.code === 'not_found') return await streams.create(id, keptOutput);
    throw thrown;
  }
};

// Programs that paint the whole screen do so anew when its size has changed, and many only then.
const smaller = (terminal: Terminal): Terminal => ({ ...terminal, rows: Math.max(1, terminal.rows - 1) });
const repaintMs = 150;

/** Gives the screen its full size back after `attach`, when the program has had the time to notice the smaller one. */
export const restoreSize = async (open: OpenTerminal): Promise<void> => {
  await open.begun;
  await delay(repaintMs);
  await open.handle.resize(open.terminal.cols, open.terminal.rows);
};

/** Attaches to a shell that is alive; its output goes on at the end of its stream. Its screen lacks a row: see `restoreSize`. */
export const attach = async (deps: SessionDeps, session: Session, terminal: Terminal, cutAt: string | null): Promise<OpenTerminal> => {
  // What was started with secrets may print them: not before they can be masked.
  if (session.secrets.length > 0) await deps.secrets.ready();
  const handle = await deps.runtimeOf(session.runtime).exec(session.container_id ?? '', attachingExec(smaller(terminal)));
  const writer = await reopenStream(deps, terminal.stream_id);
  const away = `${cutAt === null ? '' : `from ${timeOf(cutAt)} `}until ${timeOf(deps.clock.iso())}`;
  await writer.append(noteLine(`Sandlot was not connected ${away}: this terminal went on, what it printed meanwhile was not kept.`));
  return connect(deps, terminal, writer, handle);
};

/** Carries the output of a connection to its end; false when it broke off. */
export const carry = async ({ handle, writer, onBegun }: OpenTerminal): Promise<boolean> => {
  try {
    const shell = createShellOutput(onBegun);
    const pace = createPace();
    await handle.each((bytes) => {
      const shown = shell.push(bytes);
      return shown.length === 0 ? undefined : pace(writer.append(shown), shown.length);
    });
    await writer.append(shell.rest());
    return true;
  } catch {
    return false;
  } finally {
    onBegun();
  }
};

/** The ending of a terminal that nobody can reach any more. */
export const lost: Ending = { status: 'lost', exitCode: null, note: 'Sandlot was closed or ended; this terminal went with it.' };

/** How it seems to have ended, as far as its last connection can tell. */
export const endingOf = async ({ handle }: OpenTerminal, isWhole: boolean): Promise<Ending> => {
  const exitCode = isWhole ? await handle.exitCode().catch(() => null) : null;
  return { status: 'exited', exitCode, note: isWhole ? null : 'The connection to this terminal broke off.' };
};

/** Ends everything that was started in a terminal. */
export const endProcesses = async (deps: SessionDeps, session: Session | null, id: string): Promise<void> => {
  if (session?.status !== 'running' || session.container_id === null) return;
  await endMarked(deps.runtimeOf(session.runtime), session.container_id, `${terminalVariable}=${id}`);
};

const endStream = async (deps: SessionDeps, id: string, note: string | null): Promise<void> => {
  try {
    const writer = await deps.streams.reopen(id, keptOutput);
    if (note !== null) await writer.append(noteLine(note));
    await writer.end();
  } catch {
    // A full disk, or the session was removed meanwhile: the row tells the story.
  }
};

/** Writes down how a terminal ended. What still runs in a lost one is ended: nobody could reach it. */
export const conclude = async (deps: SessionDeps, terminal: Terminal, session: Session | null, ending: Ending): Promise<void> => {
  await endStream(deps, terminal.stream_id, ending.note);
  await save(deps, { ...terminal, status: ending.status, exit_code: ending.exitCode, ended_at: deps.clock.iso() });
  if (ending.status === 'lost') await endProcesses(deps, session, terminal.id);
};
