// Translates our description of a container into the daemon's. Pure.
import type { ContainerSpec, MountSpec } from './container-runtime.ts';
import type { DaemonFacts } from './docker-info.ts';

type Limits = Pick<DaemonFacts, 'kind' | 'isElsewhere' | 'canLimitCpu' | 'canLimitMemory' | 'canLimitPids'>;

const mountOf = (mount: MountSpec) => ({ Type: mount.kind, Source: mount.source, Target: mount.target, ReadOnly: mount.readOnly ?? false });

// Where the runtime cannot limit (an ordinary user without cgroup v2), asking for it would be refused.
const limitsOf = (spec: ContainerSpec, can: Limits) => ({
  ...(spec.cpus !== undefined && can.canLimitCpu ? { NanoCpus: Math.round(spec.cpus * 1e9) } : {}),
  ...(spec.memoryBytes !== undefined && can.canLimitMemory ? { Memory: spec.memoryBytes } : {}),
  ...(spec.pidsLimit !== undefined && can.canLimitPids ? { PidsLimit: spec.pidsLimit } : {}),
});

const gpuOf = (spec: ContainerSpec, can: Limits) => {
  if (spec.gpu !== true) return {};
  if (can.kind === 'podman') return { Devices: [{ PathOnHost: 'nvidia.com/gpu=all', PathInContainer: '', CgroupPermissions: '' }] };
  return { DeviceRequests: [{ Driver: '', Count: -1, Capabilities: [['gpu']] }] };
};

const hardeningOf = (spec: ContainerSpec) => ({
  Privileged: spec.privileged ?? false,
  ReadonlyRootfs: spec.readOnlyRoot ?? false,
  ...(spec.capDrop === undefined ? {} : { CapDrop: spec.capDrop }),
  ...(spec.capAdd === undefined ? {} : { CapAdd: spec.capAdd }),
  ...(spec.securityOpt === undefined ? {} : { SecurityOpt: spec.securityOpt }),
  ...(spec.sysctls === undefined ? {} : { Sysctls: spec.sysctls }),
  ...(spec.extraHosts === undefined ? {} : { ExtraHosts: spec.extraHosts }),
  ...(spec.tmpfs === undefined ? {} : { Tmpfs: spec.tmpfs }),
});

/** Docker gives a container that joins another's network that one's name, and refuses to be asked for one. */
const sharesName = (spec: ContainerSpec, can: Limits): boolean => can.kind === 'docker' && spec.network.startsWith('container:');

/** Docker then leaves a new namespace to the kernel's defaults, which is what `none` means, and runs no program of its own in it. It also tells
 *  nothing any more of what those use that join it: only where this machine's kernel can be asked for that (group-counters.ts). */
const networkOf = (spec: ContainerSpec, can: Limits) =>
  spec.bareNetwork === true && spec.network === 'none' && can.kind === 'docker' && !can.isElsewhere ? { NetworkDisabled: true } : {};

const identityOf = (spec: ContainerSpec, can: Limits) => ({
  ...(spec.user === undefined ? {} : { User: spec.user }),
  ...(spec.workdir === undefined ? {} : { WorkingDir: spec.workdir }),
  ...(spec.hostname === undefined || sharesName(spec, can) ? {} : { Hostname: spec.hostname }),
  ...(spec.stopTimeoutSeconds === undefined ? {} : { StopTimeout: spec.stopTimeoutSeconds }),
});

/** The body of a create call. The whole command is the entry point: Podman ignores an empty entry point and would keep the image's. */
export const createBody = (spec: ContainerSpec, can: Limits): Record<string, unknown> => ({
  Image: spec.image,
  Entrypoint: spec.command,
  Cmd: [],
  Env: spec.env,
  Labels: spec.labels,
  ...identityOf(spec, can),
  ...networkOf(spec, can),
  HostConfig: {
    NetworkMode: spec.network,
    // Our own images bring an init that reaps and forwards signals.
    Init: false,
    // Output goes through execs; the daemon need not keep a log of its own.
    LogConfig: can.kind === 'docker' ? { Type: 'json-file', Config: { 'max-size': '1m', 'max-file': '1' } } : undefined,
    Mounts: (spec.mounts ?? []).map(mountOf),
    ...limitsOf(spec, can),
    ...hardeningOf(spec),
    ...gpuOf(spec, can),
  },
});
