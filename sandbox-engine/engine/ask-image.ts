// Runs short scripts inside an image, in a container without network that is gone afterwards, and gathers what they print.
import type { ContainerRuntime } from '../container/container-runtime.ts';
import { keepAlive } from '../container/keep-alive.ts';
import { readExec } from '../container/read-exec.ts';

export interface ImageQuestion {
  runtime: ContainerRuntime;
  imageId: string;
  name: string;
  labels: Record<string, string>;
  /** `NAME=value`, as a session would have them. */
  env: string[];
  /** Scripts for a login shell, by whom they are for. */
  scripts: Readonly<Record<string, readonly string[]>>;
  signal: AbortSignal;
}

const secondsEach = 60;
const mostBytes = 1_048_576;

const runScript = async ({ runtime, signal }: ImageQuestion, containerId: string, script: string): Promise<string> => {
  const exec = {
    command: ['timeout', '--kill-after=5', String(secondsEach), 'bash', '-lc', script],
    user: 'sandbox',
    workdir: '/tmp',
    stdin: false,
  };
  const text = await readExec(runtime, containerId, exec, { signal, only: 'stdout', mostBytes });
  signal.throwIfAborted();
  return text;
};

/** What each script printed on standard output, in order; a script that fails has printed what it has. @throws runtime_unavailable @throws runtime_error */
export const askImage = async (question: ImageQuestion): Promise<Record<string, string[]>> => {
  const { runtime, imageId, name, labels, env, scripts, signal } = question;
  const containerId = await runtime.createContainer({
    ...{ name, image: imageId, command: keepAlive, env, labels, network: 'none', user: 'sandbox', workdir: '/tmp' },
    ...{ capDrop: ['NET_RAW', 'NET_ADMIN'], pidsLimit: 512, stopTimeoutSeconds: 1 },
  });
  try {
    await runtime.startContainer(containerId);
    signal.throwIfAborted();
    const asked = Object.entries(scripts).map(async ([who, lines]): Promise<[string, string[]]> => {
      const printed: string[] = [];
      for (const line of lines) printed.push(await runScript(question, containerId, line));
      return [who, printed];
    });
    return Object.fromEntries(await Promise.all(asked));
  } finally {
    await runtime.removeContainer(containerId);
  }
};
