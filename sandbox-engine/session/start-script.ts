// Runs the steps of session_start in the background, each in a shell of its own, their output in one stream. Nobody waits for it.
import type { Environment, Session } from '../contract/model.ts';
import { pump } from './pump.ts';
import type { SessionBook } from './session-book.ts';
import { type SessionDeps, sandboxUser } from './session-parts.ts';

const runSteps = `while [ $# -gt 0 ]; do printf '\\033[1m== %s\\033[0m\\n' "$1"; bash -eo pipefail -c "$2" || exit $?; shift 2; done`;
const keptOutput = { keep: 'head', maxBytes: 4_194_304 } as const;

interface StartScript {
  session: Session;
  containerId: string;
  steps: Environment['session_start'];
  workdir: string;
}

/** Runs the steps to the first that fails; how it went stands in the session's `start_script`. */
export const runStartScript = async (
  deps: SessionDeps,
  book: SessionBook,
  { session, containerId, steps, workdir }: StartScript,
): Promise<void> => {
  if (steps.length === 0) return;
  const streamId = deps.newId('str');
  const writer = await deps.streams.create(streamId, keptOutput);
  const report = (status: Session['start_script']['status'], exitCode: number | null) =>
    book.change(session.id, { start_script: { status, exit_code: exitCode, stream_id: streamId } });
  await report('running', null);
  try {
    const handle = await deps.runtimeOf(session.runtime).exec(containerId, {
      command: ['bash', '-lc', runSteps, 'session_start', ...steps.flatMap(({ name, run }) => [name, run])],
      user: sandboxUser,
      workdir,
      stdin: false,
    });
    // What a step left running in the background goes on writing after the script has ended.
    const written = pump(handle.output, () => writer);
    const exitCode = await handle.exitCode();
    await report(exitCode === 0 ? 'succeeded' : 'failed', exitCode);
    await written;
  } catch (thrown) {
    await writer
      .append(Buffer.from(`\r\n[Sandlot: the start script was cut off: ${(thrown as Error).message}]\r\n`))
      .catch(() => undefined);
    const now = await book.get(session.id);
    if (now.start_script.status === 'running') await report('failed', null);
  } finally {
    await writer.end();
  }
};
