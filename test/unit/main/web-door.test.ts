import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { openWebDoor, type WebDoor } from '../../../main/web/server.ts';
import { errorBody } from '../../../sandbox-engine/contract/errors.ts';
import { type SmallHost, startSmallHost } from './small-host.ts';

const page = '<!doctype html><title>page</title>';

const open = async (): Promise<SmallHost & { door: WebDoor; bearer: string }> => {
  const small = await startSmallHost();
  const rendererFolder = join(small.dataFolder, 'page');
  await mkdir(join(rendererFolder, 'assets'), { recursive: true });
  await writeFile(join(rendererFolder, 'index.html'), page);
  await writeFile(join(rendererFolder, 'assets', 'a.js'), '1');
  const door = await openWebDoor({ host: small.host, rendererFolder });
  return { ...small, door, bearer: (await readFile(join(small.dataFolder, 'api-token'), 'utf8')).trim() };
};

interface Asked {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Sends a request as it is written: fetch would mend `Host` and `Origin`. */
const ask = async (port: number, { method = 'GET', path, headers = {}, body }: Asked) =>
  await new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; text: string }>((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text: Buffer.concat(parts).toString() }));
    });
    asked.on('error', reject);
    asked.end(body);
  });

const errorIn = (text: string) => errorBody.parse((JSON.parse(text) as { error: unknown }).error);

const logIn = async (door: WebDoor): Promise<string> => {
  const { headers } = await ask(door.port, { path: new URL(door.newUrl()).pathname + new URL(door.newUrl()).search });
  return String(headers['set-cookie']?.[0]).split(';')[0] ?? '';
};

const call = (bearer: string, name: string, body: string, headers: Record<string, string> = {}): Asked => ({
  method: 'POST',
  path: `/api/v1/call/${name}`,
  headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json', ...headers },
  body,
});

test('a port that is taken is refused when it was asked for, and another one is taken when it was only remembered', async () => {
  const { door, host, dataFolder } = await open();
  const rendererFolder = join(dataFolder, 'page');
  await expect(openWebDoor({ host, rendererFolder, port: door.port })).rejects.toMatchObject({ code: 'invalid_request' });
  const second = await openWebDoor({ host, rendererFolder });
  expect(second.port).not.toBe(door.port);
});

