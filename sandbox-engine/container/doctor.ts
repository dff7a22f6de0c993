// Looks for what would keep Sandlot from working on this machine, and names the command that mends it.
import { readFile, statfs } from 'node:fs/promises';
import type { DoctorReport, RuntimeProbe } from '../contract/model.ts';
import { containersConf, findProgram, needsContainersConf } from './podman-service.ts';
import type { Runtimes } from './runtimes.ts';

type Check = DoctorReport['checks'][number];

export interface DoctorOptions {
  runtimes: Pick<Runtimes, 'refresh' | 'info'>;
  dataFolder: string;
  env: Record<string, string | undefined>;
}

const gibibyte = 1024 ** 3;
const wantedGibibytes = 5;

const confFix = `printf '%s' '${containersConf}' > ~/sandlot-containers.conf && export CONTAINERS_CONF=~/sandlot-containers.conf`;

/** Recognises what Podman says on machines with low hard limits or hybrid cgroups. */
export const explainPodmanTrouble = (text: string): Check | null => {
  if (/crun: setrlimit .*Operation not permitted/s.test(text)) {
    const message = 'Podman asks for higher limits (nofile, nproc) than this machine allows; give it lower ones in a containers.conf.';
    return { name: 'podman limits', status: 'failed', message, fix: confFix };
  }
  if (/cgroups in hybrid mode not supported/.test(text)) {
    const message = 'The OCI runtime crun refuses the hybrid cgroups of this machine; let Podman use runc in a containers.conf.';
    return { name: 'podman cgroups', status: 'failed', message, fix: confFix };
  }
  return null;
};

const runtimeCheck = (probe: RuntimeProbe): Check => ({
  name: `runtime ${probe.id}`,
  status: probe.status === 'connected' ? 'ok' : 'warning',
  message: `${probe.message} Found by: ${probe.source}${probe.address === '' ? '' : `, ${probe.address}`}.`,
  fix: probe.fix,
});

const anyRuntimeCheck = (probes: RuntimeProbe[]): Check => {
  if (probes.some(({ status }) => status === 'connected'))
    return { name: 'a runtime', status: 'ok', message: 'A container runtime answers.', fix: null };
  const fix = probes.find((probe) => probe.fix !== null)?.fix ?? 'sudo apt-get install -y docker.io';
  return { name: 'a runtime', status: 'failed', message: 'No container runtime answers.', fix };
};

const diskCheck = async (name: string, folder: string, fix: string): Promise<Check> => {
  try {
    const disk = await statfs(folder);
    const free = (disk.bavail * disk.bsize) / gibibyte;
    const message = `${free.toFixed(1)} GiB free for ${folder}.`;
    return free >= wantedGibibytes
      ? { name, status: 'ok', message, fix: null }
      : { name, status: 'warning', message: `Only ${message}`, fix };
  } catch (thrown) {
    return { name, status: 'warning', message: `The free space of ${folder} cannot be read: ${String(thrown)}`, fix: null };
  }
};

const mmdebstrapCheck = async (env: DoctorOptions['env']): Promise<Check> => {
  const found = await findProgram('mmdebstrap', env);
  if (found !== null)
    return { name: 'mmdebstrap', status: 'ok', message: `A Debian base can be made without an image registry (${found}).`, fix: null };
  const message = 'mmdebstrap is missing: without an image registry no Debian base can be made.';
  return { name: 'mmdebstrap', status: 'warning', message, fix: 'sudo apt-get install -y mmdebstrap' };
};

const buildKitCheck = async (runtimes: DoctorOptions['runtimes'], probe: RuntimeProbe): Promise<Check> => {
  const name = `builder of ${probe.id}`;
  try {
    const info = await runtimes.info(probe.id);
    const message = info.hasBuildKit ? 'BuildKit is embedded in the daemon and used.' : "The runtime's own builder is used.";
    return { name, status: 'ok', message, fix: null };
  } catch (thrown) {
    return { name, status: 'warning', message: thrown instanceof Error ? thrown.message : String(thrown), fix: null };
  }
};

const hardOpenFiles = async (): Promise<number> => {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const hard = /^Max open files\s+\S+\s+(\S+)/m.exec(limits)?.[1] ?? 'unlimited';
  return hard === 'unlimited' ? Number.POSITIVE_INFINITY : Number(hard);
};

const podmanChecks = async (env: DoctorOptions['env']): Promise<Check[]> => {
  if ((await findProgram('podman', env)) === null || (env.CONTAINERS_CONF ?? '') !== '') return [];
  const checks: Check[] = [];
  if (await needsContainersConf()) {
    const message =
      'This machine has hybrid cgroups, which crun refuses; Podman should use runc (a Podman service that Sandlot starts does).';
    checks.push({ name: 'podman cgroups', status: 'warning', message, fix: confFix });
  }
  const hard = await hardOpenFiles();
  if (hard < 1_048_576) {
    const message = `At most ${hard} files may be open here, fewer than Podman asks for; containers may fail with "crun: setrlimit".`;
    checks.push({ name: 'podman limits', status: 'warning', message, fix: confFix });
  }
  return checks;
};

/** Looks at runtimes, disks and tools. `ok` means that a session could be started here. */
export const runDoctor = async ({ runtimes, dataFolder, env }: DoctorOptions): Promise<DoctorReport> => {
  const probes = await runtimes.refresh();
  const connected = probes.filter(({ status }) => status === 'connected');
  const checks = [
    anyRuntimeCheck(probes),
    ...probes.map(runtimeCheck),
    await diskCheck('disk of the data folder', dataFolder, 'sandlot prune'),
    ...(await Promise.all(connected.map((probe) => buildKitCheck(runtimes, probe)))),
    await mmdebstrapCheck(env),
    ...(await podmanChecks(env)),
  ];
  return { ok: checks.every(({ status }) => status !== 'failed'), runtimes: probes, checks };
};
