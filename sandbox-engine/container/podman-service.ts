// Starts `podman system service` where Podman is installed but no socket is open, and ends it again.
import { spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { access, mkdir, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { lookAtSocket } from './probe.ts';

export interface PodmanService {
  socketPath: string;
  /** Ends the service; containers go on. */
  stop: () => Promise<void>;
}

const exists = async (path: string, mode = constants.F_OK): Promise<boolean> => {
  try {
    await access(path, mode);
    return true;
  } catch {
    return false;
  }
};

/** The full path of a program on PATH, or null. */
export const findProgram = async (name: string, env: Record<string, string | undefined>): Promise<string | null> => {
  for (const folder of (env.PATH ?? '/usr/local/bin:/usr/bin:/bin').split(delimiter)) {
    const path = join(folder, name);
    if (folder !== '' && (await exists(path, constants.X_OK))) return path;
  }
  return null;
};

/** What Podman needs on a machine with hybrid cgroups and low hard limits, such as a bare VM. */
export const containersConf = '[containers]\ndefault_ulimits = ["nofile=20000:20000","nproc=32768:32768"]\n[engine]\nruntime = "runc"\n';

/** Whether the plain configuration is known to fail here: crun refuses hybrid cgroups. */
export const needsContainersConf = async (): Promise<boolean> =>
  (await exists('/sys/fs/cgroup/unified')) && !(await exists('/sys/fs/cgroup/cgroup.controllers'));

const serviceEnv = async (env: Record<string, string | undefined>, runFolder: string): Promise<Record<string, string | undefined>> => {
  if ((env.CONTAINERS_CONF ?? '') !== '' || !(await needsContainersConf()) || (await findProgram('runc', env)) === null) return env;
  const path = join(runFolder, 'containers.conf');
  await writeFile(path, containersConf);
  return { ...env, CONTAINERS_CONF: path };
};

/** Answers null when there is no Podman, or its service does not open its socket within five seconds. */
export const startPodmanService = async (env: Record<string, string | undefined>, runFolder: string): Promise<PodmanService | null> => {
  const program = await findProgram('podman', env);
  if (program === null) return null;
  await mkdir(runFolder, { recursive: true, mode: 0o700 });
  const socketPath = join(runFolder, 'podman.sock');
  await rm(socketPath, { force: true });
  const child = spawn(program, ['system', 'service', '--time=0', `unix://${socketPath}`], {
    env: (await serviceEnv(env, runFolder)) as NodeJS.ProcessEnv,
    stdio: 'ignore',
  });
  const state = { gone: false };
  const ended = new Promise<void>((resolve) => {
    const finish = (): void => {
      state.gone = true;
      resolve();
    };
    child.once('exit', finish);
    child.once('error', finish);
  });
  const stop = async (): Promise<void> => {
    if (!state.gone) child.kill('SIGTERM');
    await ended;
    await rm(socketPath, { force: true });
  };
  for (const deadline = performance.now() + 5000; performance.now() < deadline && !state.gone; await delay(25)) {
    if ((await lookAtSocket(socketPath)) === 'present') return { socketPath, stop };
  }
  await stop();
  return null;
};
