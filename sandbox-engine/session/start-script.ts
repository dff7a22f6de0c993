// Runs the steps of session_start in the background, each in a shell of its own, their output in one stream. Nobody waits for it.
// The script goes on without a host: its lock in the sandbox says that it runs, its code file how it ended.
import { SandlotError } from '../base/errors.ts';
import { sandboxUser, workspace } from '../container/sandbox-spec.ts';
import type { Environment, Session } from '../contract/model.ts';
import type { StreamWriter } from '../stream/stream.ts';
import { pump } from './pump.ts';
import { runInside } from './run-inside.ts';
import { secretVariables } from './secret-variables.ts';
import type { SessionBook } from './session-book.ts';
import type { SessionDeps } from './session-parts.ts';

const runSteps = `while [ $# -gt 0 ]; do printf '\\033[1m== %s\\033[0m\\n' "$1"; bash -eo pipefail -c "$2" || exit $?; shift 2; done`;
const keptOutput = { keep: 'head', maxBytes: 4_194_304 } as const;

// The lock is not handed on: what a step left running in the background is not the script.
const keepCode = `d=$1; shift
mkdir -p -m 700 "$d" && exec 9>"$d/lock" && flock 9
rm -f "$d/code"
"$@" 9>&-
code=$?
echo "$code" >"$d/code.part" && mv "$d/code.part" "$d/code"
exit "$code"`;

const folderOf = (sessionId: string): string => `/tmp/.sandlot-${sessionId}`;

/** The scripts that this host is connected to or waits for, by session. */
const followed = new WeakMap<SessionBook, Set<string>>();

const followedBy = (book: SessionBook): Set<string> => {
  const ids = followed.get(book) ?? new Set();
  followed.set(book, ids);
  return ids;
};

interface StartScript {
  session: Session;
  containerId: string;
  steps: Environment['session_start'];
  workdir: string;
}

const report = async (book: SessionBook, id: string, exitCode: number | null): Promise<void> => {
  const { start_script: script } = await book.get(id);
  await book.change(id, { start_script: { ...script, status: exitCode === 0 ? 'succeeded' : 'failed', exit_code: exitCode } });
};

/** Waits inside the sandbox until the script has ended; null when it left no code. @throws runtime_unavailable */
const waitForCode = async (deps: SessionDeps, book: SessionBook, id: string): Promise<number | null> => {
  const { status, container_id: containerId, runtime } = await book.get(id);
  if (status !== 'running' || containerId === null) return null;
  const command = ['/bin/sh', '-c', 'flock "$1/lock" cat "$1/code"', 'sandlot-wait', folderOf(id)];
  const { output } = await runInside(deps.runtimeOf(runtime), containerId, { command, user: sandboxUser, workdir: '/' });
  return /^\d{1,3}$/.test(output.trim()) ? Number(output) : null;
};

const noteIn = async (deps: SessionDeps, streamId: string, text: string): Promise<void> => {
  const writer = await deps.streams.reopen(streamId, keptOutput);
  await writer.append(Buffer.from(`\r\n\x1b[0;2m[${text}]\x1b[0m\r\n`));
  await writer.end();
};

/** Follows a script whose output nobody reads any more to its end. While the runtime is away its row stays as it is. */
const settleOne = async (deps: SessionDeps, book: SessionBook, { id, start_script: { stream_id: streamId } }: Session): Promise<void> => {
  const exitCode = await waitForCode(deps, book, id);
  const ending = exitCode === null ? 'how the script ended is not known' : `the script ended with code ${exitCode}`;
  const note = `Sandlot was not connected for a while: what was printed since then was not kept; ${ending}.`;
  if (streamId !== null) await noteIn(deps, streamId, note).catch(() => undefined);
  await report(book, id, exitCode);
};

/** Finds out about the scripts that are said to run though this host is not connected to them; nobody waits for it. */
export const settleStartScripts = (deps: SessionDeps, book: SessionBook, runtimeIds: string[]): void => {
  const ids = followedBy(book);
  const settle = async (session: Session): Promise<void> => {
    if (ids.has(session.id) || session.start_script.status !== 'running') return;
    ids.add(session.id);
    await settleOne(deps, book, session)
      .catch(() => undefined)
      .finally(() => ids.delete(session.id));
  };
  book
    .list()
    .then((sessions) => Promise.all(sessions.filter(({ runtime }) => runtimeIds.includes(runtime)).map(settle)))
    .catch(() => undefined);
};

