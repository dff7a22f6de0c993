import { encode, type Packet } from 'dns-packet';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { answerDns } from '../../../sandbox-engine/egress/dns-answer.ts';
import { createDnsFrames, frameDns } from '../../../sandbox-engine/egress/dns-frames.ts';
import { readDnsQuestion } from '../../../sandbox-engine/egress/read-dns-question.ts';
import { createSyntheticPool } from '../../../sandbox-engine/egress/synthetic-pool.ts';
import { cpuMs } from './cpu-time.ts';

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');
const header = (counts = '0001 0000 0000 0000', flags = '0100'): string => `0007 ${flags} ${counts}`;
const label = (text: string): string => Buffer.from([text.length, ...Buffer.from(text, 'latin1')]).toString('hex');
const named = (...labels: string[]): string => `${labels.map(label).join('')}00`;
const question = (name: string): string => `${name} 0001 0001`;
const allowed = named('allowed', 'test');
const oneOpt = '0001 0000 0000 0001';
const opt = (options = '', length = options.replaceAll(' ', '').length / 2): string =>
  `00 0029 04d0 00000000 ${length.toString(16).padStart(4, '0')} ${options}`;

test('a question is read', () => {
  expect(readDnsQuestion(hex(`${header()} ${question(allowed)}`))).toEqual({
    ...{ state: 'question', id: 7, recursionDesired: true, asWritten: 'allowed.test', name: 'allowed.test', type: 1, edns: null },
  });
});

test.each([
  ['a name of 253 characters', `${header()} ${question(named('a'.repeat(63), 'b'.repeat(63), 'c'.repeat(63), 'd'.repeat(61)))}`],
  ['an empty OPT', `${header(oneOpt)} ${question(allowed)} ${opt()}`],
  ['a cookie and padding', `${header(oneOpt)} ${question(allowed)} ${opt('000a 0008 0102030405060708 000c 0003 000000')}`],
  ['an unknown option', `${header(oneOpt)} ${question(allowed)} ${opt('fde9 0001 ff')}`],
])('read: %s', (_, text) => {
  expect(readDnsQuestion(hex(text)).state).toBe('question');
});

const formErr = { state: 'fault', rcode: 1 };

test.each([
  ['A15: a NUL in a label', `${header()} ${question(named('evil-test\0', 'allowed', 'test'))}`, formErr],
  ['a dot inside a label', `${header()} ${question(named('evil.test', 'allowed', 'test'))}`, formErr],
  ['C17: CR LF in a label', `${header()} ${question(named('a\r\nb', 'allowed', 'test'))}`, formErr],
  ['C17: a quote in a label', `${header()} ${question(named('a"b', 'allowed', 'test'))}`, formErr],
  ['C17: an escape in a label', `${header()} ${question(named('\x1b[0m', 'allowed', 'test'))}`, formErr],
  ['A12: UTF-8 in a label', `${header()} ${question(named('\u00c3\u00a4', 'test'))}`, formErr],
  ['a bracket', `${header()} ${question(named('[', 'test'))}`, formErr],
  ['an address as the name', `${header()} ${question(named('1', '2', '3', '4'))}`, formErr],
  ['an odd address as the name', `${header()} ${question(named('127', '1'))}`, formErr],
  ['the root', `${header()} ${question('00')}`, formErr],
  [
    'A10: a name of 255 characters',
    `${header()} ${question(named('a'.repeat(63), 'b'.repeat(63), 'c'.repeat(63), 'd'.repeat(62)))}`,
    formErr,
  ],
  ['A10: a name of a hundred labels', `${header()} ${question(named(...Array.from({ length: 200 }, () => 'aaa')))}`, formErr],
  ['a label of 64', `${header()} 40${'61'.repeat(64)}00 0001 0001`, formErr],
  ['C16: a pointer to itself', `${header()} c00c 0001 0001`, formErr],
  ['C16: a pointer back into the name', `${header()} 0161c00c 0001 0001`, formErr],
  ['C16: a pointer to the header', `${header()} 0161c000 0001 0001`, formErr],
  ['C16: QDCOUNT 0', `${header('0000 0000 0000 0000')}`, formErr],
  ['C16: QDCOUNT 2', `${header('0002 0000 0000 0000')} ${question(allowed)} ${question(allowed)}`, formErr],
  ['C16: QDCOUNT 65535', `${header('ffff 0000 0000 0000')} ${question(allowed)}`, formErr],
  ['an answer in the question', `${header('0001 0001 0000 0000')} ${question(allowed)}`, formErr],
  ['an authority in the question', `${header('0001 0000 0001 0000')} ${question(allowed)}`, formErr],
  ['two additional records', `${header('0001 0000 0000 0002')} ${question(allowed)} ${opt()} ${opt()}`, formErr],
  ['an additional record that is no OPT', `${header(oneOpt)} ${question(allowed)} 00 0001 0001 00000000 0000`, formErr],
  ['an OPT that is missing', `${header(oneOpt)} ${question(allowed)}`, formErr],
  ['an OPT with a name', `${header(oneOpt)} ${question(allowed)} 0161 ${opt()}`, formErr],
  ['an OPT that is longer than the message', `${header(oneOpt)} ${question(allowed)} ${opt('', 4)}`, formErr],
  ['an option that is longer than its OPT', `${header(oneOpt)} ${question(allowed)} ${opt('000a 0009 01')}`, formErr],
  ['half an option', `${header(oneOpt)} ${question(allowed)} ${opt('000a 00')}`, formErr],
  ['bytes after the question', `${header()} ${question(allowed)} 00`, formErr],
  ['bytes after the OPT', `${header(oneOpt)} ${question(allowed)} ${opt()} 00`, formErr],
  ['a question without its class', `${header()} ${allowed} 0001 00`, formErr],
  ['a name without its end', `${header()} 0761`, formErr],
  ['a truncated query', `${header(undefined, '0300')} ${question(allowed)}`, formErr],
  ['C16: 64 KiB', `${header()} ${question(allowed)} ${'00'.repeat(65_000)}`, formErr],
  ['only a header', header(), formErr],
  ['C16: a reply', `${header(undefined, '8100')} ${question(allowed)}`, { state: 'drop' }],
  ['C16: one byte', '00', { state: 'drop' }],
  ['C16: nothing', '', { state: 'drop' }],
  ['C16: 11 bytes', header().replaceAll(' ', '').slice(0, 22), { state: 'drop' }],
])('bad: %s', (_, text, expected) => {
  const given = readDnsQuestion(hex(text));
  expect(given).toMatchObject(expected);
  const { answer, asked } = answerDns(hex(text), { decideName: () => 'allowed', pool: createSyntheticPool() });
  expect(asked).toBeNull();
  // Of what was sent, only the id and the operation come back.
  expect(answer?.toString('hex') ?? 'drop').toBe(given.state === 'drop' ? 'drop' : '000781810000000000000000');
});