describe('a browser', () => {
  test('a one-time token becomes a strict cookie, leaves the address, and works once', async () => {
    const { door } = await open();
    const path = door.newUrl().slice(`http://127.0.0.1:${door.port}`.length);
    const first = await ask(door.port, { path });
    const cookie = String(first.headers['set-cookie']?.[0]);
    expect([first.status, first.headers['location']]).toEqual([303, '/']);
    expect(cookie).toMatch(/; HttpOnly; SameSite=Strict; Path=\//);
    expect((await ask(door.port, { path })).status).toBe(401);
    const again = await ask(door.port, { path: '/', headers: { cookie: cookie.split(';')[0] ?? '' } });
    expect([again.status, again.text]).toEqual([200, page]);
  });

  test.each([
    ['no cookie', ''],
    ['a cookie that somebody made up', 'sandlot_PORT=9999999999999.abc.def'],
    ['an empty cookie', 'sandlot_PORT='],
    ['a cookie under another name', 'other=1'],
  ])('with %s no page, no file and no call is answered', async (_case, cookie) => {
    const { door } = await open();
    const headers = { cookie: cookie.replace('PORT', String(door.port)) };
    const paths = ['/', '/assets/a.js', '/nowhere', '/api/v1/call/templates.list', '/?token=wrong', '/?token='];
    const answers = await Promise.all(paths.map(async (path) => await ask(door.port, { path, headers })));
    expect(answers.map((answer) => [answer.status, errorIn(answer.text).code])).toEqual(paths.map(() => [401, 'unauthorized']));
  });

  test('every answer carries the content policy, also a refusal', async () => {
    const { door, bearer } = await open();
    const answers = await Promise.all([
      ask(door.port, { path: '/' }),
      ask(door.port, { path: '/', headers: { host: 'evil.example' } }),
      ask(door.port, { path: '/assets/a.js', headers: { authorization: `Bearer ${bearer}` } }),
      ask(door.port, { path: '/api/v1/nothing', headers: { authorization: `Bearer ${bearer}` } }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([401, 403, 200, 404]);
    for (const { headers } of answers) {
      expect(headers['content-security-policy']).toMatch(
        /^default-src 'none'; script-src 'self'; style-src 'self' 'nonce-[\w+/=]{24}' 'sha256-[\w+/=]+'; style-src-attr 'none'; /,
      );
      expect(headers['content-security-policy']).not.toContain('unsafe');
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'; base-uri 'none'; form-action 'none'");
      expect(headers['x-content-type-options']).toBe('nosniff');
    }
  });

  test('a route of the page is the page, a missing file is not', async () => {
    const { door } = await open();
    const cookie = await logIn(door);
    const [route, file, outside] = await Promise.all([
      ask(door.port, { path: '/environments/env_1', headers: { cookie } }),
      ask(door.port, { path: '/assets/missing.js', headers: { cookie } }),
      ask(door.port, { path: '/..%2f..%2fapi-token', headers: { cookie } }),
    ]);
    expect([route.text, file.status]).toEqual([page, 404]);
    expect(outside.text).not.toMatch(/^[0-9a-f]{64}/);
  });
});

describe('a program', () => {
  test('the bearer token is for its owner only', async () => {
    const { dataFolder } = await open();
    expect((await stat(join(dataFolder, 'api-token'))).mode & 0o777).toBe(0o600);
  });

  test.each<[string, (bearer: string) => Asked, number, string]>([
    ['a foreign Host', (bearer) => call(bearer, 'templates.list', '{}', { host: 'evil.example' }), 403, 'forbidden'],
    ['a foreign Origin', (bearer) => call(bearer, 'templates.list', '{}', { origin: 'https://evil.example' }), 403, 'forbidden'],
    ['a wrong token', () => call('0'.repeat(64), 'templates.list', '{}'), 401, 'unauthorized'],
    ['an empty token', () => call('', 'templates.list', '{}'), 401, 'unauthorized'],
    ['a body that is not JSON', (bearer) => call(bearer, 'templates.list', '{'), 400, 'invalid_request'],
    ['a form', (bearer) => call(bearer, 'templates.list', 'a=1', { 'content-type': 'text/plain' }), 415, 'invalid_request'],
    ['a wrong type', (bearer) => call(bearer, 'setup.check', '{"script":1}'), 400, 'invalid_request'],
    ['a missing argument', (bearer) => call(bearer, 'setup.check', '{}'), 400, 'invalid_request'],
    ['a list', (bearer) => call(bearer, 'setup.check', '[1]'), 400, 'invalid_request'],
    ['an unknown call', (bearer) => call(bearer, 'setup.chek', '{}'), 404, 'unknown_call'],
    ['1.5 MB', (bearer) => call(bearer, 'setup.check', JSON.stringify({ script: 'x'.repeat(1_500_000) })), 413, 'too_large'],
    ['10 MB', (bearer) => call(bearer, 'setup.check', JSON.stringify({ script: 'x'.repeat(10_000_000) })), 413, 'too_large'],
  ])('%s is refused in the error shape and reaches no handler', async (_case, asked, status, code) => {
    const { door, bearer, seen } = await open();
    const answer = await ask(door.port, asked(bearer));
    expect([answer.status, errorIn(answer.text).code, seen]).toEqual([status, code, []]);
  });

  test('a call is answered', async () => {
    const { door, bearer } = await open();
    const answer = await ask(door.port, call(bearer, 'setup.check', '{"script":"true"}'));
    expect([answer.status, JSON.parse(answer.text)]).toEqual([200, { ok: true, value: { script: 'true', size: 4, warnings: [] } }]);
  });
});

const openSocket = async (door: WebDoor, headers: Record<string, string>, path = '/api/v1/socket') =>
  await new Promise<WebSocket | number>((resolve) => {
    const socket = new WebSocket(`ws://127.0.0.1:${door.port}${path}`, { headers });
    onTestFinished(() => socket.terminate());
    socket.once('open', () => resolve(socket));
    socket.on('error', () => undefined);
    socket.once('unexpected-response', (_request, answer) => resolve(answer.statusCode ?? 0));
  });

const nextMessage = async (socket: WebSocket) =>
  await new Promise<Record<string, unknown>>((resolve) =>
    socket.once('message', (data) => resolve(JSON.parse(String(data)) as Record<string, unknown>)),
  );

describe('the web socket', () => {
  test.each<[string, (door: WebDoor, bearer: string, cookie: string) => Record<string, string>, number | 'open']>([
    ['our page with its cookie', (door, _bearer, cookie) => ({ cookie, origin: `http://127.0.0.1:${door.port}` }), 'open'],
    ['a program with the token', (_door, bearer) => ({ authorization: `Bearer ${bearer}` }), 'open'],
    ['a cookie without an origin', (_door, _bearer, cookie) => ({ cookie }), 403],
    ['a foreign page with our cookie', (_door, _bearer, cookie) => ({ cookie, origin: 'https://evil.example' }), 403],
    ['a page on another loopback port', (_door, _bearer, cookie) => ({ cookie, origin: 'http://127.0.0.1:1' }), 403],
    ['a rebound name', (_door, bearer) => ({ authorization: `Bearer ${bearer}`, host: 'evil.example' }), 403],
    ['nobody', (door) => ({ origin: `http://127.0.0.1:${door.port}` }), 401],
  ])('%s: %#', async (_case, headers, expected) => {
    const { door, bearer } = await open();
    const socket = await openSocket(door, headers(door, bearer, await logIn(door)));
    expect(typeof socket === 'number' ? socket : 'open').toBe(expected);
  });

  test('another path has no socket', async () => {
    const { door, bearer } = await open();
    expect(await openSocket(door, { authorization: `Bearer ${bearer}` }, '/other')).toBe(403);
  });

  test.each<[string, string | Buffer, unknown, string]>([
    ['garbage', 'hello', null, 'invalid_request'],
    ['half a frame', '{"id":1,"name":', null, 'invalid_request'],
    ['a list', '[1]', null, 'invalid_request'],
    ['null', 'null', null, 'invalid_request'],
    ['binary', Buffer.from([0, 1, 2]), null, 'invalid_request'],
    ['no id', '{"name":"templates.list","input":{}}', null, 'invalid_request'],
    ['no name', '{"id":1}', 1, 'invalid_request'],
    ['a name of the wrong type', '{"id":1,"name":7}', 1, 'invalid_request'],
    ['an input of the wrong type', '{"id":1,"name":"setup.check","input":"x"}', 1, 'invalid_request'],
    ['an unknown call', '{"id":"a","name":"nothing.here","input":{}}', 'a', 'unknown_call'],
    ['a 10 MB string', JSON.stringify({ id: 1, name: 'setup.check', input: { script: 'x'.repeat(10_000_000) } }), 1, 'too_large'],
  ])('%s gets a typed answer and the same socket goes on', async (_case, sent, id, code) => {
    const { door, bearer, seen } = await open();
    const socket = (await openSocket(door, { authorization: `Bearer ${bearer}` })) as WebSocket;
    const answered = nextMessage(socket);
    socket.send(sent);
    const answer = await answered;
    expect([answer['id'], (answer['reply'] as { error: { code: string } }).error.code, seen]).toEqual([id, code, []]);
    const alive = nextMessage(socket);
    socket.send('{"id":2,"name":"templates.list","input":{}}');
    expect(await alive).toEqual({ id: 2, reply: { ok: true, value: { items: [] } } });
  });

  test('a message beyond all bounds ends that socket only', async () => {
    const { door, bearer } = await open();
    const headers = { authorization: `Bearer ${bearer}` };
    const [rude, polite] = (await Promise.all([openSocket(door, headers), openSocket(door, headers)])) as [WebSocket, WebSocket];
    const closed = new Promise((resolve) => rude.once('close', resolve));
    rude.send('x'.repeat(20_000_000));
    expect(await closed).toBe(1009);
    const alive = nextMessage(polite);
    polite.send('{"id":2,"name":"templates.list","input":{}}');
    expect((await alive)['id']).toBe(2);
  });

  test('events come without being asked for, and the host closes its sockets', async () => {
    const { door, bearer, bus, host } = await open();
    const socket = (await openSocket(door, { authorization: `Bearer ${bearer}` })) as WebSocket;
    const heard = nextMessage(socket);
    bus.emit('notice', { level: 'info', message: 'hello' });
    expect(await heard).toEqual({ event: { seq: 1, name: 'notice', payload: { level: 'info', message: 'hello' } } });
    const closed = new Promise((resolve) => socket.once('close', resolve));
    await host.close();
    expect(await closed).toBe(1001);
  });
});
