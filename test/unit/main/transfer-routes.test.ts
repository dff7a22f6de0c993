import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { openWebDoor } from '../../../main/web/server.ts';
import { attachmentHeader } from '../../../main/web/transfer-routes.ts';
import { SandlotError } from '../../../sandbox-engine/base/errors.ts';
import type { Handlers } from '../../../sandbox-engine/index.ts';
import { startSmallHost } from './small-host.ts';

const id = `xfr_${'0'.repeat(26)}`;
const sha = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** One transfer in memory: what is in `out` is read, what is written comes into `came`. */
const openTransfer = async (out: Buffer, failsAt = Number.POSITIVE_INFINITY) => {
  const seen = { at: 0, came: [] as Buffer[], deeds: [] as string[] };
  const handlers: Partial<Handlers> = {
    'transfers.get': async () => ({ id, name: 'ü "1".dat', kind: 'file', size: out.length, moved: seen.at, ended: false, note: null }),
    'transfers.read': async ({ max_bytes = 524_288 }) => {
      if (seen.at >= failsAt) throw new SandlotError('runtime_error', 'It became shorter while it was read.');
      const bytes = out.subarray(seen.at, seen.at + max_bytes);
      seen.at += bytes.length;
      return { data: bytes.toString('base64'), ended: seen.at >= out.length, note: null };
    },
    'transfers.write': async ({ data }) => {
      seen.came.push(Buffer.from(data, 'base64'));
      return { ok: true };
    },
    'transfers.finish': async () => {
      seen.deeds.push('finished');
      return { path: '/workspace/x' };
    },
    'transfers.cancel': async () => {
      seen.deeds.push('cancelled');
      return { ok: true };
    },
  };
  const { host, dataFolder } = await startSmallHost(undefined, () => handlers);
  const door = await openWebDoor({ host, rendererFolder: dataFolder });
  const bearer = (await readFile(join(dataFolder, 'api-token'), 'utf8')).trim();
  const begin = (method: string, headers: Record<string, string> = { authorization: `Bearer ${bearer}` }) => {
    const asked = request({
      ...{ host: '127.0.0.1', port: door.port, path: `/api/v1/transfers/${id}`, method },
      headers: { ...headers, ...(method === 'POST' ? { 'content-type': 'application/octet-stream' } : {}) },
    });
    onTestFinished(() => void asked.destroy());
    const answer = new Promise<IncomingMessage>((resolve, reject) => asked.once('response', resolve).once('error', reject));
    answer.catch(() => undefined);
    return { asked, answer };
  };
  return { seen, begin };
};

test('a download is whole, has its size and name, and waits for whoever reads it', async () => {
  const out = randomBytes(40_000_000);
  const { seen, begin } = await openTransfer(out);
  const { asked, answer } = begin('GET');
  asked.end();
  const got = await answer;
  const { 'content-length': size, 'content-disposition': name, 'content-type': type } = got.headers;
  expect([got.statusCode, size, type]).toEqual([200, '40000000', 'application/octet-stream']);
  expect(name).toBe(`attachment; filename="_ _1_.dat"; filename*=UTF-8''%C3%BC%20%221%22.dat`);
  // Nobody has read a byte: what is under way is what the sockets hold, and then it stands still.
  const places = [-1];
  await expect.poll(() => places.push(seen.at) > 0 && places.at(-2) === seen.at, { interval: 200 }).toBe(true);
  expect(seen.at).toBeLessThan(20_000_000);
  expect(sha(await buffer(got))).toBe(sha(out));
  expect(seen.deeds).toEqual([]);
});

test('a download that fails on its way breaks off, and one that is given up is cancelled', async () => {
  const out = randomBytes(30_000_000);
  const failing = await openTransfer(out, 5_000_000);
  const first = failing.begin('GET');
  first.asked.end();
  await expect(buffer(await first.answer)).rejects.toThrow();
  const left = await openTransfer(out);
  const second = left.begin('GET');
  second.asked.end();
  (await second.answer).destroy();
  await expect.poll(() => left.seen.deeds).toEqual(['cancelled']);
  expect(left.seen.at).toBeLessThan(out.length);
});

test('an upload is whole and in pieces that a call holds; one that is cut off is cancelled', async () => {
  const bytes = randomBytes(3_000_001);
  const { seen, begin } = await openTransfer(Buffer.alloc(0));
  const whole = begin('POST');
  whole.asked.end(bytes);
  expect(JSON.parse((await buffer(await whole.answer)).toString())).toEqual({ ok: true, value: { path: '/workspace/x' } });
  expect([sha(Buffer.concat(seen.came)), seen.came.length, seen.deeds]).toEqual([sha(bytes), 6, ['finished']]);
  const cut = begin('POST');
  cut.asked.setHeader('content-length', 2_000_000);
  cut.asked.write(bytes.subarray(0, 1_000_000));
  await expect.poll(() => seen.came.length).toBe(7);
  cut.asked.destroy();
  await expect.poll(() => seen.deeds).toEqual(['finished', 'cancelled']);
});

test('bytes are for those who are known', async () => {
  const { seen, begin } = await openTransfer(randomBytes(10));
  for (const method of ['GET', 'POST']) {
    const { asked, answer } = begin(method, {});
    asked.end();
    expect((await answer).statusCode).toBe(401);
  }
  expect([seen.at, seen.came]).toEqual([0, []]);
});

test.each([
  ['a.txt', `attachment; filename="a.txt"; filename*=UTF-8''a.txt`],
  ['a\r\nx: y', `attachment; filename="a__x: y"; filename*=UTF-8''a%0D%0Ax%3A%20y`],
  ["it's (1)*.txt", `attachment; filename="it's (1)*.txt"; filename*=UTF-8''it%27s%20%281%29%2A.txt`],
  ['\ud800', `attachment; filename="_"; filename*=UTF-8''%EF%BF%BD`],
])('the name %j is told as %s', (name, header) => expect(attachmentHeader(name)).toBe(header));
