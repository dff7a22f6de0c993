// Looks at which ports a session is listened at: once, or as long as somebody asks. One exec looks inside and speaks only of changes.
// Its words are the sandbox's: bounded in length and pace.
import { setTimeout as delay } from 'node:timers/promises';
import type { ContainerRuntime, ExecHandle } from '../container/container-runtime.ts';
import { readExec } from '../container/read-exec.ts';
import { portWatchProgram } from './port-watch-program.ts';

const longestLine = 524_288;
const lookSeconds = 1;
const onceLimitMs = 10_000;
const betweenLinesMs = 100;

const specOf = (seconds: number) => ({
  command: ['/usr/bin/perl', '-e', portWatchProgram, String(seconds)],
  user: 'root',
  workdir: '/',
  stdin: seconds > 0,
});

/** One look. @throws runtime_error @throws runtime_unavailable */
export const lookAtPorts = async (runtime: ContainerRuntime, containerId: string): Promise<string> => {
  const text = await readExec(runtime, containerId, specOf(0), {
    signal: AbortSignal.timeout(onceLimitMs),
    only: 'stdout',
    mostBytes: longestLine,
  });
  return text.split('\n')[0] ?? '';
};

export interface PortWatch {
  close: () => void;
}

/** Hands over each whole line, not faster than a person could read them; a line that is too long is cut. */
const eachLine = async (handle: ExecHandle, onLine: (line: string) => void): Promise<void> => {
  let held = '';
  await handle.each((bytes) => {
    const lines = (held + bytes.toString('latin1')).split('\n');
    held = (lines.pop() ?? '').slice(0, longestLine);
    const newest = lines.at(-1);
    if (newest === undefined) return undefined;
    onLine(newest.slice(0, longestLine));
    return delay(betweenLinesMs);
  });
};

/** Begins to look; `onEnd` is told when it can no longer, with why. Whoever begins it closes it. */
export const watchPorts = (
  runtime: ContainerRuntime,
  containerId: string,
  { onLine, onEnd }: { onLine: (line: string) => void; onEnd: (why: string | null) => void },
): PortWatch => {
  let isClosed = false;
  let handle: ExecHandle | null = null;
  const run = async (): Promise<void> => {
    handle = await runtime.exec(containerId, specOf(lookSeconds));
    if (isClosed) return handle.close();
    await eachLine(handle, (line) => void (isClosed || onLine(line)));
  };
  run().then(
    () => void (isClosed || onEnd(null)),
    (thrown: unknown) => void (isClosed || onEnd((thrown as Error).message)),
  );
  return {
    close: () => {
      isClosed = true;
      handle?.close();
    },
  };
};
