// Looks for what would keep Sandlot from working on this machine, and names the command that mends it.
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DoctorReport, RuntimeProbe } from '../contract/model.ts';
import { confFix, findProgram, readPodmanNeeds } from './podman-conf.ts';
import type { Runtimes } from './runtimes.ts';

type Check = DoctorReport['checks'][number];

export interface DoctorOptions {
  runtimes: Pick<Runtimes, 'refresh' | 'info'>;
  dataFolder: string;
  env: Record<string, string | undefined>;
}

const gibibyte = 1024 ** 3;
const wantedGibibytes = 5;

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

const podmanChecks = async (env: DoctorOptions['env']): Promise<Check[]> => {
  if ((await findProgram('podman', env)) === null || (env.CONTAINERS_CONF ?? '') !== '') return [];
  const needs = await readPodmanNeeds();
  const fix = confFix(needs);
  const warn = (name: string, message: string): Check => ({ name, status: 'warning', message, fix });
  const checks: Check[] = [];
  if (needs.runc)
    checks.push(
      warn(
        'podman cgroups',
        'This machine has hybrid cgroups, which crun refuses; Podman should use runc (a Podman service that Sandlot starts does).',
      ),
    );
  if (needs.openFiles !== null)
    checks.push(
      warn(
        'podman limits',
        `At most ${needs.openFiles} files may be open here and nobody may raise that; Podman asks for more, and containers may fail with ` +
          '"setrlimit: operation not permitted" (in a Podman service that Sandlot starts they do not).',
      ),
    );
  return checks;
};

/** The folder itself, or the nearest one above it that this user may see; null when there is none on this machine. */
const visibleFolder = async (folder: string): Promise<string | null> => {
  try {
    await statfs(folder);
    return folder;
  } catch (thrown) {
    const isHidden = (thrown as NodeJS.ErrnoException).code === 'EACCES';
    return isHidden && dirname(folder) !== folder ? await visibleFolder(dirname(folder)) : null;
  }
};

const runtimeDiskCheck = async (runtimes: DoctorOptions['runtimes'], probe: RuntimeProbe): Promise<Check> => {
  const name = `disk of ${probe.id}`;
  const { rootFolder } = await runtimes.info(probe.id).catch(() => ({ rootFolder: '' }));
  const folder = probe.address.startsWith('unix://') && rootFolder !== '' ? await visibleFolder(rootFolder) : null;
  if (folder !== null) return await diskCheck(name, folder, 'sandlot prune');
  const message = `Its images are on another machine (${rootFolder || probe.address}): the free space cannot be seen from here.`;
  return { name, status: 'ok', message, fix: null };
};

/** Looks at runtimes, disks and tools. `ok` means that a session could be started here. */
export const runDoctor = async ({ runtimes, dataFolder, env }: DoctorOptions): Promise<DoctorReport> => {
  const probes = await runtimes.refresh();
  const connected = probes.filter(({ status }) => status === 'connected');
  const checks = [
    anyRuntimeCheck(probes),
    ...probes.map(runtimeCheck),
    await diskCheck('disk of the data folder', dataFolder, 'sandlot prune'),
    ...(await Promise.all(connected.map((probe) => runtimeDiskCheck(runtimes, probe)))),
    ...(await Promise.all(connected.map((probe) => buildKitCheck(runtimes, probe)))),
    await mmdebstrapCheck(env),
    ...(await podmanChecks(env)),
  ];
  return { ok: checks.every(({ status }) => status !== 'failed'), runtimes: probes, checks };
};
