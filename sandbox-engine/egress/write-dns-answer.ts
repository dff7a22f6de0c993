// Writes DNS answers. Door of dns-packet, which only ever gets what we made ourselves: what sandboxes send is read in read-dns-question.ts.
// Source: RFC 1035 4.1; RFC 6891; RFC 8914 (extended errors).
import { encode, type Packet, RECURSION_AVAILABLE, RECURSION_DESIRED } from 'dns-packet';
import type { DnsQuestion, Rcode } from './read-dns-question.ts';

const udpPayloadSize = 1232;
const extendedError = 15;
const blocked = Buffer.from('\0\x0fBlocked by the network policy of this sandbox.');

const flagsOf = (recursionDesired: boolean, rcode: Rcode): number =>
  RECURSION_AVAILABLE | (recursionDesired ? RECURSION_DESIRED : 0) | (rcode & 15);

const optRecord = (rcode: Rcode, isBlocked: boolean) => ({
  ...{ name: '.' as const, type: 'OPT' as const, udpPayloadSize, extendedRcode: rcode >> 4, ednsVersion: 0, flags: 0, flag_do: false },
  options: isBlocked ? [{ code: extendedError, data: blocked }] : [],
});

/** An answer to a question: one address for so many seconds, or none. `isBlocked` says so to those who can read it. */
export const writeDnsAnswer = (
  question: DnsQuestion,
  rcode: Rcode,
  record?: { address: string; ttl: number },
  isBlocked = false,
): Buffer => {
  const name = question.asWritten;
  // `UNKNOWN_n` is how dns-packet is told any type by its number.
  const packet: unknown = {
    id: question.id,
    type: 'response',
    flags: flagsOf(question.recursionDesired, rcode),
    questions: [{ name, type: `UNKNOWN_${question.type}`, class: 'IN' }],
    answers: record === undefined ? [] : [{ name, type: 'A', class: 'IN', ttl: record.ttl, data: record.address }],
    additionals: question.edns === null ? [] : [optRecord(rcode, isBlocked)],
  };
  return encode(packet as Packet);
};

/** An answer to what is no question that we can read. */
export const writeDnsFault = (fault: { id: number; opcode: number; recursionDesired: boolean; rcode: Rcode }): Buffer =>
  encode({ id: fault.id, type: 'response', flags: flagsOf(fault.recursionDesired, fault.rcode) | (fault.opcode << 11) });
