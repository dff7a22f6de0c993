// Starts `podman system service` where Podman is installed but no socket is open, and ends it again.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { containersConf, findProgram, readPodmanNeeds } from './podman-conf.ts';
import { lookAtSocket } from './probe.ts';

export interface PodmanService {
  socketPath: string;
  /** It ended by itself: start another one. */
  hasEnded: () => boolean;
  /** Ends the service; containers go on. */
  stop: () => Promise<void>;
}

/** `null`: there is no Podman here. `problem`: there is, but its service did not open its socket; in Podman's own words. */
export type StartedPodman = PodmanService | { problem: string } | null;

type Env = Record<string, string | undefined>;

const openTimeoutMs = 10_000;
const endTimeoutMs = 2000;
const keptWords = 4000;

const serviceEnv = async (given: Env, runFolder: string): Promise<Env> => {
  // With one of these podman talks to another service and cannot be one itself.
  const { CONTAINER_HOST: _host, CONTAINER_CONNECTION: _connection, ...env } = given;
  if ((env.CONTAINERS_CONF ?? '') !== '') return env;
  const needs = await readPodmanNeeds();
  const conf = containersConf({ ...needs, runc: needs.runc && (await findProgram('runc', env)) !== null });
  if (conf === '') return env;
  const path = join(runFolder, 'containers.conf');
  await writeFile(path, conf);
  return { ...env, CONTAINERS_CONF: path };
};

/** Follows a child to its end: what it said last, and whether it has gone. */
const watch = (child: ChildProcess) => {
  const seen = { hasEnded: false, words: '' };
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    seen.words = `${seen.words}${text}`.slice(-keptWords);
  });
  const ended = new Promise<void>((resolve) => {
    const finish = (): void => {
      seen.hasEnded = true;
      resolve();
    };
    child.once('exit', finish);
    child.once('error', (thrown) => {
      seen.words += thrown.message;
      finish();
    });
  });
  return { seen, ended };
};

/** Every process that serves this socket: a rootless Podman runs as two, and the second outlives a signal to the first. */
const servicesAt = async (socketPath: string): Promise<number[]> => {
  const pids = (await readdir('/proc').catch(() => [] as string[])).map(Number).filter((pid) => pid > 1);
  const serves = async (pid: number): Promise<boolean> =>
    (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0').includes(`unix://${socketPath}`);
  const found = await Promise.all(pids.map(async (pid) => ((await serves(pid)) ? [pid] : [])));
  return found.flat();
};

const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name);
  } catch {
    // Gone already, or another user's, which is not ours to end.
  }
};

/** Also what a host that was killed left behind. Containers go on. */
const endServices = async (socketPath: string): Promise<void> => {
  const deadline = performance.now() + endTimeoutMs;
  for (let pids = await servicesAt(socketPath); pids.length > 0; pids = await servicesAt(socketPath)) {
    const isLate = performance.now() > deadline;
    for (const pid of pids) signal(pid, isLate ? 'SIGKILL' : 'SIGTERM');
    await delay(50);
    if (performance.now() > deadline + endTimeoutMs) break;
  }
  await rm(socketPath, { force: true });
};

/** Starts the service on a socket of its own below `runFolder` and waits up to ten seconds for it. */
export const startPodmanService = async (env: Env, runFolder: string): Promise<StartedPodman> => {
  const program = await findProgram('podman', env);
  if (program === null) return null;
  await mkdir(runFolder, { recursive: true, mode: 0o700 });
  const socketPath = join(runFolder, 'podman.sock');
  await endServices(socketPath);
  const child = spawn(program, ['system', 'service', '--time=0', `unix://${socketPath}`], {
    env: (await serviceEnv(env, runFolder)) as NodeJS.ProcessEnv,
    // Its conmon leaves a file "oom" in the folder it was started in.
    cwd: runFolder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const { seen, ended } = watch(child);
  const stop = async (): Promise<void> => {
    if (!seen.hasEnded) child.kill('SIGTERM');
    await endServices(socketPath);
    await ended;
  };
  for (const deadline = performance.now() + openTimeoutMs; performance.now() < deadline && !seen.hasEnded; await delay(25)) {
    if ((await lookAtSocket(socketPath)) === 'present') return { socketPath, stop, hasEnded: () => seen.hasEnded };
  }
  await stop();
  return { problem: seen.words.trim() || 'it opened no socket within ten seconds' };
};
