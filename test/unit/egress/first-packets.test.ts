// J06: 100,000 random and mutated first packets go through every reader that the bytes of a sandbox meet. They come from a generator of
// our own, whose seed a failure tells, because making them one by one with fast-check would take longer than reading them.
import { encode, type Packet } from 'dns-packet';
import { expect, test } from 'vitest';
import { createBodyFramer } from '../../../sandbox-engine/egress/body-framer.ts';
import { answerDns } from '../../../sandbox-engine/egress/dns-answer.ts';
import { readHttpHead } from '../../../sandbox-engine/egress/read-http-head.ts';
import { readProxyHeader } from '../../../sandbox-engine/egress/read-proxy-header.ts';
import { readResponseHead } from '../../../sandbox-engine/egress/read-response-head.ts';
import { readTarget } from '../../../sandbox-engine/egress/read-target.ts';
import { sniffClientHello } from '../../../sandbox-engine/egress/sniff-tls.ts';
import { createSyntheticPool } from '../../../sandbox-engine/egress/synthetic-pool.ts';
import { writeRequestHead, writeResponseHead } from '../../../sandbox-engine/egress/write-head.ts';
import { chromiumHello } from './chromium-hello.ts';
import { extension, hello, helloBody, inRecordsOf, message, nameEntry, serverName } from './client-hello.ts';
import { cpuMs } from './cpu-time.ts';

const packets = 100_000;
const mostMs = 10_000;

/** Numbers from 0 to below `limit`, the same ones for the same seed. */
const createRandom = (seed: number) => {
  let state = seed;
  return (limit: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
};

const named = (name: string) => hello({ extensions: [serverName(nameEntry(name)), extension(0x0a0a, Buffer.alloc(0))] });
const seeds = [
  Buffer.alloc(0),
  Buffer.alloc(64, 0x16),
  chromiumHello(),
  named('allowed.test'),
  inRecordsOf(7, message(helloBody({ extensions: [serverName(nameEntry('allowed.test'))] }))),
  Buffer.from('802e0103010015000000100100800300800700c0', 'hex'),
  Buffer.from('GET / HTTP/1.1\r\nHost: plain.test\r\nConnection: keep-alive\r\n\r\n'),
  Buffer.from(
    'POST http://plain.test/x?y HTTP/1.1\r\nHost: plain.test\r\nTransfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n0\r\nX: y\r\n\r\n',
  ),
  Buffer.from('CONNECT allowed.test:443 HTTP/1.1\r\nHost: allowed.test:443\r\nProxy-Authorization: Basic eA==\r\n\r\n'),
  Buffer.from('PUT /x HTTP/1.0\r\nHost: plain.test\r\nContent-Length: 5\r\n\r\nhello'),
  Buffer.from('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n'),
  Buffer.from('0d0a0d0a000d0a515549540a2111000cc6120102c6120102d43101bb', 'hex'),
  encode({ type: 'query', id: 7, questions: [{ name: 'allowed.test', type: 'A' }], additionals: [] } as unknown as Packet),
  Buffer.from('SSH-2.0-OpenSSH_9.2\r\n'),
];

const makePacket = (random: (limit: number) => number): Buffer => {
  const seed = seeds[random(seeds.length)] as Buffer;
  const bytes = Buffer.from(
    seed.length === 0 ? Buffer.alloc(random(200)) : seed.subarray(0, random(4) === 0 ? random(seed.length + 1) : seed.length),
  );
  const changes = seed.length === 0 ? bytes.length : random(6);
  for (let count = 0; count < changes && bytes.length > 0; count++) bytes[random(bytes.length)] = random(256);
  return bytes;
};

type Counts = Record<string, number>;
const pool = createSyntheticPool();
const asked = { method: 'GET', version: '1.1', upgrade: null } as const;

const readRequest = (bytes: Buffer): string => {
  const head = readHttpHead(bytes);
  if (head.state !== 'head') return head.state;
  const target = readTarget(head, { mode: 'explicit' });
  const direct = readTarget(head, { mode: 'transparent', port: 80 });
  if (direct.ok && direct.form === 'http') writeRequestHead(head, direct);
  createBodyFramer(head.framing).push(bytes.subarray(head.headBytes));
  return target.ok || direct.ok ? 'target' : 'no target';
};

const readResponse = (bytes: Buffer): string => {
  const head = readResponseHead(bytes, asked);
  if (head.state !== 'head') return head.state;
  writeResponseHead(head, { keepAlive: true });
  createBodyFramer(head.framing).push(bytes.subarray(head.headBytes));
  return head.kind;
};

const readAll = (bytes: Buffer, counts: Counts): void => {
  const outcomes = [
    `tls ${sniffClientHello(bytes).state}`,
    `http ${readRequest(bytes)}`,
    `answer ${readResponse(bytes)}`,
    `proxy ${readProxyHeader(bytes).state}`,
    `dns ${answerDns(bytes, { decideName: () => 'allowed', pool }).asked?.outcome ?? 'none'}`,
  ];
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
};

test(`J06: ${packets} first packets are read without a fault, in time, and reach every kind of answer`, () => {
  const seed = Date.now() & 0x7fffffff;
  const random = createRandom(seed);
  const counts: Counts = {};
  let last = Buffer.alloc(0);
  const began = cpuMs();
  try {
    for (let count = 0; count < packets; count++) {
      last = makePacket(random) as typeof last;
      readAll(last, counts);
    }
  } catch (cause) {
    throw new Error(`seed ${seed}, packet ${last.toString('hex')}`, { cause });
  }
  const tookMs = cpuMs() - began;
  const wanted = ['tls more', 'tls not_tls', 'tls hello', 'tls bad', 'http more', 'http bad', 'http target', 'http no target'];
  const alsoWanted = ['answer more', 'answer bad', 'answer final', 'proxy more', 'proxy bad', 'proxy header', 'dns none', 'dns allowed'];
  expect([...wanted, ...alsoWanted].filter((outcome) => (counts[outcome] ?? 0) < 20)).toEqual([]);
  expect(tookMs).toBeLessThan(mostMs);
}, 30_000);
