// Asks a daemon who it is and what it can do. Refuses those that are too old.
import { platform, release } from 'node:os';
import { SandlotError } from '../base/errors.ts';
import type { RuntimeInfo, RuntimeKind } from './container-runtime.ts';
import type { DockerConnection } from './docker-connection.ts';

/** Docker 19.03; what Podman 4 answers is 1.41. */
const oldestApi = '1.40';

interface VersionAnswer {
  Version?: string;
  ApiVersion?: string;
  MinAPIVersion?: string;
  Arch?: string;
  Os?: string;
  Components?: { Name?: string; Version?: string }[];
}

interface InfoAnswer {
  NCPU?: number;
  MemTotal?: number;
  Driver?: string;
  SecurityOptions?: string[];
  MemoryLimit?: boolean;
  CpuCfsQuota?: boolean;
  PidsLimit?: boolean;
  CgroupVersion?: string;
  DockerRootDir?: string;
  KernelVersion?: string;
  OperatingSystem?: string;
  Rootless?: boolean;
}

/** What the adapter itself must know beyond `RuntimeInfo`. */
export interface DaemonFacts extends RuntimeInfo {
  canLimitMemory: boolean;
  canLimitCpu: boolean;
  canLimitPids: boolean;
}

/** Compares two versions of the form `1.41`. */
const isOlderApi = (version: string, than: string): boolean => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [thanMajor = 0, thanMinor = 0] = than.split('.').map(Number);
  return major < thanMajor || (major === thanMajor && minor < thanMinor);
};

const kindOf = (version: VersionAnswer): RuntimeKind =>
  (version.Components ?? []).some((component) => /podman/i.test(component.Name ?? '')) ? 'podman' : 'docker';

const assertNewEnough = (version: VersionAnswer, address: string): void => {
  const api = version.ApiVersion ?? '0';
  if (!isOlderApi(api, oldestApi)) return;
  throw new SandlotError(
    'runtime_too_old',
    `The runtime at ${address} is too old: it speaks API ${api}, and Sandlot needs ${oldestApi} or newer (Docker 20.10, Podman 4.3).`,
    { details: { api_version: api, needed_api_version: oldestApi }, nextAction: 'Update Docker or Podman.' },
  );
};

const limitsOf = (info: InfoAnswer, rootless: boolean): Pick<DaemonFacts, 'canLimitMemory' | 'canLimitCpu' | 'canLimitPids'> => {
  // Without cgroup v2 nobody has delegated a cgroup to an ordinary user.
  const possible = !(rootless && info.CgroupVersion === '1');
  return {
    canLimitMemory: possible && info.MemoryLimit !== false,
    canLimitCpu: possible && info.CpuCfsQuota !== false,
    canLimitPids: possible && info.PidsLimit !== false,
  };
};

/**
 * Whether it runs under another kernel: Docker Desktop, a Podman machine and their like are in a virtual machine, where no socket of this
 * machine can be mounted. One that does not tell its kernel is taken for this machine's own, and the gate's self-test finds out.
 */
const isElsewhere = ({ KernelVersion = '', OperatingSystem = '' }: InfoAnswer): boolean =>
  platform() !== 'linux' || OperatingSystem === 'Docker Desktop' || (KernelVersion !== '' && KernelVersion !== release());

/** Reads version and abilities. @throws runtime_too_old with both numbers. */
export const readDaemonFacts = async (connection: DockerConnection): Promise<DaemonFacts> => {
  const version = await connection.json<VersionAnswer>({ what: 'ask for the version', method: 'GET', path: '/version' });
  assertNewEnough(version, connection.address);
  const info = await connection.json<InfoAnswer>({ what: 'ask for the system information', method: 'GET', path: '/info' });
  const kind = kindOf(version);
  const apiVersion = version.ApiVersion ?? '';
  const rootless = info.Rootless === true || (info.SecurityOptions ?? []).some((option) => option.includes('rootless'));
  return {
    kind,
    version: version.Version ?? '',
    apiVersion,
    minApiVersion: version.MinAPIVersion ?? '',
    architecture: version.Arch ?? '',
    rootless,
    cpus: info.NCPU ?? 0,
    memoryBytes: info.MemTotal ?? 0,
    hasBuildKit: kind === 'docker' && version.Os !== 'windows',
    storageDriver: info.Driver ?? '',
    ...limitsOf(info, rootless),
    isElsewhere: isElsewhere(info),
    rootFolder: info.DockerRootDir ?? '',
  };
};
