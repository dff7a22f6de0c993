// Commands without a terminal: two streams and an exit code each.
import { SandlotError } from '../base/errors.ts';
import type { ExecHandle } from '../container/container-runtime.ts';
import { sandboxUser, workspace } from '../container/sandbox-spec.ts';
import type { Exec, Session } from '../contract/model.ts';
import type { StreamWriter } from '../stream/stream.ts';
import { earlyNote } from './early-note.ts';
import { pump } from './pump.ts';
import { endMarked } from './run-inside.ts';
import { runningContainer } from './running-container.ts';
import { secretVariables } from './secret-variables.ts';
import { type Connected, execVariable, type SessionDeps } from './session-parts.ts';
import { commandIn, workdirOf } from './workdir.ts';

export interface Execs {
  start: (session: Session, request: { command: string[]; workdir?: string }) => Promise<Exec>;
  /** Waits at most that long for its end. */
  get: (id: string, waitSeconds: number) => Promise<Exec>;
  kill: (id: string, session: (id: string) => Promise<Session>) => Promise<void>;
  /** Whether a command that this host follows runs in this session. */
  isRunning: (sessionId: string) => boolean;
  disconnect: () => void;
}

interface OpenExec extends Connected {
  exec: Exec;
  stdout: StreamWriter;
  stderr: StreamWriter;
}

const keptOutput = { keep: 'tail', maxBytes: 67_108_864 } as const;
/** How long output may still come after the command has ended: what it left running must not keep it open. */
const outputAfterEndMs = 1_000;

const within = (work: Promise<unknown>, ms: number): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const done = () => {
      clearTimeout(timer);
      resolve();
    };
    work.then(done, done);
  });

const startCommand = async (
  deps: SessionDeps,
  session: Session,
  id: string,
  { command, workdir }: { command: string[]; workdir?: string },
): Promise<{ handle: ExecHandle; note: string | null }> => {
  const container = runningContainer(session, 'a command needs a running one');
  const { env: secrets, note } = await secretVariables(deps, session);
  const env = [...secrets, `${execVariable}=${id}`];
  const handle = await deps.runtimeOf(session.runtime).exec(container, {
    command: workdir === undefined ? commandIn(workdirOf(session), command) : command,
    ...{ env, user: sandboxUser, workdir: workdir ?? workspace, stdin: false },
  });
  return { handle, note };
};

const save = async (deps: SessionDeps, exec: Exec): Promise<void> => {
  deps.emit.exec(exec);
  await deps.sessionStore.saveExec(exec);
};

/** Made before anybody is told of the command: whoever gets the answer reads its streams at once. */
const openOutput = async ({ streams }: SessionDeps, exec: Exec): Promise<Pick<OpenExec, 'stdout' | 'stderr'>> => {
  const [stdout, stderr] = await Promise.all([
    streams.create(exec.stdout_stream_id, keptOutput),
    streams.create(exec.stderr_stream_id, keptOutput),
  ]);
  return { stdout, stderr };
};

/** Carries a command's output to its end and answers its exit code. */
const follow = async ({ handle, stdout, stderr }: OpenExec): Promise<number | null> => {
  const written = pump(handle.output, (stream) => (stream === 'stdout' ? stdout : stderr));
  const exitCode = await handle.exitCode().catch(() => null);
  await within(written, outputAfterEndMs);
  handle.close();
  await Promise.all([stdout.end(), stderr.end()]).catch(() => undefined);
  return exitCode;
};

const newExec = (deps: SessionDeps, session: Session, { id, command, note }: { id: string; command: string[]; note: string }): Exec => {
  return {
    ...{ id, session_id: session.id, command: command.map(deps.secrets.redactText), status: 'running', exit_code: null },
    ...{ stdout_stream_id: deps.newId('str'), stderr_stream_id: deps.newId('str') },
    ...(note === '' ? {} : { note }),
  };
};

/** Makes the commands of one host. */
export const createExecs = (deps: SessionDeps): Execs => {
  const connected = new Map<string, OpenExec>();
  let leaving = false;

  const find = async (id: string): Promise<Exec> => {
    const exec = connected.get(id)?.exec ?? (await deps.sessionStore.findExec(id));
    if (exec === null) throw new SandlotError('not_found', `There is no command "${id}".`);
    // Nobody is connected to it any more: an earlier host had started it.
    return exec.status === 'running' && !connected.has(id) ? { ...exec, status: 'lost' } : exec;
  };

  const finish = async (open: OpenExec): Promise<void> => {
    const exitCode = await follow(open).catch(() => null);
    if (leaving) return;
    await save(deps, { ...open.exec, status: 'exited', exit_code: exitCode }).catch(() => undefined);
    connected.delete(open.exec.id);
    deps.touch?.(open.exec.session_id);
  };

  return {
    start: async (session, request) => {
      const id = deps.newId('exe');
      const { handle, note } = await startCommand(deps, session, id, request);
      const said = [note, earlyNote(session)].filter((one) => one !== null).join(' ');
      const exec = newExec(deps, session, { id, command: request.command, note: said });
      const open: OpenExec = { exec, handle, ...(await openOutput(deps, exec)), done: Promise.resolve() };
      connected.set(id, open);
      deps.touch?.(session.id);
      const saved = save(deps, exec);
      open.done = saved.catch(() => undefined).then(() => finish(open));
      await saved;
      return exec;
    },
    get: async (id, waitSeconds) => {
      const open = connected.get(id);
      if (open !== undefined && waitSeconds > 0) await within(open.done, waitSeconds * 1_000);
      return await find(id);
    },
    kill: async (id, sessionOf) => {
      const { status, session_id } = await find(id);
      const session = await sessionOf(session_id);
      if (status === 'exited' || session.status !== 'running' || session.container_id === null) return;
      await endMarked(deps.runtimeOf(session.runtime), session.container_id, `${execVariable}=${id}`);
      await connected.get(id)?.done;
    },
    isRunning: (sessionId) => [...connected.values()].some(({ exec }) => exec.session_id === sessionId),
    disconnect: () => {
      leaving = true;
      for (const { handle } of connected.values()) handle.close();
    },
  };
};
