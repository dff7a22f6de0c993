import { decode, encode, type Packet } from 'dns-packet';
import { expect, test } from 'vitest';
import { answerDns } from '../../../sandbox-engine/egress/dns-answer.ts';
import { createSyntheticPool, refusedAddress, type SyntheticPool } from '../../../sandbox-engine/egress/synthetic-pool.ts';

const decideName = (name: string): 'allowed' | 'blocked' => (/(^|\.)allowed\.test$/.test(name) ? 'allowed' : 'blocked');
const ednsRecord = { type: 'OPT', name: '.', udpPayloadSize: 1232, flags: 0, options: [] };
const query = (name: string, type: string, change: object = {}): Buffer =>
  encode({ type: 'query', id: 7, flags: 0x100, questions: [{ name, type }], additionals: [ednsRecord], ...change } as unknown as Packet);

interface Seen {
  id: number;
  rcode: string;
  flag_qr: boolean;
  questions: { name: string }[];
  answers: { name: string; ttl: number; data: string }[];
  additionals: { extendedRcode: number; options: { code: number; data: Buffer }[] }[];
}

/** What an asker sees of the answer, by another library's reading. */
const ask = (packet: Buffer, pool: SyntheticPool = createSyntheticPool()) => {
  const { answer, asked } = answerDns(packet, { decideName, pool });
  if (answer === null) throw new Error('There is no answer.');
  const read = decode(answer) as unknown as Seen;
  return { ...read, options: read.additionals.flatMap(({ options }) => options), asked, length: answer.length };
};

test('an allowed name has an address of the pool for at most 5 seconds', () => {
  const pool = createSyntheticPool();
  const seen = ask(query('a.allowed.test', 'A'), pool);
  expect(seen).toMatchObject({ id: 7, rcode: 'NOERROR', flag_qr: true, asked: { name: 'a.allowed.test', type: 'A', outcome: 'allowed' } });
  expect(seen.answers).toMatchObject([{ name: 'a.allowed.test', type: 'A', data: pool.addressOf('a.allowed.test'), ttl: 5 }]);
});

test('a refused name has the one address of the refused, takes none of the pool, and is not kept', () => {
  const pool = createSyntheticPool();
  const seen = ask(query('evil.test', 'A'), pool);
  expect(seen).toMatchObject({ rcode: 'NOERROR', answers: [{ data: refusedAddress, ttl: 0 }], asked: { outcome: 'blocked' } });
  expect(pool.entries()).toEqual([]);
});

test.each(['AAAA', 'TXT', 'MX', 'SRV', 'CAA', 'NS', 'SOA', 'ANY', 'NULL', 'UNKNOWN_65', 'UNKNOWN_64', 'CNAME', 'UNKNOWN_4711'])(
  'C06 C08: %s is empty, for allowed and refused names alike',
  (type) => {
    const pool = createSyntheticPool();
    const given = ['allowed.test', 'evil.test'].map((name) => ask(query(name, type), pool));
    expect(given.map(({ rcode, answers }) => [rcode, answers])).toEqual([
      ['NOERROR', []],
      ['NOERROR', []],
    ]);
    expect(pool.entries()).toEqual([]);
  },
);

test.each([
  ['UNKNOWN_28', 'AAAA'],
  ['UNKNOWN_65', 'HTTPS'],
  ['UNKNOWN_4711', 'TYPE4711'],
])('the type %s is called %s', (type, called) => {
  expect(ask(query('allowed.test', type)).asked?.type).toBe(called);
});

test.each([
  'localhost',
  'x.localhost',
  'printer.local',
  '_http._tcp.local',
  'registry',
  'host.docker.internal',
  'metadata.google.internal',
])('C23: the reserved name %s does not exist, and the answer says that it is blocked', (name) => {
  const { rcode, answers, options, asked } = ask(query(name, 'A')) as ReturnType<typeof ask> & {
    options: { code: number; data: Buffer }[];
  };
  expect([rcode, answers, options.map(({ code }) => code), asked?.outcome]).toEqual(['NXDOMAIN', [], [15], 'reserved']);
  expect([options[0]?.data.readUInt16BE(0), options[0]?.data.toString('latin1', 2)]).toEqual([
    15,
    'Blocked by the network policy of this sandbox.',
  ]);
});

test('an asker without EDNS gets none', () => {
  expect(ask(query('localhost', 'A', { additionals: [] }))).toMatchObject({ rcode: 'NXDOMAIN', additionals: [] });
  expect(ask(query('allowed.test', 'A', { additionals: [] }))).toMatchObject({ rcode: 'NOERROR', additionals: [] });
});

test('the name comes back as it was written, and is judged in its one spelling', () => {
  const seen = ask(query('aLLowed.TesT', 'A'));
  expect([seen.questions[0]?.name, seen.asked?.name, seen.asked?.outcome]).toEqual(['aLLowed.TesT', 'allowed.test', 'allowed']);
});

test('C15: when the pool is full a new name fails, and the old ones stay', () => {
  const pool = createSyntheticPool();
  const first = ask(query('allowed.test', 'A'), pool).answers;
  for (let at = 0; at < 5000; at++) pool.addressOf(`x${at}.allowed.test`);
  expect(ask(query('late.allowed.test', 'A'), pool)).toMatchObject({ rcode: 'SERVFAIL', answers: [], asked: { outcome: 'full' } });
  expect(ask(query('allowed.test', 'A'), pool).answers).toEqual(first);
});

test.each(['IXFR', 'AXFR', 'TKEY', 'TSIG', 'OPT'])('C04: %s is refused', (type) => {
  expect(ask(query('allowed.test', type))).toMatchObject({ rcode: 'REFUSED', answers: [], asked: null });
});

test.each([
  ['STATUS', 2],
  ['NOTIFY', 4],
  ['UPDATE', 5],
])('C04: the operation %s is not done', (_, opcode) => {
  expect(ask(query('allowed.test', 'A', { flags: 0x100 | (opcode << 11) }))).toMatchObject({ rcode: 'NOTIMP', asked: null });
});

test('another class than that of the internet is refused', () => {
  expect(ask(query('version.bind', 'TXT', { questions: [{ name: 'version.bind', type: 'TXT', class: 'CH' }] }))).toMatchObject({
    rcode: 'REFUSED',
  });
});

test('another version of EDNS than ours is told so', () => {
  const { additionals, answers } = ask(query('allowed.test', 'A', { additionals: [{ ...ednsRecord, ednsVersion: 1 }] }));
  expect([additionals[0]?.extendedRcode, answers]).toEqual([1, []]);
});

test('the longest answer fits into 512 bytes', () => {
  const label = 'a'.repeat(49);
  expect(ask(query(`${`${label}.`.repeat(4)}${'b'.repeat(45)}.local`, 'A')).length).toBeLessThan(512);
});