const startScript = (deps: SessionDeps, { session, containerId, steps, workdir }: StartScript, env: string[]) =>
  deps.runtimeOf(session.runtime).exec(containerId, {
    command: [
      ...['/bin/sh', '-c', keepCode, 'sandlot-start', folderOf(session.id)],
      ...['bash', '-lc', runSteps, 'session_start', ...steps.flatMap(({ name, run }) => [name, run])],
    ],
    env,
    user: sandboxUser,
    workdir,
    stdin: false,
  });

const begin = async (deps: SessionDeps, book: SessionBook, { session }: StartScript): Promise<StreamWriter> => {
  const streamId = deps.newId('str');
  const writer = await deps.streams.create(streamId, keptOutput);
  followedBy(book).add(session.id);
  await book.change(session.id, { start_script: { status: 'running', exit_code: null, stream_id: streamId } });
  return writer;
};

const follow = async (deps: SessionDeps, book: SessionBook, script: StartScript, writer: StreamWriter): Promise<void> => {
  const { session } = script;
  try {
    const { env, note } = await secretVariables(deps, session);
    if (note !== null) await writer.append(Buffer.from(`[Sandlot: ${note}]\r\n`));
    const handle = await startScript(deps, script, env);
    // What a step left running in the background goes on writing after the script has ended.
    const written = pump(handle.output, () => writer);
    written.catch(() => undefined);
    const exitCode = await handle.exitCode();
    await report(book, session.id, exitCode ?? (await waitForCode(deps, book, session.id)));
    await written;
    await writer.end();
  } catch (thrown) {
    await writer
      .append(Buffer.from(`\r\n[Sandlot: the start script was cut off: ${(thrown as Error).message}]\r\n`))
      .catch(() => undefined);
    const now = await book.get(session.id);
    if (now.start_script.status === 'running') await settleOne(deps, book, now).catch(() => undefined);
    else await writer.end();
  } finally {
    followedBy(book).delete(session.id);
  }
};

/** Runs the steps to the first that fails; how it went stands in the session's `start_script`. */
export const runStartScript = async (deps: SessionDeps, book: SessionBook, script: StartScript): Promise<void> => {
  if (script.steps.length > 0) await follow(deps, book, script, await begin(deps, book, script));
};

const refuseRetry = ({ id, name, status, container_id, start_script }: Session, { session_start }: Environment): void => {
  if (status !== 'running' || container_id === null) {
    throw new SandlotError('session_not_running', `Session "${name}" is ${status}: a start script needs a running one.`, {
      nextAction: 'Resume the session first.',
    });
  }
  if (start_script.status === 'running') {
    throw new SandlotError('start_script_running', `The start script of "${name}" is still running.`, {
      nextAction: `Wait for its end: sandlot session start-script ${id} --follow`,
    });
  }
  if (session_start.length > 0) return;
  throw new SandlotError('invalid_request', `The environment of "${name}" has no start script.`, {
    nextAction: 'Write steps into "session_start" of its recipe.',
  });
};

/** Runs the steps that the environment has now once more, in the background; answers when they run. @throws session_not_running
 *  @throws start_script_running @throws invalid_request */
export const retryStartScript = async (deps: SessionDeps, book: SessionBook, id: string, environment: Environment): Promise<Session> => {
  const session = await book.get(id);
  refuseRetry(session, environment);
  const hasNoRepo = environment.repo === null || session.steps.some((step) => step.name === 'repository' && step.status !== 'succeeded');
  const workdir = hasNoRepo ? workspace : (environment.repo?.path ?? workspace);
  const script = { session, containerId: session.container_id ?? '', steps: environment.session_start, workdir };
  const writer = await begin(deps, book, script);
  const before = session.start_script.stream_id;
  if (before !== null) await deps.streams.remove(before).catch(() => undefined);
  follow(deps, book, script, writer).catch((thrown: unknown) => book.note(id, { message: (thrown as Error).message }));
  return await book.get(id);
};
