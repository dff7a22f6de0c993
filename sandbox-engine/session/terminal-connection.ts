// One connection of a terminal: opened, carried into the terminal's stream, and concluded when the shell has ended. terminals.ts
// decides when.
import { SandlotError } from '../base/errors.ts';
import type { Session, Terminal } from '../contract/model.ts';
import type { StreamWriter } from '../stream/stream.ts';
import { earlyNote, isRepoComing } from './early-note.ts';
import { createPace } from './pump.ts';
import { endMarked } from './run-inside.ts';
import { runningContainer } from './running-container.ts';
import { secretVariables } from './secret-variables.ts';
import { type Connected, type SessionDeps, terminalVariable } from './session-parts.ts';
import { attachingExec, type Kept, readKept, startingExec } from './shell-holder.ts';
import { isStillComing, workdirOf } from './workdir.ts';

/** Columns and rows of the first screen, and the name on the tab. */
export interface TerminalSize {
  cols: number;
  rows: number;
  title: string;
}

/** A terminal that this host is connected to. */
export interface OpenTerminal extends Connected {
  terminal: Terminal;
  writer: StreamWriter;
  /** Since when nobody was connected before, as an ISO time; `null` when that is not known; `undefined` for a new shell. */
  cutAt: string | null | undefined;
  /** Resolves when the holder has said its first word, or the connection has ended. */
  joined: Promise<void>;
  onJoined: () => void;
  /** Monotonic milliseconds. */
  attachedAt: number;
  /** Until then what it prints is nobody's work: it paints itself anew, because its window has another size. Monotonic milliseconds. */
  paintsUntil: number;
  /** It was opened before the session was whole, and was not told yet that it is now. */
  isEarly: boolean;
  /** It was not told that it is early: a small repository is there before anybody has read that it is not. */
  isUntold: boolean;
  /** A full-screen program has the screen: nothing of ours is to be written over it. Looked after while it is early. */
  isCovered: boolean;
  /** Its sandbox is being stopped. */
  endsWithSession: boolean;
}

/** How a terminal ended, with what its stream says about it. */
export interface Ending {
  status: 'exited' | 'lost';
  exitCode: number | null;
  note: string | null;
  isWithSession?: boolean;
  /** What it printed while nobody was connected, and since when nobody was. */
  kept?: Kept & { cutAt: string | null };
}

const keptOutput = { keep: 'tail', maxBytes: 8_388_608 } as const;

const timeOf = (iso: string): string => `${iso.slice(0, 19).replace('T', ' ')} UTC`;
const firstLine = (text: string): Buffer => Buffer.from(`\x1b[0;2m[${text}]\x1b[0m\r\n`);
/** A note of Sandlot's between what a shell prints. */
export const noteLine = (text: string): Buffer => Buffer.from(`\r\n\x1b[0;2m[${text}]\x1b[0m\r\n`);

/** Tells of a terminal and saves it. */
export const save = async (deps: SessionDeps, terminal: Terminal): Promise<Terminal> => {
  deps.emit.terminal(terminal);
  await deps.sessionStore.saveTerminal(terminal);
  return terminal;
};

/** How long a shell takes to paint itself anew. */
export const paintsMs = 2_000;

const connect = (deps: SessionDeps, parts: Pick<OpenTerminal, 'terminal' | 'writer' | 'handle' | 'cutAt'>): OpenTerminal => {
  let onJoined: () => void = () => undefined;
  const joined = new Promise<void>((resolve) => {
    onJoined = resolve;
  });
  // A shell of its own needs no first word.
  if (parts.cutAt === undefined) onJoined();
  const now = deps.clock.monotonic();
  const opened = {
    attachedAt: now,
    paintsUntil: now + paintsMs,
    isEarly: false,
    isUntold: false,
    isCovered: false,
    endsWithSession: false,
  };
  return { ...parts, ...opened, joined, onJoined, done: Promise.resolve() };
};

/** Starts a shell and connects to it; nothing is saved yet. @throws session_not_running */
export const openShell = async (deps: SessionDeps, session: Session, { cols, rows, title }: TerminalSize): Promise<OpenTerminal> => {
  const container = runningContainer(session, 'a terminal needs a running one');
  const id = deps.newId('trm');
  const streamId = deps.newId('str');
  const { env, note } = await secretVariables(deps, session);
  const beginning = { workdir: workdirOf(session), isComing: isStillComing(session) };
  const shell = deps.runtimeOf(session.runtime).exec(container, startingExec({ id, cols, rows }, env, beginning));
  const [handle, writer] = await Promise.all([shell, deps.streams.create(streamId, keptOutput)]);
  if (note !== null) await writer.append(noteLine(note));
  const early = earlyNote(session);
  const isUntold = isRepoComing(session);
  if (early !== null && !isUntold) await writer.append(firstLine(early));
  const terminal: Terminal = {
    ...{ id, session_id: session.id, title: deps.secrets.redactText(title), status: 'running', exit_code: null },
    ...{ cols, rows, stream_id: streamId, created_at: deps.clock.iso(), ended_at: null },
  };
  return { ...connect(deps, { terminal, writer, handle, cutAt: undefined }), isEarly: early !== null, isUntold };
};

