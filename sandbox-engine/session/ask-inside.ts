// Runs a program inside a sandbox and reads its answer: so much of it, for so long. What comes may be anything and may never end.
import { setTimeout as delay } from 'node:timers/promises';
import type { ContainerRuntime } from '../container/container-runtime.ts';
import { sandboxUser } from '../container/sandbox-spec.ts';
import type { Session } from '../contract/model.ts';
import { runningContainer } from './running-container.ts';

/** Where a program runs. */
export interface InsidePlace {
  runtime: ContainerRuntime;
  containerId: string;
  /** Called whenever somebody uses it. */
  touch?: () => void;
  /** What is to be said of a transfer there that failed. */
  explain?: (thrown: unknown) => Promise<unknown>;
}

export interface InsideQuestion {
  script: string;
  args: readonly string[];
  /** `sh`, or `perl` for a program in Perl. */
  by?: 'sh' | 'perl';
  env?: readonly string[];
  /** Seconds after which it is ended inside; a little later it is let go of. */
  limitSeconds: number;
  mostBytes?: number;
  workdir?: string;
}

export interface InsideAnswer {
  /** null when it took too long. */
  exitCode: number | null;
  stdout: Buffer;
  /** There was more. */
  isCut: boolean;
  /** The last 4 KiB. */
  stderr: string;
}

const graceMs = 4_000;

/** The place of a running session. @throws session_not_running */
export const placeOf = (session: Session, runtimeOf: (id: string) => ContainerRuntime): InsidePlace => {
  const containerId = runningContainer(session, 'its workspace can be reached while it runs');
  return { runtime: runtimeOf(session.runtime), containerId };
};

/** The command that runs a program of ours inside and ends it in time. */
export const insideCommand = ({ script, args, by = 'sh', limitSeconds }: InsideQuestion): string[] => [
  ...(limitSeconds === Number.POSITIVE_INFINITY ? [] : ['timeout', '-k', '2', String(limitSeconds)]),
  ...(by === 'perl' ? ['perl', '-e', script, '--', ...args] : ['/bin/sh', '-c', script, 'sandlot', ...args]),
];

/** Asks, as the sandbox user. */
export const askInside = async ({ runtime, containerId }: InsidePlace, question: InsideQuestion): Promise<InsideAnswer> => {
  const { env = [], limitSeconds, mostBytes = 1_048_576, workdir = '/' } = question;
  const command = insideCommand(question);
  const handle = await runtime.exec(containerId, { command, env: [...env], user: sandboxUser, workdir, stdin: false });
  const parts: Buffer[] = [];
  let [kept, isCut, stderr] = [0, false, ''];
  const work = async (): Promise<number | null> => {
    for await (const { stream, bytes } of handle.output) {
      if (stream === 'stderr') {
        stderr = (stderr + bytes.toString('utf8')).slice(-4_096);
        continue;
      }
      parts.push(bytes.subarray(0, mostBytes - kept));
      kept += bytes.length;
      // What follows is not waited for: it may never end.
      isCut = kept > mostBytes;
      if (isCut) return 0;
    }
    return await handle.exitCode();
  };
  const over = new AbortController();
  try {
    const limit = delay(limitSeconds * 1_000 + graceMs, null, { signal: over.signal });
    const exitCode = await Promise.race([work(), limit]);
    return { exitCode: exitCode === 124 || exitCode === 137 ? null : exitCode, stdout: Buffer.concat(parts), isCut, stderr };
  } finally {
    over.abort();
    handle.close();
  }
};
