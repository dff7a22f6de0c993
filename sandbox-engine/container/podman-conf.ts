// What Podman needs in a containers.conf on machines with hybrid cgroups or low limits (a bare VM), and what it says without it.
// Source: Podman 4.3 asks for 1,048,576 open files and 4,194,304 processes unless it is rootless; crun refuses hybrid cgroups.
import { constants } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

type Env = Record<string, string | undefined>;

const exists = async (path: string, mode = constants.F_OK): Promise<boolean> => {
  try {
    await access(path, mode);
    return true;
  } catch {
    return false;
  }
};

/** The full path of a program on PATH, or null. */
export const findProgram = async (name: string, env: Env): Promise<string | null> => {
  for (const folder of (env.PATH ?? '/usr/local/bin:/usr/bin:/bin').split(delimiter)) {
    const path = join(folder, name);
    if (folder !== '' && (await exists(path, constants.X_OK))) return path;
  }
  return null;
};

const wantedOpenFiles = 1_048_576;
const openFilesFor = (hard: number): number => Math.min(hard, wantedOpenFiles);
const capSysResource = 1n << 24n;

/** What stands in the way of Podman's own defaults here; null where nothing does. */
export interface PodmanNeeds {
  /** crun refuses this machine's hybrid cgroups. */
  runc: boolean;
  /** This process is root, may not raise limits, and may have only this many files open. */
  openFiles: number | null;
}

const hasHybridCgroups = async (): Promise<boolean> =>
  (await exists('/sys/fs/cgroup/unified')) && !(await exists('/sys/fs/cgroup/cgroup.controllers'));

const mayRaiseLimits = (status: string): boolean => {
  const capabilities = /^CapEff:\s*([0-9a-f]+)$/m.exec(status)?.[1];
  return capabilities === undefined || (BigInt(`0x${capabilities}`) & capSysResource) !== 0n;
};

/** Reads limits out of `/proc/self/limits` and `/proc/self/status`. An ordinary user's Podman keeps within the limits by itself. */
export const lowOpenFiles = (limits: string, status: string): number | null => {
  const isRoot = /^Uid:\s*\d+\s+0\s/m.test(status);
  const hard = /^Max open files\s+\S+\s+(\d+)/m.exec(limits)?.[1];
  return !isRoot || hard === undefined || mayRaiseLimits(status) ? null : openFilesFor(Number(hard));
};

/** Looks at this machine and this process. */
export const readPodmanNeeds = async (): Promise<PodmanNeeds> => {
  const read = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');
  return {
    runc: await hasHybridCgroups(),
    openFiles: lowOpenFiles(await read('/proc/self/limits'), await read('/proc/self/status')),
  };
};

/** The text of a containers.conf for these needs; empty when there are none. */
export const containersConf = ({ runc, openFiles }: PodmanNeeds): string =>
  (openFiles === null ? '' : `[containers]\ndefault_ulimits = ["nofile=${openFiles}:${openFiles}", "nproc=32768:32768"]\n`) +
  (runc ? '[engine]\nruntime = "runc"\n' : '');

export interface PodmanTrouble {
  name: string;
  message: string;
  /** A shell command that mends it for a Podman service that is started afterwards. */
  fix: string;
}

/** The command that makes a containers.conf for these needs and has Podman read it. */
export const confFix = (needs: PodmanNeeds): string => {
  const conf = JSON.stringify(containersConf(needs)).slice(1, -1).replaceAll('\\"', '"');
  return `printf '${conf}' > ~/sandlot-containers.conf && export CONTAINERS_CONF=~/sandlot-containers.conf`;
};

/** Recognises what Podman says on machines with low hard limits or hybrid cgroups, with crun and with runc. */
export const explainPodmanTrouble = (text: string): PodmanTrouble | null => {
  if (/crun: setrlimit .*Operation not permitted|error setting rlimit.*operation not permitted/is.test(text)) {
    const message = 'Podman asks for higher limits (nofile, nproc) than this machine allows; give it lower ones in a containers.conf.';
    return { name: 'podman limits', message, fix: confFix({ runc: false, openFiles: 20_000 }) };
  }
  if (/cgroups in hybrid mode not supported/.test(text)) {
    const message = 'The OCI runtime crun refuses the hybrid cgroups of this machine; let Podman use runc in a containers.conf.';
    return { name: 'podman cgroups', message, fix: confFix({ runc: true, openFiles: 20_000 }) };
  }
  return null;
};