const reopenStream = async ({ streams }: SessionDeps, id: string): Promise<StreamWriter> => {
  try {
    return await streams.reopen(id, keptOutput);
  } catch (thrown) {
    if (thrown instanceof SandlotError && thrown.code === 'not_found') return await streams.create(id, keptOutput);
    throw thrown;
  }
};

/** Joins a shell that is alive; its output goes on at the end of its stream. */
export const attach = async (deps: SessionDeps, session: Session, terminal: Terminal, cutAt: string | null): Promise<OpenTerminal> => {
  // What was started with secrets may print them: not before they can be masked.
  if (session.secrets.length + session.secret_files.length > 0) await deps.secrets.ready();
  const handle = await deps.runtimeOf(session.runtime).exec(session.container_id ?? '', attachingExec(terminal.id));
  const writer = await reopenStream(deps, terminal.stream_id);
  return connect(deps, { terminal, writer, handle, cutAt });
};

/** What its stream says of the time when nobody was connected, before what was printed then. */
const absence = (deps: SessionDeps, cutAt: string | null, dropped: number): Buffer => {
  const away = `${cutAt === null ? '' : `from ${timeOf(cutAt)} `}until ${timeOf(deps.clock.iso())}`;
  const lack = dropped === 0 ? '' : ` but for its first ${dropped} bytes`;
  return noteLine(`Sandlot was not connected ${away}: this terminal went on, and what it printed meanwhile follows${lack}.`);
};

/** Holds back the first bytes of a shell that was joined until they tell what was kept, and puts the note before it. */
const createOpening = (deps: SessionDeps, cutAt: string | null, onJoined: () => void): ((bytes: Buffer) => Buffer) => {
  let held: Buffer | null = Buffer.alloc(0);
  return (bytes) => {
    if (held === null) return bytes;
    held = Buffer.concat([held, bytes]);
    const kept = readKept(held);
    if (kept === null) return Buffer.alloc(0);
    held = null;
    onJoined();
    return Buffer.concat([absence(deps, cutAt, kept.dropped), kept.bytes]);
  };
};

/** Whether a full-screen program has the screen after these bytes. Source: xterm control sequences, DECSET 47, 1047 and 1049. */
const isCovered = (bytes: Buffer, before: boolean): boolean => {
  if (!bytes.includes('\x1b[?')) return before;
  const last = [...bytes.toString('latin1').matchAll(/\x1b\[\?(?:47|1047|1049)([hl])/g)].at(-1);
  return last === undefined ? before : last[1] === 'h';
};

/** Carries the output of a connection to its end; false when it broke off. */
export const carry = async (deps: SessionDeps, open: OpenTerminal): Promise<boolean> => {
  const { handle, writer, cutAt, onJoined } = open;
  try {
    const pace = createPace();
    const shown = cutAt === undefined ? null : createOpening(deps, cutAt, onJoined);
    await handle.each((bytes) => {
      if (deps.clock.monotonic() > open.paintsUntil) deps.touch?.(open.terminal.session_id);
      const text = shown === null ? bytes : shown(bytes);
      if (open.isEarly) open.isCovered = isCovered(text, open.isCovered);
      return pace(writer.append(text), text.length);
    });
    return true;
  } catch {
    return false;
  } finally {
    onJoined();
  }
};

/** The ending of a terminal that nobody can reach any more. */
export const lost: Ending = { status: 'lost', exitCode: null, note: 'Sandlot was closed or ended; this terminal went with it.' };

/** The ending of a terminal whose sandbox was stopped under it: the exit code is that of being stopped, and says nothing. */
export const endedWithSession: Ending = {
  ...{ status: 'exited', exitCode: null, isWithSession: true },
  note: 'The session was stopped, and this terminal ended with it.',
};

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

const endStream = async (deps: SessionDeps, id: string, { kept, note }: Ending): Promise<void> => {
  try {
    // As in `attach`: not before it can be masked.
    if (kept !== undefined) await deps.secrets.ready();
    const writer = await deps.streams.reopen(id, keptOutput);
    if (kept !== undefined) await writer.append(Buffer.concat([absence(deps, kept.cutAt, kept.dropped), kept.bytes]));
    if (note !== null) await writer.append(noteLine(note));
    await writer.end();
  } catch {
    // A full disk, or the session was removed meanwhile: the row tells the story.
  }
};

/** Writes down how a terminal ended. What still runs in a lost one is ended: nobody could reach it. */
export const conclude = async (deps: SessionDeps, terminal: Terminal, session: Session | null, ending: Ending): Promise<void> => {
  await endStream(deps, terminal.stream_id, ending);
  const ended = { status: ending.status, exit_code: ending.exitCode, ended_at: deps.clock.iso() };
  await save(deps, { ...terminal, ...ended, ...(ending.isWithSession === true ? { ended_with_session: true } : {}) });
  if (ending.status === 'lost') await endProcesses(deps, session, terminal.id);
};
