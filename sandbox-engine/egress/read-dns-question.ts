// Reads the one question of a DNS query, strictly and by its own hand: no pointers, no second question, no byte left over.
// Source: RFC 1035 4.1; RFC 6891 6.1 (EDNS); NETWORK.md C04, C16, C17.
import { readHost } from './destination.ts';

/** Response codes that we give. */
export const rcodes = { noError: 0, formErr: 1, servFail: 2, nxDomain: 3, notImp: 4, refused: 5, badVers: 16 } as const;
export type Rcode = (typeof rcodes)[keyof typeof rcodes];

/** One question: the name as it was written and in its one spelling; `edns` is the version of EDNS that the asker speaks, if any. */
export interface DnsQuestion {
  state: 'question';
  id: number;
  recursionDesired: boolean;
  asWritten: string;
  name: string;
  type: number;
  edns: number | null;
}

/** What a message is: a question, one to be answered with a fault, or nothing that is answered at all. */
export type DnsMessage =
  | DnsQuestion
  | { state: 'fault'; id: number; opcode: number; recursionDesired: boolean; rcode: Rcode }
  | { state: 'drop' };

const headerBytes = 12;
const mostQueryBytes = 2048;
const longestLabel = 63;
const internet = 1;
const opt = 41;
const any = 255;
const dot = 0x2e;
// Transfers, keys and signatures, and the other types that are no data of a name.
const isMetaType = (type: number): boolean => type === 0 || type === opt || (type >= 128 && type < any);

// Answers where the name ends; null for pointers and labels with a dot inside. How long a name may be is judged with its letters.
const readName = (packet: Buffer): { asWritten: string; end: number } | null => {
  const labels: string[] = [];
  let at = headerBytes;
  for (;;) {
    const length = packet[at] ?? longestLabel + 1;
    at += 1;
    if (length === 0) return { asWritten: labels.join('.'), end: at };
    const label = packet.subarray(at, at + length);
    at += length;
    if (length > longestLabel || at > packet.length || label.includes(dot)) return null;
    labels.push(label.toString('latin1'));
  }
};

// The whole rest of the message must be one OPT record, option by option to its last byte; answers its version.
const readOpt = (packet: Buffer, start: number): number | null => {
  if (packet.length < start + 11 || packet[start] !== 0 || packet.readUInt16BE(start + 1) !== opt) return null;
  let at = start + 11;
  if (packet.readUInt16BE(start + 9) !== packet.length - at) return null;
  while (at + 4 <= packet.length) at += 4 + packet.readUInt16BE(at + 2);
  return at === packet.length ? packet.readUInt8(start + 6) : null;
};

interface Body {
  asWritten: string;
  type: number;
  class: number;
  edns: number | null;
}

const readBody = (packet: Buffer, additionals: number): Body | null => {
  const name = readName(packet);
  if (name === null || packet.length < name.end + 4) return null;
  const end = name.end + 4;
  const edns = additionals === 0 ? null : readOpt(packet, end);
  if (additionals === 0 ? packet.length !== end : edns === null) return null;
  return { asWritten: name.asWritten, type: packet.readUInt16BE(name.end), class: packet.readUInt16BE(name.end + 2), edns };
};

const countsAreRight = (packet: Buffer): boolean =>
  packet.readUInt16BE(4) === 1 && packet.readUInt16BE(6) === 0 && packet.readUInt16BE(8) === 0 && packet.readUInt16BE(10) <= 1;

/** Reads a message, of UDP or of one frame of TCP. Never looks further than 2 KiB. */
export const readDnsQuestion = (packet: Buffer): DnsMessage => {
  if (packet.length < headerBytes) return { state: 'drop' };
  const flags = packet.readUInt16BE(2);
  if ((flags & 0x8000) !== 0) return { state: 'drop' };
  const header = { id: packet.readUInt16BE(0), opcode: (flags >> 11) & 15, recursionDesired: (flags & 0x0100) !== 0 };
  const fault = (rcode: Rcode): DnsMessage => ({ state: 'fault', ...header, rcode });
  if (header.opcode !== 0) return fault(rcodes.notImp);
  if (packet.length > mostQueryBytes || (flags & 0x0200) !== 0 || !countsAreRight(packet)) return fault(rcodes.formErr);
  const body = readBody(packet, packet.readUInt16BE(10));
  if (body === null) return fault(rcodes.formErr);
  const host = readHost(body.asWritten);
  if (!host.ok || host.kind !== 'name') return fault(rcodes.formErr);
  if (body.class !== internet || isMetaType(body.type)) return fault(rcodes.refused);
  const { asWritten, type, edns } = body;
  return { state: 'question', id: header.id, recursionDesired: header.recursionDesired, asWritten, name: host.host, type, edns };
};