const real = (['allowed.test', 'a.b.evil.test', 'localhost'] as const).flatMap((name) =>
  (['A', 'AAAA', 'AXFR'] as const).map((type) =>
    encode({
      type: 'query',
      id: 7,
      flags: 0x100,
      questions: [{ name, type }],
      additionals: [{ type: 'OPT', name: '.', udpPayloadSize: 1232, flags: 0, options: [] }],
    } as unknown as Packet),
  ),
);
const mutated = fc
  .tuple(
    fc.constantFrom(...real),
    fc.array(fc.tuple(fc.nat(80), fc.nat(255)), { maxLength: 5 }),
    fc.option(fc.nat(80)),
    fc.uint8Array({ maxLength: 20 }),
  )
  .map(([seed, changes, end, tail]) => {
    const bytes = Buffer.concat([seed.subarray(0, end ?? seed.length), tail]);
    for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
    return bytes;
  });

test('any bytes get an answer with their id, or none, and only proper names are asked', () => {
  const pool = createSyntheticPool();
  fc.assert(
    fc.property(
      fc.oneof(
        mutated,
        fc.uint8Array({ maxLength: 80 }).map((bytes) => Buffer.from(bytes)),
      ),
      (packet) => {
        const { answer, asked } = answerDns(packet, { decideName: () => 'allowed', pool });
        if (answer !== null) expect([answer.readUInt16BE(0), answer.readUInt16BE(2) >> 15]).toEqual([packet.readUInt16BE(0), 1]);
        if (asked !== null) expect(asked.name).toMatch(/^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?$/);
      },
    ),
    { numRuns: 3000 },
  );
});

test('messages come out of a stream as they went in, however it is cut', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 8 }), fc.array(fc.nat(400), { maxLength: 12 }), (given, places) => {
      const messages = given.map((bytes) => Buffer.from(bytes));
      const stream = Buffer.concat(messages.map(frameDns));
      const frames = createDnsFrames();
      const edges = [0, ...places.filter((place) => place < stream.length).sort((a, b) => a - b), stream.length];
      const got = edges.slice(1).flatMap((edge, at) => {
        const piece = Buffer.from(stream.subarray(edges[at], edge));
        const some = frames.push(piece);
        // What was pushed is read into again by others.
        piece.fill(0xff);
        return some;
      });
      expect(got).toEqual(messages);
    }),
    { numRuns: 300 },
  );
});

test('a message of 64 KiB that comes byte by byte is collected in linear time', () => {
  const frames = createDnsFrames();
  const stream = frameDns(Buffer.alloc(65_535, 1));
  const began = cpuMs();
  const got = [...stream].flatMap((byte) => frames.push(Buffer.from([byte])));
  expect(got.map((message) => message.length)).toEqual([65_535]);
  expect(cpuMs() - began).toBeLessThan(2000);
});
