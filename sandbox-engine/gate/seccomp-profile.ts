// The seccomp profile of every restricted sandbox and of its gate: data, and the one place where the families of sockets are chosen.
// Default is refusal. There is no 32-bit half: through the old `socketcall` a filter cannot see which family is asked for.
// Source: NETWORK.md 0 (L4, L5), F04-F11; seccomp(2); the profile format of Docker and Podman.
import { openCalls } from './seccomp-calls.ts';

interface ArgumentRule {
  index: number;
  value: number;
  valueTwo: number;
  op: 'SCMP_CMP_MASKED_EQ' | 'SCMP_CMP_EQ';
}

interface CallRule {
  names: readonly string[];
  action: 'SCMP_ACT_ALLOW' | 'SCMP_ACT_ERRNO';
  errnoRet?: number;
  args?: ArgumentRule[];
}

const notPermitted = 1;
const noSuchCall = 38;
const low32 = 0xffff_ffff;

/** The kernel reads an int: what stands in the upper half of the register must not matter. */
const int = (index: number, value: number): ArgumentRule => ({ index, value: low32, valueTwo: value, op: 'SCMP_CMP_MASKED_EQ' });

const allow = (name: string, ...args: ArgumentRule[]): CallRule => ({ names: [name], action: 'SCMP_ACT_ALLOW', args });

const unix = 1;
const internet = [2, 10];
// STREAM and DGRAM; the bits above say how it behaves. A type that nobody knows is looked for among the machine's modules, as a protocol is.
const types = [1, 2].map((value): ArgumentRule => ({ index: 1, value: 0xf, valueTwo: value, op: 'SCMP_CMP_MASKED_EQ' }));
const netlink = 16;
// ROUTE, SOCK_DIAG, AUDIT (sudo asks), NETFILTER (a gate's firewall). Not GENERIC and the others: a sandbox could have any module loaded that
// names a family there, and KOBJECT_UEVENT tells what is plugged in to this machine.
const netlinks = [0, 4, 9, 12];
// 0 lets the kernel choose; ICMP, TCP, UDP, ICMPv6, MPTCP. Not SCTP, DCCP, UDP-Lite and raw: a sandbox has no use for them,
// and asking alone would load their modules into the machine's kernel.
const protocols = [0, 1, 6, 17, 58, 262];

const socketRules: CallRule[] = [
  allow('socket', int(0, unix)),
  ...netlinks.map((protocol) => allow('socket', int(0, netlink), int(2, protocol))),
  ...internet.flatMap((family) =>
    types.flatMap((type) => protocols.map((protocol) => allow('socket', int(0, family), type, int(2, protocol)))),
  ),
  allow('socketpair', int(0, unix)),
];

// CLONE_NEWTIME, NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET: none may be asked for.
const namespaceFlags = 0x7e02_0080;
const noNamespaces: ArgumentRule = { index: 0, value: namespaceFlags, valueTwo: 0, op: 'SCMP_CMP_MASKED_EQ' };

// Linux, Linux 32-bit, and the two that say "tell me which"; what both runtimes allow by themselves.
const personalities = [0x0, 0x8, 0x2_0000, 0x2_0008, 0xffff_ffff];

const profile = {
  defaultAction: 'SCMP_ACT_ERRNO',
  defaultErrnoRet: notPermitted,
  archMap: [
    { architecture: 'SCMP_ARCH_X86_64', subArchitectures: [] },
    { architecture: 'SCMP_ARCH_AARCH64', subArchitectures: [] },
  ],
  syscalls: [
    { names: openCalls, action: 'SCMP_ACT_ALLOW' },
    ...socketRules,
    allow('clone', noNamespaces),
    allow('unshare', noNamespaces),
    ...personalities.map((value) => allow('personality', int(0, value))),
    // Its flags lie in memory, where no filter sees them; the C library then takes `clone`.
    { names: ['clone3'], action: 'SCMP_ACT_ERRNO', errnoRet: noSuchCall },
  ] satisfies CallRule[],
};

/** The profile as a runtime reads it: inline by Docker, from a file by Podman. */
export const seccompProfile: string = JSON.stringify(profile);
