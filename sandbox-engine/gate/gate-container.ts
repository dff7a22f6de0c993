// Describes a gate's container, and what a sandbox's container needs to stand behind it. Pure.
// Source: NETWORK.md 0; RUNTIMES.md "The gate in practice".
import type { ContainerSpec, MountSpec, RuntimeKind } from '../container/container-runtime.ts';
import type { MakeLabels } from '../container/labels.ts';
import type { NetworkOwner, SandboxNetwork } from '../container/sandbox-network.ts';
import { ownHosts } from '../container/sandbox-spec.ts';
import { proxyAddress, proxyPort } from '../egress/synthetic-pool.ts';
import { commonPorts, relayUser, socketTarget } from './addresses.ts';
import { gateFolder } from './capture-files.ts';
import { seccompProfile } from './seccomp-profile.ts';

/** What a gate finds on this machine. */
export interface GatePlace {
  /** Where what the sandbox may reach is kept over restarts; no container sees it. */
  policyFile: string;
  /** Where the addresses of its names are kept. */
  namesFile: string;
  /** The folder of the host's sockets for this sandbox alone. */
  socketFolder: string;
  resolvConf: string;
  /** The sandbox's hosts file on Docker, where its gate has none to share. */
  hosts: string;
  /** Where the seccomp profile lies as a file, for a runtime that takes no text. */
  seccompFile: string;
}

export interface GateSpec {
  owner: NetworkOwner;
  imageId: string;
  runtimeKind: RuntimeKind;
  place: GatePlace;
  makeLabels: MakeLabels;
  /** What the sandbox is called inside: it shares the gate's name where the runtime wants it so. */
  hostname: string;
  /** Ports to catch where the kernel cannot catch all. */
  ports: number[];
  /** Leaves the kernel's own setting of IPv6 alone, for a kernel without any. */
  withoutIpv6Setting?: boolean;
  /** The volume in which a carrier has the sockets, where the runtime cannot see this machine's. */
  socketVolume?: string;
  /** For a person, and for the tests: catches listed ports only, as where addresses cannot be translated. */
  capture?: 'all' | 'ports';
}

const ofOwner = ({ sandboxId, kind, standsFor }: NetworkOwner) => ({
  ...(kind === 'session' ? { session: sandboxId } : { setupRun: sandboxId }),
  ...(standsFor === undefined ? {} : { standsFor }),
});

/** The labels of everything that a gate is made of. */
export const gateLabels = (makeLabels: MakeLabels, owner: NetworkOwner): Record<string, string> => makeLabels('gate', ofOwner(owner));

/** Names a gate's container, and that of its stand-in. */
export const gateName = (sandboxId: string): string => `sandlot-gate-${sandboxId}`;
export const standInName = (sandboxId: string): string => `sandlot-stand-in-${sandboxId}`;

/** How the runtime takes our seccomp profile: Docker as text, Podman as a file. */
export const seccompOption = (kind: RuntimeKind, file: string): string => `seccomp=${kind === 'docker' ? seccompProfile : file}`;

const mebibyte = 1024 ** 2;

/** What gates and carriers have in common: nothing may be written, and no right is kept. */
export const hardened = (kind: RuntimeKind, seccompFile: string) =>
  ({
    user: '0:0',
    workdir: '/',
    readOnlyRoot: true,
    capDrop: ['ALL'],
    // Where SELinux is on, a container may not speak to a host's socket; nothing but one folder is in reach here.
    securityOpt: ['no-new-privileges', 'label=disable', seccompOption(kind, seccompFile)],
    memoryBytes: 256 * mebibyte,
    pidsLimit: 64,
    stopTimeoutSeconds: 1,
  }) satisfies Partial<ContainerSpec>;

// Not the socket but its folder, so that the sockets of a restarted host are found.
const socketMount = ({ place, socketVolume }: GateSpec): MountSpec =>
  socketVolume === undefined
    ? { kind: 'bind', source: place.socketFolder, target: socketTarget, readOnly: true }
    : { kind: 'volume', source: socketVolume, target: socketTarget, readOnly: true };

