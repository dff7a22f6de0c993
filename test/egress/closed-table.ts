// What a sandbox must see of each way out that closed-probes.ts tries, by the id of the corpus. Refusals that kernels word in several ways
// are patterns. Source: NETWORK.md 2, F and G; H01, H03.
import { expect } from 'vitest';
import { probeAddress } from '../runtime/support/closed-probes.ts';

type Seen = Record<string, unknown>;

const all = (expected: unknown, ...names: string[]): Seen => Object.fromEntries(names.map((name) => [name, expected]));
const caught = `to ${probeAddress}:443`;
const notThere = expect.stringMatching(/^E(PERM|NOENT|ACCES|NXIO)$/);
const readOnly = expect.stringMatching(/^E(ROFS|ACCES|PERM)$/);

/** Rows of id and what is seen by the name of the probe; a probe may prove several ids. `canaries` are ADDRESS:PORT on this machine. */
export const closedTable = (canaries: string[]): [id: string, what: string, seen: Seen][] => {
  const canary = (isLoopback: boolean): Seen =>
    Object.fromEntries(
      canaries
        .filter((place) => place.startsWith('127.') === isLoopback)
        .map((place) => [`canary ${place}`, isLoopback ? 'ECONNREFUSED' : `to ${place}`]),
    );
  return [
    ['F01', 'UDP is refused at once', all('ECONNREFUSED', 'udp out', 'udp name', 'udp stun')],
    [
      'F02',
      'broadcast and multicast go nowhere',
      {
        'udp broadcast': expect.stringMatching(/^(EINVAL|EACCES|ENETUNREACH|sent)$/),
        'udp multicast': expect.stringMatching(/^(EINVAL|ENETUNREACH|sent)$/),
        ...all('ECONNREFUSED', 'udp bridge', 'udp gateway'),
      },
    ],
    ['F03', 'no echo is answered', { ping: expect.stringMatching(/^no/) }],
    ['F04', 'no raw socket', all('EPERM', 'raw icmp', 'raw tcp', 'raw ip', 'raw icmp6')],
    ['F05', 'no packet socket', all('EPERM', 'packet', 'packet dgram', 'xdp')],
    ['F06', 'no VSOCK, nor any other family', all('EPERM', 'vsock stream', 'vsock dgram', 'alg', 'rds', 'tipc', 'bluetooth')],
    [
      'F08',
      'no other transport; MPTCP is caught as TCP is',
      { ...all('EPERM', 'sctp', 'dccp', 'udp lite', 'dccp by its type', 'dccp6 by its type', 'packets in a row'), mptcp: caught },
    ],
    [
      'F09',
      'no IPv6, and IPv4 in its clothes is caught',
      {
        ...all(
          expect.stringMatching(/^E(ADDRNOTAVAIL|NETUNREACH|INVAL|HOSTUNREACH|AFNOSUPPORT)$/),
          ...['out', 'loopback', 'link', 'multicast'].map((name) => `ipv6 ${name}`),
        ),
        'ipv6 mapped': 'ok',
      },
    ],
    ['F10', 'no device that carries packets', all(notThere, ...['tun', 'vhost', 'vsock device'].flatMap((name) => [name, `${name} made`]))],
    [
      'F11',
      'no call that makes sockets by another way',
      all('EPERM', 'io_uring_setup', 'io_uring_enter', 'io_uring_register', 'bpf', 'perf'),
    ],
    [
      'F12',
      'odd ends of a TCP connection are caught, and harm nothing',
      all(caught, 'fast open', 'urgent', 'after reset', 'after no window'),
    ],
    ['F13', 'no option steers past the capture', { ...all('EPERM', 'mark', 'transparent'), steered: caught }],
    [
      'F14',
      'no netlink by which modules are loaded or devices are told',
      all('EPERM', ...['xfrm', 'iscsi', 'connector', 'uevent', 'generic', 'rdma', 'crypto'].map((name) => `netlink ${name}`)),
    ],
    ['F14', 'netlink reads and never writes', { 'netlink read routes': 'answer', ...all('EPERM', 'netlink new route', 'netlink destroy') }],
    [
      'G01',
      'no route, address, link or rule can be changed',
      all('EPERM', ...['new route', 'del route', 'new address', 'new link', 'link down', 'new rule'].map((name) => `netlink ${name}`)),
    ],
    ['G02', 'no namespace can be made', all('EPERM', 'unshare net', 'unshare user', 'unshare both', 'clone net')],
    ['G03', "nobody else's namespace or process", { setns: 'EPERM', 'pidfd of others': '0', 'gate processes': '0' }],
    ['G04', 'the firewall is neither seen nor changed', all('EPERM', 'nft list', 'nft flush')],
    [
      'G05',
      'no setting of the network',
      { ...all(readOnly, 'sysctl forward', 'sysctl accept local', 'sysctl ipv6'), ...all('EPERM', 'remount proc', 'mount') },
    ],
    [
      'G06',
      'nobody listens beside the relay, and nobody speaks to it directly',
      {
        ...all('EADDRINUSE', 'beside the relay', 'beside all', 'beside names', 'beside names tcp'),
        ...all('ECONNREFUSED', 'relay itself', 'names itself'),
      },
    ],
    [
      'G08',
      'a listener of its own at an address out there hears nothing, its own servers work',
      { 'own listener out there': 'bound, to 9.9.9.9:5432, heard 0', ...all('ok', 'own server', 'own server by its address') },
    ],
    ['G09', 'no abstract socket of the gate', { 'abstract sockets': '0' }],
    ['G16', 'what a connection holds in the kernel is bounded', { 'most held in rmem': '1048576', 'most held in wmem': '1048576' }],
    [
      'G18',
      'files that two containers share change nothing',
      {
        ...all(expect.stringMatching(/^(written|EACCES)$/), 'write /etc/hosts', 'write /etc/hostname'),
        'write /etc/resolv.conf': expect.stringMatching(/^E(ROFS|ACCES)$/),
      },
    ],
    ['G19', "the host's sockets are nowhere", { 'host files': '0', 'sockets found': '' }],
    ['G21', "the gate's memory is out of reach", { 'gate processes': '0', 'gate memory': '0' }],
    ['H01', "this machine's loopback is the sandbox's own", canary(true)],
    ['H03', "this machine's other addresses are caught like any other", canary(false)],
    ['O6', 'and what is allowed goes on', { control: caught }],
  ];
};
