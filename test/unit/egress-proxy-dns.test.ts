import { decode, encode } from 'dns-packet';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { tls } from '../egress/corpus/row.ts';
import { askDns, askDnsRaw, connectGate, lookUp } from '../egress/gate-client.ts';
import { buildWorld, type World } from '../egress/world.ts';

let world: World;
let folder: string;
let count = 0;
let sandboxId: string;

beforeAll(async () => {
  world = await buildWorld({ limits: { tellMs: 10 } });
});
afterAll(async () => {
  await world.close();
});
beforeEach(async () => {
  count += 1;
  sandboxId = `ses_dns${count}`;
  folder = await world.openSandbox(sandboxId);
  world.questions.length = 0;
});

const rcodeOf = (message: Buffer | null): number | null => (message === null ? null : (message[3] ?? 0) & 15);
const nxDomain = 3;
const formErr = 1;
const servFail = 2;

test('C01: a refused name has the one address of all refused names, and nobody is asked', async () => {
  expect([await lookUp(folder, 'blocked.test'), await lookUp(folder, 'other.evil.test')]).toEqual(['198.18.0.2', '198.18.0.2']);
  expect(world.questions).toEqual([]);
});

test('an allowed name has an address of its own, always the same', async () => {
  const first = await lookUp(folder, 'allowed.test');
  expect(first).toMatch(/^198\.1[89]\./);
  expect(await lookUp(folder, 'ALLOWED.test.')).toBe(first);
  expect(await lookUp(folder, 'big.test')).not.toBe(first);
});

test('C02: names that carry data are counted, asked of nobody, and do not flood the log', async () => {
  const names = Array.from({ length: 1_000 }, (_, index) => `data-${index}.blocked.test`);
  const messages = names.map((name) => encode({ type: 'query', id: 1, flags: 256, questions: [{ type: 'TXT', name }] }));
  await askDnsRaw(folder, messages);
  const attempts = await world.attempted(sandboxId, (list) => list.reduce((sum, attempt) => sum + attempt.count, 0) === 1_000);
  expect(attempts.length).toBeLessThan(700);
  expect(new Set(attempts.map(({ verdict, protocol, reason }) => `${verdict} ${protocol} ${reason}`))).toEqual(
    new Set(['blocked dns no_rule']),
  );
  expect(world.questions).toEqual([]);
});

test.each(['TXT', 'MX', 'SRV', 'ANY', 'CAA', 'NULL', 'AAAA'] as const)('C06, C08: %s of an allowed name is empty', async (type) => {
  const { answers, rcode } = (await askDns(folder, 'allowed.test', type)) as { answers?: unknown[]; rcode?: string };
  expect([answers, rcode]).toEqual([[], 'NOERROR']);
});

test.each(['localhost', 'printer.local', 'host.docker.internal', 'metadata.google.internal', 'registry'])(
  'the reserved name %s does not exist',
  async (name) => {
    const [answer] = await askDnsRaw(folder, [encode({ type: 'query', id: 1, flags: 256, questions: [{ type: 'A', name }] })]);
    expect(rcodeOf(answer ?? null)).toBe(nxDomain);
    expect(await world.attempted(sandboxId, (list) => list.length > 0)).toMatchObject([
      { host: name, port: null, protocol: 'dns', reason: 'special_address' },
    ]);
  },
);

test('C09: a question alone reaches nobody, a connection asks once', async () => {
  await Promise.all(Array.from({ length: 50 }, (_, index) => lookUp(folder, `data${index}.allowed.test`)));
  expect(world.questions).toEqual([]);
  const connection = connectGate(folder, { ip: (await lookUp(folder, 'a.b.allowed.test')) ?? '', port: 443 });
  connection.send(tls('a.b.allowed.test'));
  await connection.until((text) => text.includes('\n'));
  expect(world.questions).toEqual(['a.b.allowed.test']);
  connection.socket.destroy();
});

test('C15: beyond four thousand names no new one gets an address, and the older keep theirs', async () => {
  const first = await lookUp(folder, 'n0.allowed.test');
  const messages = Array.from({ length: 6_000 }, (_, index) =>
    encode({ type: 'query', id: 1, flags: 256, questions: [{ type: 'A', name: `n${index}.allowed.test` }] }),
  );
  const answers = await askDnsRaw(folder, messages);
  expect(answers.filter((answer) => rcodeOf(answer) === 0)).toHaveLength(4_096);
  expect(rcodeOf(answers.at(-1) ?? null)).toBe(servFail);
  expect(await lookUp(folder, 'n0.allowed.test')).toBe(first);
});

