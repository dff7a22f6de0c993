import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createHelloSniffer, mostHelloBytes, sniffClientHello } from '../../../sandbox-engine/egress/sniff-tls.ts';
import { chromiumHello } from './chromium-hello.ts';
import { extension, hello, helloBody, inRecordsOf, message, nameEntry, serverName, vector } from './client-hello.ts';
import { cpuMs } from './cpu-time.ts';

const allowed = serverName(nameEntry('allowed.test'));
const _bad = (detail: string) => ({ state: 'bad', reason: 'malformed_client_hello', detail });
const _tooLong = { state: 'bad', reason: 'limit_exceeded', detail: 'The ClientHello is longer than 16384 bytes.' };
const _named = (sni: string | null, ech = false) => ({ state: 'hello', sni, ech });
const grease = (value: number) => extension(value, Buffer.alloc(value === 0x0a0a ? 0 : 1));
const keyShare = extension(51, vector(2, Buffer.concat([Buffer.from('11ec', 'hex'), vector(2, Buffer.alloc(1216, 9))])));

/** The first answer that is not `more` when the bytes come cut at these places. */
const answerInPieces = (bytes: Buffer, cuts: number[]) => {
  const sniff = createHelloSniffer();
  for (const cut of cuts) {
    const answer = sniff(bytes.subarray(0, cut));
    if (answer.state !== 'more') return answer;
  }
  return sniff(bytes);
};

const body = message(helloBody({ extensions: [grease(0x1a1a), keyShare, allowed] }));
const seeds = [
  chromiumHello(),
  hello({ extensions: [allowed] }),
  inRecordsOf(3, body),
  inRecordsOf(200, body),
  hello({ extensions: null }),
];
const mutated = fc
  .tuple(
    fc.constantFrom(...seeds),
    fc.array(fc.tuple(fc.nat(2200), fc.nat(255)), { maxLength: 6 }),
    fc.option(fc.nat(2200)),
    fc.uint8Array({ maxLength: 40 }),
  )
  .map(([seed, changes, end, tail]) => {
    const bytes = Buffer.concat([seed.subarray(0, end ?? seed.length), tail]);
    for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
    return bytes;
  });
const anyBytes = fc.oneof(
  mutated,
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
);

test('wherever the bytes are cut, the answer is the same', () => {
  fc.assert(
    fc.property(anyBytes, fc.array(fc.nat(2300), { maxLength: 20 }), (bytes, cuts) => {
      expect(
        answerInPieces(
          bytes,
          cuts.sort((a, b) => a - b),
        ),
      ).toEqual(sniffClientHello(bytes));
    }),
    { numRuns: 2000 },
  );
});

test('one byte at a time gives the same answer too', () => {
  for (const bytes of seeds) expect(answerInPieces(bytes, [...bytes.keys()])).toEqual(sniffClientHello(bytes));
});

test('`more` always ends at the bound', () => {
  const filler = fc.constantFrom(Buffer.alloc(mostHelloBytes), Buffer.alloc(mostHelloBytes, 0x16), inRecordsOf(1, Buffer.alloc(4000, 1)));
  fc.assert(
    fc.property(mutated, filler, (bytes, rest) => {
      const state = sniffClientHello(Buffer.concat([bytes, rest]).subarray(0, mostHelloBytes)).state;
      expect(state).not.toBe('more');
    }),
    { numRuns: 500 },
  );
});

test('a hello in records of one byte that comes byte by byte is read once, not once a byte', () => {
  const bytes = inRecordsOf(1, message(helloBody({ extensions: [allowed, extension(21, Buffer.alloc(2_400))] })));
  expect(bytes.length).toBeLessThan(mostHelloBytes);
  const began = cpuMs();
  const ends = Array.from(bytes, (_byte, at) => at + 1);
  expect(answerInPieces(bytes, ends)).toMatchObject({ state: 'hello', sni: 'allowed.test' });
  expect(cpuMs() - began).toBeLessThan(1_000);
});