const common = (gate: GateSpec) =>
  ({
    ...hardened(gate.runtimeKind, gate.place.seccompFile),
    image: gate.imageId,
    env: [`GATE_CAPTURE=${gate.capture ?? 'all'}`, `GATE_PORTS=${[...new Set([...commonPorts, ...gate.ports])].join(' ')}`],
    labels: gateLabels(gate.makeLabels, gate.owner),
    mounts: [socketMount(gate)],
  }) satisfies Partial<ContainerSpec>;

/** Rights that the start needs to become nobody. */
export const toBecomeNobody = ['SETPCAP', 'SETUID', 'SETGID', 'NET_BIND_SERVICE'];

/**
 * What one connection may hold in the kernel, at each end. By itself that grows to tens of megabytes, counts as nobody's, and is shared by the
 * whole machine: some hundred connections that are written to and not read would leave its other programs none. Source: tcp(7), tcp_mem.
 */
const heldInKernel = { 'net.ipv4.tcp_rmem': '4096 131072 1048576', 'net.ipv4.tcp_wmem': '4096 65536 1048576' };

/** The gate: owns a network namespace without a way out, and closes it. */
export const gateSpec = (gate: GateSpec): ContainerSpec => ({
  ...common(gate),
  name: gateName(gate.owner.sandboxId),
  hostname: gate.hostname,
  // Podman's sandboxes have the gate's hosts file: without a line for its own name sudo would complain at each call. Docker's have ours.
  extraHosts: ownHosts(gate.hostname),
  command: [`${gateFolder}/start`, 'gate'],
  network: 'none',
  bareNetwork: true,
  capAdd: ['NET_ADMIN', ...toBecomeNobody],
  sysctls: {
    ...heldInKernel,
    // Else a ping to anywhere "succeeds", answered by the kernel itself.
    'net.ipv4.icmp_echo_ignore_all': '1',
    ...(gate.withoutIpv6Setting === true ? {} : { 'net.ipv6.conf.all.disable_ipv6': '1' }),
  },
});

/**
 * A relay for a namespace whose gate has ended while the sandbox in it lives on: route and rules are still there, so it joins the
 * sandbox and needs no right to change any of them.
 */
export const standInSpec = (gate: GateSpec, sandboxContainerId: string): ContainerSpec => ({
  ...common(gate),
  name: standInName(gate.owner.sandboxId),
  command: [`${gateFolder}/start`, 'stand-in'],
  network: `container:${sandboxContainerId}`,
  capAdd: toBecomeNobody,
});

/** Where the self-test is run, and as whom: the relay's own user. */
export const selfTestExec = {
  command: ['/usr/bin/perl', `${gateFolder}/self-test.pl`],
  user: `${relayUser}:${relayUser}`,
  workdir: '/',
  stdin: false,
};

const proxyUrl = `http://${proxyAddress}:${proxyPort}`;
const notProxied = 'localhost,127.0.0.1,::1';

/**
 * Both spellings, because tools differ; FTP too, so that none of the machine's own variables gets in by a runtime's default. Node reads
 * them when it is told to. A JVM reads none, and a variable that it does read makes every one of them print a line: it goes straight out,
 * and the gate catches it.
 */
const proxyVariables = [
  ...[
    ['HTTP_PROXY', proxyUrl],
    ['HTTPS_PROXY', proxyUrl],
    ['FTP_PROXY', proxyUrl],
    ['NO_PROXY', notProxied],
  ].flatMap(([name = '', value]) => [`${name}=${value}`, `${name.toLowerCase()}=${value}`]),
  'NODE_USE_ENV_PROXY=1',
];

// As the runtime's own would be: root inside may add to it.
const hostsMount = ({ hosts }: GatePlace, kind: RuntimeKind): MountSpec[] =>
  kind === 'docker' ? [{ kind: 'bind', source: hosts, target: '/etc/hosts' }] : [];

/** What the sandbox's container needs to stand behind this gate. */
export const behindGate = (gateId: string, place: GatePlace, kind: RuntimeKind): SandboxNetwork => ({
  network: `container:${gateId}`,
  env: proxyVariables,
  mounts: [{ kind: 'bind', source: place.resolvConf, target: '/etc/resolv.conf', readOnly: true }, ...hostsMount(place, kind)],
  securityOpt: [seccompOption(kind, place.seccompFile)],
});
