// Starts `podman system service` where Podman is installed but no socket is open, and ends it again.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
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

const openTimeoutMs = 5000;
const keptWords = 4000;

const serviceEnv = async (env: Env, runFolder: string): Promise<Env> => {
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

// A host that was killed leaves its service behind; the number may belong to somebody else by now.
const endLeftOver = async (pidFile: string, socketPath: string): Promise<void> => {
  const pid = Number(await readFile(pidFile, 'utf8').catch(() => ''));
  if (!(pid > 1)) return;
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  if (command.split('\0').includes(`unix://${socketPath}`)) process.kill(pid, 'SIGTERM');
};

/** Starts the service on a socket of its own below `runFolder` and waits up to five seconds for it. */
export const startPodmanService = async (env: Env, runFolder: string): Promise<StartedPodman> => {
  const program = await findProgram('podman', env);
  if (program === null) return null;
  await mkdir(runFolder, { recursive: true, mode: 0o700 });
  const socketPath = join(runFolder, 'podman.sock');
  const pidFile = join(runFolder, 'podman.pid');
  await endLeftOver(pidFile, socketPath);
  await rm(socketPath, { force: true });
  const child = spawn(program, ['system', 'service', '--time=0', `unix://${socketPath}`], {
    env: (await serviceEnv(env, runFolder)) as NodeJS.ProcessEnv,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const { seen, ended } = watch(child);
  if (child.pid !== undefined) await writeFile(pidFile, String(child.pid));
  const stop = async (): Promise<void> => {
    if (!seen.hasEnded) child.kill('SIGTERM');
    await ended;
    await rm(socketPath, { force: true });
    await rm(pidFile, { force: true });
  };
  for (const deadline = performance.now() + openTimeoutMs; performance.now() < deadline && !seen.hasEnded; await delay(25)) {
    if ((await lookAtSocket(socketPath)) === 'present') return { socketPath, stop, hasEnded: () => seen.hasEnded };
  }
  await stop();
  return { problem: seen.words.trim() || 'it opened no socket within five seconds' };
};