const question = (labels: Buffer, more: { flags?: number; count?: number } = {}): Buffer => {
  const head = Buffer.alloc(12);
  head.writeUInt16BE(9, 0);
  head.writeUInt16BE(more.flags ?? 0x0100, 2);
  head.writeUInt16BE(more.count ?? 1, 4);
  return Buffer.concat([head, labels, Buffer.from([0, 1, 0, 1])]);
};
const label = (text: string): Buffer => Buffer.concat([Buffer.from([text.length]), Buffer.from(text, 'latin1')]);
const zero = Buffer.from([0]);

test.each([
  ['a name that points at itself', question(Buffer.from([0xc0, 12]))],
  ['two questions', question(Buffer.concat([label('allowed'), label('test'), zero]), { count: 2 })],
  ['65,535 questions', question(Buffer.concat([label('allowed'), label('test'), zero]), { count: 65_535 })],
  ['a zero byte in a label', question(Buffer.concat([label('evil.test\0'), label('allowed'), label('test'), zero]))],
  ['a line end in a label', question(Buffer.concat([label('a\r\nb'), label('test'), zero]))],
  ['a quote in a label', question(Buffer.concat([label('a"b'), label('test'), zero]))],
  ['an escape in a label', question(Buffer.concat([label('a\x1bb'), label('test'), zero]))],
])('C16, C17: %s is a malformed message', async (_what, message) => {
  const [answer] = await askDnsRaw(folder, [message]);
  expect(rcodeOf(answer ?? null)).toBe(formErr);
  expect(await lookUp(folder, 'allowed.test')).not.toBeNull();
});

test.each([
  ['an answer', question(Buffer.concat([label('allowed'), label('test'), zero]), { flags: 0x8180 })],
  ['one byte', Buffer.from([1])],
])('C16: %s gets no answer, and the next question does', async (_what, message) => {
  const [answer] = await askDnsRaw(
    folder,
    [message, encode({ type: 'query', id: 7, flags: 256, questions: [{ type: 'A', name: 'allowed.test' }] })],
    1,
  );
  expect(decode(answer as Buffer).id).toBe(7);
});

test.each([
  ['NOTIFY', 4],
  ['UPDATE', 5],
  ['IQUERY', 1],
])('C04: %s is refused', async (_what, opcode) => {
  const [answer] = await askDnsRaw(folder, [question(Buffer.concat([label('allowed'), label('test'), zero]), { flags: opcode << 11 })]);
  expect(rcodeOf(answer ?? null)).not.toBe(0);
});

test('C16: 64 KiB of a message harm nobody', async () => {
  await askDnsRaw(
    folder,
    [Buffer.alloc(65_535, 0xff), encode({ type: 'query', id: 7, flags: 256, questions: [{ type: 'A', name: 'allowed.test' }] })],
    1,
  );
  expect(await lookUp(folder, 'allowed.test')).not.toBeNull();
});

test('C18: an address that was given before does not open what is denied now', async () => {
  const ip = (await lookUp(folder, 'allowed.test')) ?? '';
  await world.setPolicy(sandboxId, { version: 'v1', rules: [] });
  const connection = connectGate(folder, { ip, port: 443 });
  connection.send(tls('allowed.test'));
  await connection.closed();
  expect(await world.attempted(sandboxId, (list) => list.length > 0)).toMatchObject([
    { host: 'allowed.test', reason: 'no_rule', policy_revision: 2 },
  ]);
});

test('a name that was asked for and then tried is written down once', async () => {
  const connection = connectGate(folder, { ip: (await lookUp(folder, 'blocked.test')) ?? '', port: 443 });
  connection.send(tls('blocked.test'));
  await connection.closed();
  await lookUp(folder, 'evil.test');
  const attempts = await world.attempted(sandboxId, (list) => list.length === 2);
  expect(attempts.map(({ host, protocol }) => `${host} ${protocol}`)).toEqual(['blocked.test tls', 'evil.test dns']);
});

test('a connection that says no name is that of the name which was asked for', async () => {
  const connection = connectGate(folder, { ip: (await lookUp(folder, 'blocked.test')) ?? '', port: 22 });
  connection.send('SSH-2.0-client\r\n');
  await connection.closed();
  expect(await world.attempted(sandboxId, (list) => list.length > 0)).toMatchObject([
    { host: 'blocked.test', port: 22, reason: 'no_rule' },
  ]);
});

test('a name that only a tcp rule allows has an address', async () => {
  expect(await lookUp(folder, 'ssh.test')).toMatch(/^198\.1[89]\.(?!0\.2$)/);
});
