// The floor under every policy: which addresses no rule may reach. Judges addresses; who asks and why is left to others.
// Door of ipaddr.js. Source: NETWORK.md 1.3; IANA special-purpose address registries; RFC 6052 and 8215 (embedded IPv4).
import { isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** What an address is to a sandbox: open, open only by `allow_private`, or never. */
export type AddressClass = 'public' | 'private' | 'special';

/** The addresses of this computer itself. */
export interface OwnAddresses {
  /** Every address of the host's interfaces. */
  interfaces: string[];
  /** Addresses of the runtimes' bridges: never reached. */
  gateways: string[];
  /** Blocks that lead to this computer as a whole, as "20.0.0.0/24": never reached. */
  ranges?: string[];
  /** Ports on which the app itself listens: never reached on any interface. */
  ownPorts: number[];
}

type Ranges = [text: string, bits: number][];

const v4 = (ranges: Ranges) => ranges.map(([text, bits]) => [ipaddr.IPv4.parse(text), bits] as [ipaddr.IPv4, number]);
const v6 = (ranges: Ranges) => ranges.map(([text, bits]) => [ipaddr.IPv6.parse(text), bits] as [ipaddr.IPv6, number]);

const v4Ranges = {
  special: v4([
    ['0.0.0.0', 8],
    ['127.0.0.0', 8],
    ['169.254.0.0', 16],
    ['192.0.0.0', 24],
    ['192.0.2.0', 24],
    ['192.88.99.0', 24],
    ['198.18.0.0', 15],
    ['198.51.100.0', 24],
    ['203.0.113.0', 24],
    ['224.0.0.0', 4],
    ['240.0.0.0', 4],
    // Metadata and agents of clouds that live among ordinary addresses.
    ['168.63.129.16', 32],
    ['100.100.100.200', 32],
  ]),
  private: v4([
    ['10.0.0.0', 8],
    ['172.16.0.0', 12],
    ['192.168.0.0', 16],
    ['100.64.0.0', 10],
  ]),
};

// Outside 2000::/3 nothing is public, so only what lies inside it, and what is private, has to be named.
const globalUnicast = v6([['2000::', 3]]);
const v6Ranges = {
  special: v6([
    ['2001::', 23],
    ['2001:db8::', 32],
    ['2002::', 16],
    ['3fff::', 20],
    // Metadata of clouds among the private addresses.
    ['fd00:ec2::', 32],
    ['fd20:ce::', 32],
    ['fd00:c1::', 32],
  ]),
  private: v6([['fc00::', 7]]),
  public: globalUnicast,
};

const wellKnownTranslation = v6([['64:ff9b::', 96]]);
const localTranslation = v6([['64:ff9b:1::', 48]]);

// Where the four bytes of an IPv4 address stand in 16, by length of prefix; the byte at 8 is always zero.
const embeddings: { positions: [number, number, number, number]; zeros: number[] }[] = [
  { positions: [12, 13, 14, 15], zeros: [] },
  { positions: [6, 7, 9, 10], zeros: [8, 11, 12, 13, 14, 15] },
  { positions: [7, 9, 10, 11], zeros: [8, 12, 13, 14, 15] },
  { positions: [9, 10, 11, 12], zeros: [8, 13, 14, 15] },
];

type Ip = ipaddr.IPv4 | ipaddr.IPv6;

// ipaddr.js reads `::1.2.3.4` as `::ffff:1.2.3.4`, another address; so dotted tails become groups first.
const dottedToGroups = (text: string): string => {
  const tail = text.lastIndexOf(':') + 1;
  if (!text.includes('.')) return text;
  const octets = text.slice(tail).split('.').map(Number);
  const group = (at: number) => (((octets[at] ?? 0) << 8) | (octets[at + 1] ?? 0)).toString(16);
  return `${text.slice(0, tail)}${group(0)}:${group(2)}`;
};

const parseIp = (text: string): Ip | null => {
  if (isIPv4(text)) return ipaddr.IPv4.parse(text);
  if (text.includes('%') || !isIPv6(text)) return null;
  const address = ipaddr.IPv6.parse(dottedToGroups(text));
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
};

const textOf = (ip: Ip): string => (ip instanceof ipaddr.IPv4 ? ip.toString() : ip.toRFC5952String());

/** Reads an IP address without brackets or zone into its one spelling; an IPv4 address inside ::ffff:0:0/96 becomes IPv4; else null. */
export const readIpAddress = (text: string): { kind: 'ipv4' | 'ipv6'; ip: string } | null => {
  const ip = parseIp(text);
  return ip === null ? null : { kind: ip.kind(), ip: textOf(ip) };
};

const embeddedIn = (ip: ipaddr.IPv6): ipaddr.IPv4[] => {
  const bytes = ip.toByteArray();
  return embeddings
    .filter(({ zeros }) => zeros.every((at) => bytes[at] === 0))
    .map(({ positions }) => new ipaddr.IPv4(positions.map((at) => bytes[at] ?? 0)));
};

// A translated address is judged by the IPv4 address that it stands for.
const judgedOf = (ip: Ip): Ip[] => {
  if (ip instanceof ipaddr.IPv4) return [ip];
  if (ipaddr.subnetMatch(ip, { inside: wellKnownTranslation }, '') === 'inside') return embeddedIn(ip).slice(0, 1);
  if (ipaddr.subnetMatch(ip, { inside: localTranslation }, '') === 'inside') return embeddedIn(ip);
  return [ip];
};

const classOf = (ip: Ip): AddressClass => {
  if (ip instanceof ipaddr.IPv4) return ipaddr.subnetMatch(ip, v4Ranges, 'public') as AddressClass;
  return ipaddr.subnetMatch(ip, v6Ranges, 'special') as AddressClass;
};

const holds = (addresses: string[], ip: string): boolean =>
  addresses.some((address) => readIpAddress(address.replace(/%.*$/s, ''))?.ip === ip);

const isWithin = (range: string, ip: Ip): boolean => {
  const [block, bits] = ipaddr.parseCIDR(range);
  return block.kind() === ip.kind() && (ip as ipaddr.IPv4).match(block as ipaddr.IPv4, bits);
};

const classOfOwn = (own: OwnAddresses, address: Ip, port: number | undefined): AddressClass => {
  const ip = textOf(address);
  if (holds(own.gateways, ip) || own.ranges?.some((range) => isWithin(range, address))) return 'special';
  if (!holds(own.interfaces, ip)) return 'public';
  return port === undefined || own.ownPorts.includes(port) ? 'special' : 'private';
};

const severity: AddressClass[] = ['public', 'private', 'special'];

/**
 * The class of an address, by the strictest of everything it can stand for; what cannot be read is special.
 * With `own`, this computer's own addresses are judged too; without a port they count as the app's own.
 */
export const classifyAddress = (ip: string, own?: OwnAddresses, port?: number): AddressClass => {
  const address = parseIp(ip);
  if (address === null) return 'special';
  const judged = judgedOf(address);
  const classes = judged.map(classOf);
  if (own) for (const each of [address, ...judged]) classes.push(classOfOwn(own, each, port));
  return severity[Math.max(...classes.map((each) => severity.indexOf(each)))] ?? 'special';
};

const reserved = new Set([
  'localhost',
  'local',
  'host.docker.internal',
  'gateway.docker.internal',
  'http.docker.internal',
  'kubernetes.docker.internal',
  'host.containers.internal',
  'metadata.google.internal',
  'metadata.goog',
  'instance-data',
]);

/** Whether a canonical name means this computer, its neighbours or a cloud's metadata; no rule can allow it. Source: RFC 6761, 6762. */
export const reservedName = (host: string): boolean => {
  if (!host.includes('.')) return true;
  if (reserved.has(host)) return true;
  for (let dot = host.indexOf('.'); dot !== -1; dot = host.indexOf('.', dot + 1)) if (reserved.has(host.slice(dot + 1))) return true;
  return false;
};
