import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { decode, encode, type Packet } from 'dns-packet';
import { afterEach, expect, test } from 'vitest';
import { type Answer, createResolve, readHosts, rememberAnswers } from '../../../sandbox-engine/egress/resolve.ts';

let server: Socket | null = null;
afterEach(() => {
  server?.close();
  server = null;
});

/** A name server that writes down what it is asked. */
const startNameServer = async (
  answer: (name: string, type: string) => Partial<Packet> | null,
): Promise<{ address: string; asked: string[] }> => {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  server = socket;
  socket.on('message', (bytes, peer) => {
    const packet = decode(bytes);
    const [question] = packet.questions ?? [];
    asked.push(`${question?.type} ${question?.name}`);
    const more = answer(question?.name ?? '', question?.type ?? '');
    if (more !== null)
      socket.send(encode({ type: 'response', id: packet.id ?? 0, questions: packet.questions ?? [], ...more }), peer.port, peer.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { address: `127.0.0.1:${socket.address().port}`, asked };
};

const a = (name: string, address: string, ttl = 60): Partial<Packet> => ({ answers: [{ type: 'A', name, data: address, ttl }] });

test('A23, C21: a name is asked for as it is, with no search domain behind it, and once', async () => {
  const { address, asked } = await startNameServer((name) => a(name, '20.0.0.1'));
  expect(await createResolve(1_000, [address])('allowed.test')).toEqual({ ok: true, addresses: ['20.0.0.1'], ttlSeconds: 60 });
  expect(asked).toEqual(['A allowed.test']);
});

test('a name without IPv4 is asked for IPv6', async () => {
  const { address, asked } = await startNameServer((name, type) =>
    type === 'AAAA' ? { answers: [{ type: 'AAAA', name, data: '2606:4700::1', ttl: 5 }] } : {},
  );
  expect(await createResolve(1_000, [address])('six.test')).toMatchObject({ ok: true, addresses: ['2606:4700::1'] });
  expect(asked).toEqual(['A six.test', 'AAAA six.test']);
});

const servFail = 2;
const nxDomain = 3;

test.each([
  ['a server that fails', servFail, /failed for x\.test/],
  ['a name that does not exist', nxDomain, /x\.test has no address/],
])('%s is an answer in words', async (_what, flags, words) => {
  const { address } = await startNameServer(() => ({ flags }));
  expect(await createResolve(1_000, [address])('x.test')).toEqual({ ok: false, detail: expect.stringMatching(words) });
});

test('a silent server is given up', async () => {
  const { address } = await startNameServer(() => null);
  const began = performance.now();
  expect(await rememberAnswers(createResolve(400, [address]), 400)('x.test')).toMatchObject({ ok: false });
  expect(performance.now() - began).toBeLessThan(5_000);
});

test('the hosts file of this computer comes first', async () => {
  const [own] = [...readHosts(readFileSync('/etc/hosts', 'utf8'))].filter(([name]) => name.includes('.') || name === 'localhost');
  const { address, asked } = await startNameServer((name) => a(name, '20.0.0.1'));
  expect(await createResolve(1_000, [address])(own?.[0] ?? 'localhost')).toEqual({ ok: true, addresses: own?.[1], ttlSeconds: 0 });
  expect(asked).toEqual([]);
});

test('a hosts file is read name by name', () => {
  const text = '# comment\n10.0.0.1\tone.test ONE # tail\n\nnot-an-address two.test\n::1 one.test\n10.0.0.2 three.test.\n';
  expect([...readHosts(text)]).toEqual([
    ['one.test', ['10.0.0.1', '::1']],
    ['one', ['10.0.0.1']],
    ['three.test', ['10.0.0.2']],
  ]);
});

const counting = (answers: Answer[]): { resolve: (name: string) => Promise<Answer>; asked: () => number } => {
  let asked = 0;
  return {
    resolve: async () => {
      asked += 1;
      return answers.shift() ?? { ok: false, detail: 'used up' };
    },
    asked: () => asked,
  };
};

test('an answer is kept for as long as it holds', async () => {
  const { resolve, asked } = counting([{ ok: true, addresses: ['20.0.0.1'], ttlSeconds: 60 }]);
  const remember = rememberAnswers(resolve, 1_000);
  expect([await remember('a.test'), await remember('a.test')]).toMatchObject([{ ok: true }, { ok: true }]);
  expect(asked()).toBe(1);
});

test('an answer that holds for no time is asked for again', async () => {
  const { resolve } = counting([
    { ok: true, addresses: ['20.0.0.1'], ttlSeconds: 0 },
    { ok: true, addresses: ['127.0.0.1'], ttlSeconds: 0 },
  ]);
  const remember = rememberAnswers(resolve, 1_000);
  expect([await remember('a.test'), await remember('a.test')]).toMatchObject([{ addresses: ['20.0.0.1'] }, { addresses: ['127.0.0.1'] }]);
});

test('a failure is not kept, and those who ask together ask once', async () => {
  const { resolve, asked } = counting([
    { ok: false, detail: 'broken' },
    { ok: true, addresses: ['20.0.0.1'], ttlSeconds: 60 },
  ]);
  const remember = rememberAnswers(resolve, 1_000);
  expect(await Promise.all([remember('a.test'), remember('a.test')])).toMatchObject([{ ok: false }, { ok: false }]);
  expect(await remember('a.test')).toMatchObject({ ok: true });
  expect(asked()).toBe(2);
});
