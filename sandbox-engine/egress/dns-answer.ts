// Answers the DNS questions of one sandbox by itself; nothing is ever asked of anybody because of one. Allowed names get an address of
// the pool, refused ones all the same address, so that the proxy can say why. Source: NETWORK.md 1.6; C06, C08, C15-C17.
import { reservedName } from './address.ts';
import { type DnsQuestion, rcodes, readDnsQuestion } from './read-dns-question.ts';
import { refusedAddress, type SyntheticPool } from './synthetic-pool.ts';
import { writeDnsAnswer, writeDnsFault } from './write-dns-answer.ts';

/** What became of a question: `full` when the pool has no address left. */
export interface DnsAsked {
  name: string;
  /** As people write it: `A`, `AAAA`, `TYPE1234`. */
  type: string;
  outcome: 'allowed' | 'blocked' | 'reserved' | 'full';
}

/** The bytes to send back, null for none; `asked` is null when there was no question. */
export interface DnsAnswer {
  answer: Buffer | null;
  asked: DnsAsked | null;
}

/** What decides: whether the policy lets a canonical name be reached on any port, and the addresses of the sandbox. */
export interface DnsWorld {
  decideName: (name: string) => 'allowed' | 'blocked';
  pool: SyntheticPool;
}

const address = 1;
const typeNames: Record<number, string> = {
  ...{ 1: 'A', 2: 'NS', 5: 'CNAME', 6: 'SOA', 10: 'NULL', 12: 'PTR', 15: 'MX', 16: 'TXT', 28: 'AAAA', 33: 'SRV', 35: 'NAPTR', 43: 'DS' },
  ...{ 48: 'DNSKEY', 64: 'SVCB', 65: 'HTTPS', 255: 'ANY', 257: 'CAA' },
};
const allowedTtl = 5;

const answerAllowed = (question: DnsQuestion, pool: SyntheticPool): [Buffer, DnsAsked['outcome']] => {
  if (question.type !== address) return [writeDnsAnswer(question, rcodes.noError), 'allowed'];
  const given = pool.addressOf(question.name);
  if (given === null) return [writeDnsAnswer(question, rcodes.servFail), 'full'];
  return [writeDnsAnswer(question, rcodes.noError, { address: given, ttl: allowedTtl }), 'allowed'];
};

const answerQuestion = (question: DnsQuestion, { decideName, pool }: DnsWorld): [Buffer, DnsAsked['outcome']] => {
  if (reservedName(question.name)) return [writeDnsAnswer(question, rcodes.nxDomain, undefined, true), 'reserved'];
  if (decideName(question.name) === 'allowed') return answerAllowed(question, pool);
  // No time to live: a name that becomes allowed is to be found at once.
  const record = question.type === address ? { address: refusedAddress, ttl: 0 } : undefined;
  return [writeDnsAnswer(question, rcodes.noError, record), 'blocked'];
};

/** Answers one message, of UDP or of one frame of TCP; always in fewer than 512 bytes. */
export const answerDns = (packet: Buffer, world: DnsWorld): DnsAnswer => {
  const question = readDnsQuestion(packet);
  if (question.state === 'drop') return { answer: null, asked: null };
  if (question.state === 'fault') return { answer: writeDnsFault(question), asked: null };
  if (question.edns !== null && question.edns !== 0) return { answer: writeDnsAnswer(question, rcodes.badVers), asked: null };
  const [answer, outcome] = answerQuestion(question, world);
  return { answer, asked: { name: question.name, type: typeNames[question.type] ?? `TYPE${question.type}`, outcome } };
};
