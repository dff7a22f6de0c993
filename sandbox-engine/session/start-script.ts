// Runs the steps of session_start in the background, each in a shell of its own, their output in one stream. Nobody waits for it.
// The script goes on without a host: its lock in the sandbox says that it runs, its code file how it ended.
import { SandlotError } from '../base/errors.ts';
import { sandboxUser, workspace } from '../container/sandbox-spec.ts';
import type { Environment, Session } from '../contract/model.ts';
import type { StreamWriter } from '../stream/stream.ts';
import { pump } from './pump.ts';
import { runInside } from './run-inside.ts';
import { runningContainer } from './running-container.ts';
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

/** The scripts that this host is connected to or waits for, by session; each resolves when nobody is any more. */
const followed = new WeakMap<SessionBook, Map<string, Promise<void>>>();

const followedBy = (book: SessionBook): Map<string, Promise<void>> => {
  const ids = followed.get(book) ?? new Map();
  followed.set(book, ids);
  return ids;
};

/** Writes down that somebody follows the script of this session; the answer says that it is over. */
const beginFollowing = (book: SessionBook, id: string): (() => void) => {
  const ids = followedBy(book);
  let end: () => void = () => undefined;
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  ids.set(id, over);
  return () => {
    // It may have been run again since.
    if (ids.get(id) === over) ids.delete(id);
    end();
  };
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
    const over = beginFollowing(book, session.id);
    await settleOne(deps, book, session)
      .catch(() => undefined)
      .finally(over);
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

/** A script that has begun. */
interface Begun {
  writer: StreamWriter;
  over: () => void;
}

const noteBegun = async (book: SessionBook, id: string, writer: StreamWriter): Promise<Begun> => {
  const over = beginFollowing(book, id);
  await book.change(id, { start_script: { status: 'running', exit_code: null, stream_id: writer.id } });
  return { writer, over };
};

const begin = async (deps: SessionDeps, book: SessionBook, { session }: StartScript): Promise<Begun> =>
  await noteBegun(book, session.id, await deps.streams.create(deps.newId('str'), keptOutput));

const follow = async (deps: SessionDeps, book: SessionBook, script: StartScript, { writer, over }: Begun): Promise<void> => {
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
    over();
  }
};

/** Runs the steps to the first that fails; how it went stands in the session's `start_script`. */
export const runStartScript = async (deps: SessionDeps, book: SessionBook, script: StartScript): Promise<void> => {
  if (script.steps.length > 0) await follow(deps, book, script, await begin(deps, book, script));
};

const refuseRetry = (session: Session, { session_start }: Environment): void => {
  const { id, name, start_script } = session;
  runningContainer(session, 'a start script needs a running one');
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

/** The script with the steps that the environment has now, where it ran at the launch. */
const againFor = (session: Session, { repo, session_start: steps }: Environment): StartScript => {
  const hasNoRepo = repo === null || session.steps.some((step) => step.name === 'repository' && step.status !== 'succeeded');
  return { session, containerId: session.container_id ?? '', steps, workdir: hasNoRepo ? workspace : repo.path };
};

/** Runs the steps that the environment has now once more, in the background; answers when they run. @throws session_not_running
 *  @throws start_script_running @throws invalid_request */
export const retryStartScript = async (deps: SessionDeps, book: SessionBook, id: string, environment: Environment): Promise<Session> => {
  const session = await book.get(id);
  refuseRetry(session, environment);
  const script = againFor(session, environment);
  const begun = await begin(deps, book, script);
  const before = session.start_script.stream_id;
  if (before !== null) await deps.streams.remove(before).catch(() => undefined);
  follow(deps, book, script, begun).catch((thrown: unknown) => book.note(id, { message: (thrown as Error).message }));
  return await book.get(id);
};

/** The log of the script before goes on while it has room; a full one makes way for a new one. */
const goOn = async (deps: SessionDeps, book: SessionBook, { session }: StartScript, streamId: string): Promise<Begun> => {
  const before = await deps.streams.reopen(streamId, keptOutput);
  const isFull = before.size() > keptOutput.maxBytes / 2;
  const writer = isFull ? await deps.streams.create(deps.newId('str'), keptOutput) : before;
  await writer.append(Buffer.from('\r\n\x1b[0;2m[The session was resumed: the start script runs again.]\x1b[0m\r\n'));
  const begun = await noteBegun(book, session.id, writer);
  if (isFull) await deps.streams.remove(streamId).catch(() => undefined);
  return begun;
};

/** Runs it again in a session that was stopped and runs once more, since what it had started has ended; with the steps that the environment
 *  has now. Nothing happens where it never ran, or the environment is gone. */
export const runStartScriptAgain = async (deps: SessionDeps, book: SessionBook, session: Session): Promise<void> => {
  const { id, start_script: before } = session;
  const environment = before.stream_id === null ? null : ((await deps.environmentOf?.(session)) ?? null);
  if (before.stream_id === null || environment === null || environment.session_start.length === 0) return;
  // What is left of the one before has ended with the sandbox; its last words come first.
  await followedBy(book).get(id);
  const now = await book.get(id);
  if (now.status !== 'running' || now.started_at !== session.started_at) return;
  const script = againFor(now, environment);
  await follow(deps, book, script, await goOn(deps, book, script, before.stream_id));
};
