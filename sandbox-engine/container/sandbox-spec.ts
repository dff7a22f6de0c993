// What the container of every sandbox has in common, whoever starts it. Pure; labels and mounts are its caller's.
// Source: SPEC.md 7; an image's own entry point is replaced altogether.
import type { ContainerSpec, MountSpec } from './container-runtime.ts';
import { keepAlive } from './keep-alive.ts';
import type { SandboxNetwork } from './sandbox-network.ts';

/** Who everything in a sandbox runs as, unless it is ours. */
export const sandboxUser = 'sandbox';
/** Where a sandbox has its work. */
export const workspace = '/workspace';

/**
 * Processes and threads of one sandbox: far above what builds, browsers and databases need together, far below what a machine has
 * (32,768 by Linux' own default), so that a program that forks endlessly harms its own sandbox alone. Source: NETWORK.md G17.
 */
const mostProcesses = 4096;

/** Names the container of a sandbox. */
export const sandboxName = (sandboxId: string): string => `sandlot-${sandboxId}`;

/** What a sandbox is called inside. */
export const sandboxHostname = (sandboxId: string): string => sandboxId.slice(-12);

/** The line by which a sandbox finds its own name, where no runtime writes it. */
export const ownHosts = (hostname: string): string[] => [`${hostname}:127.0.0.1`];

export interface Sandbox {
  /** That of the session or setup run: the container is named after it, so that no two ever ask for one name. */
  id: string;
  /** `env` decides only whether a locale must be added. */
  image: { id: string; env: string[] };
  envVars: Record<string, string>;
  network: SandboxNetwork;
  cpus: number;
  memoryBytes: number;
  /** Counts only on the unrestricted network: a privileged sandbox could undo any other. */
  privileged: boolean;
  gpu: boolean;
}

const linesOf = ({ envVars, image, network }: Sandbox): string[] => {
  const given = Object.entries(envVars).map(([name, value]) => `${name}=${value}`);
  const ours = network.env.filter((line) => !Object.hasOwn(envVars, line.slice(0, line.indexOf('='))));
  const hasLocale = [...given, ...image.env].some((line) => /^(LANG|LC_ALL)=/.test(line));
  return [...(hasLocale ? [] : ['LANG=C.UTF-8']), ...ours, ...given];
};

/** The container of a sandbox but for its labels; the mounts are those of its network, and its caller adds the others. */
export const sandboxSpec = (sandbox: Sandbox): Omit<ContainerSpec, 'labels'> & { mounts: MountSpec[] } => {
  const { network, mounts, securityOpt } = sandbox.network;
  const isRestricted = network !== 'bridge';
  return {
    name: sandboxName(sandbox.id),
    image: sandbox.image.id,
    command: keepAlive,
    env: linesOf(sandbox),
    user: sandboxUser,
    workdir: workspace,
    hostname: sandboxHostname(sandbox.id),
    network,
    mounts,
    securityOpt,
    cpus: sandbox.cpus,
    memoryBytes: sandbox.memoryBytes,
    pidsLimit: mostProcesses,
    stopTimeoutSeconds: 1,
    // no-new-privileges stays off: sudo is wanted inside.
    // MKNOD: Docker would let root inside make /dev/net/tun for itself, and open it.
    ...(network === 'none' ? { extraHosts: ownHosts(sandboxHostname(sandbox.id)) } : {}),
    ...(isRestricted ? { capDrop: ['NET_RAW', 'NET_ADMIN', 'MKNOD'] } : {}),
    ...(sandbox.privileged && !isRestricted ? { privileged: true } : {}),
    ...(sandbox.gpu ? { gpu: true } : {}),
  };
};
