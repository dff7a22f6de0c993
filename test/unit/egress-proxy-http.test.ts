import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { connectTo, get, through } from '../egress/corpus/row.ts';
import { connectGate, explicitProxy, type GateConnection, lookUp } from '../egress/gate-client.ts';
import { tokensOf } from '../egress/run-row.ts';
import { bigBody as big, scripted, sha256 as sha } from '../egress/scripted-server.ts';
import { buildWorld, type World } from '../egress/world.ts';

let world: World;
let folder: string;
let count = 0;
let sandboxId: string;

beforeAll(async () => {
  world = await buildWorld({ limits: { tellMs: 10, lingerMs: 500 }, answers: { 'big.test': scripted } });
});
afterAll(async () => {
  await world.close();
});
beforeEach(async () => {
  count += 1;
  sandboxId = `ses_http${count}`;
  folder = await world.openSandbox(sandboxId);
});

const straight = async (name = 'big.test'): Promise<GateConnection> =>
  connectGate(folder, { ip: (await lookUp(folder, name)) ?? '', port: 80 });
const ask = async (path: string, more = 'Connection: close\r\n'): Promise<string> => {
  const connection = await straight();
  connection.send(get(path, 'big.test', more));
  const text = await connection.closed();
  return text;
};
const bodyOf = (text: string): string => text.slice(text.indexOf('\r\n\r\n') + 4);

test.each(['/099', '/wide', '/nul', '/interims', '/two-lengths', '/unasked-switch', '/leaves'])(
  'D32: the wrong answer %s is a 502',
  async (path) => {
    const text = await ask(path);
    expect(tokensOf(text).at(-1)).toBe('502');
    expect(text).toContain('X-Sandlot-Reason: upstream_failed');
    expect(await world.attempted(sandboxId, (list) => list.length > 0)).toMatchObject([
      { verdict: 'blocked', reason: 'upstream_failed', host: 'big.test' },
    ]);
  },
);

test('D31: a redirect is passed back and not followed', async () => {
  const text = await ask('/metadata');
  expect(text).toMatch(/^HTTP\/1\.1 302 Found\r\n[\s\S]*Location: http:\/\/169\.254\.169\.254\//);
});

test('D30: what belongs to this hop stays here', async () => {
  const secret =
    'Proxy-Authorization: Basic c2VjcmV0\r\nProxy-Connection: keep-alive\r\nConnection: close, x-private\r\nX-Private: 1\r\nTE: trailers\r\nX-Kept: 1\r\n';
  const seen = bodyOf(await ask('/echo', secret));
  expect(seen.toLowerCase().split('\r\n')).toEqual(['get /echo http/1.1', 'host: big.test', 'x-kept: 1', 'connection: close', '', '']);
});

test('D10: chunks arrive without their extensions and trailers', async () => {
  const connection = await straight();
  connection.send(
    'POST /echo HTTP/1.1\r\nHost: big.test\r\nTransfer-Encoding: chunked\r\nTrailer: Host\r\n\r\n5;a=b\r\nhello\r\n0\r\nHost: evil.test\r\nContent-Length: 3\r\n\r\n',
  );
  const text = await connection.until((all) => all.includes('\r\n0\r\n\r\n'));
  expect(bodyOf(bodyOf(text))).toBe('5\r\nhello\r\n0\r\n\r\n');
  expect(text).not.toContain('evil.test');
  connection.socket.destroy();
});

test('bodies pass whole, both ways, on one kept connection', async () => {
  const connection = await straight();
  connection.send(`POST /digest HTTP/1.1\r\nHost: big.test\r\nContent-Length: ${big.length}\r\n\r\n`);
  connection.send(big);
  await connection.until((text) => text.includes(sha(big.toString('latin1'))));
  connection.send(get('/big', 'big.test', 'Connection: close\r\n'));
  const text = await connection.closed();
  expect(sha(text.slice(text.lastIndexOf('\r\n\r\n', text.length - big.length) + 4))).toBe(sha(big.toString('latin1')));
});

test.each([
  ['/chunks', '5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n'],
  ['/until-close', 'all of it'],
  ['/no-content', ''],
])('the body of %s is passed on', async (path, body) => {
  expect(bodyOf(await ask(path))).toBe(body);
});

test('an answer that is cut short does not look whole', async () => {
  const connection = await straight();
  connection.send(get('/cut', 'big.test'));
  expect(bodyOf(await connection.closed())).toBe('half');
});

test('HEAD is answered without a body and the connection stays', async () => {
  const connection = await straight('blocked.test');
  connection.send('HEAD / HTTP/1.1\r\nHost: blocked.test\r\n\r\nHEAD / HTTP/1.1\r\nHost: blocked.test\r\n\r\n');
  const text = await connection.until((all) => tokensOf(all).length === 2);
  expect(text.split('\r\n\r\n')).toHaveLength(3);
  connection.socket.destroy();
});

test('early hints go on to the client', async () => {
  expect(tokensOf(await ask('/hints'))).toEqual(['103', '200']);
});

test('a client that waits for 100 is answered by the server, not by us', async () => {
  const connection = await straight();
  connection.send('POST /digest HTTP/1.1\r\nHost: big.test\r\nExpect: 100-continue\r\nContent-Length: 5\r\nConnection: close\r\n\r\n');
  await new Promise<void>((resolve) => {
    world.sinks.get('big.test')?.onBytes(resolve);
  });
  connection.send('hello');
  expect(bodyOf(await connection.closed())).toBe(sha('hello'));
});

test('an answer that comes before the body was sent ends the connection', async () => {
  const connection = await straight();
  connection.send('POST /early HTTP/1.1\r\nHost: big.test\r\nContent-Length: 1000000\r\n\r\nhello');
  const text = await connection.closed();
  expect(text).toMatch(/^HTTP\/1\.1 413 [\s\S]*Connection: close/);
});

test('a client that has ended its side still gets its answer', async () => {
  const connection = await straight();
  connection.send(get('/big', 'big.test'));
  connection.socket.end();
  expect(bodyOf(await connection.closed())).toHaveLength(big.length);
});

test('requests in one packet are answered in their order', async () => {
  const connection = connectGate(folder, explicitProxy);
  connection.send(
    ['/hello', '/chunks', '/hello'].map((path) => get(`http://big.test${path}`, 'big.test')).join('') +
      get('http://plain.test/', 'plain.test'),
  );
  const text = await connection.until((all) => all.includes('http:plain.test'));
  expect(text.match(/hello\r?\n?|http:plain\.test/g)?.map((found) => found.trim())).toEqual(['hello', 'hello', 'hello', 'http:plain.test']);
  connection.socket.destroy();
});

test('a server that has closed a kept connection is asked again', async () => {
  const connection = await straight();
  connection.send(get('/hello', 'big.test'));
  await connection.until((text) => text.endsWith('hello'));
  for (const socket of world.sinks.get('big.test')?.sockets ?? []) socket.end();
  connection.send(get('/hello', 'big.test'));
  expect(tokensOf(await connection.until((text) => tokensOf(text).length === 2))).toEqual(['200', '200']);
  connection.socket.destroy();
});

test('D39: two sandboxes never share a connection', async () => {
  const other = await world.openSandbox(`${sandboxId}_other`);
  const sink = world.sinks.get('big.test');
  const before = sink?.connections() ?? 0;
  const first = await straight();
  const second = connectGate(other, { ip: (await lookUp(other, 'big.test')) ?? '', port: 80 });
  const third = await straight();
  for (const connection of [first, second, third, first]) {
    const had = tokensOf(connection.text()).length;
    connection.send(get('/hello', 'big.test'));
    await connection.until((text) => tokensOf(text).length > had && text.endsWith('hello'));
  }
  expect((sink?.connections() ?? 0) - before).toBe(3);
  for (const connection of [first, second, third]) connection.socket.destroy();
});

test('a refusal says what was refused, by which rule, and the rule that would allow it', async () => {
  const connection = connectGate(folder, explicitProxy);
  connection.send(connectTo('blocked.test:443'));
  const text = await connection.closed();
  expect(text).toMatch(/^HTTP\/1\.1 403 Forbidden \(Sandlot: no_rule\)\r\n/);
  for (const line of ['X-Sandlot-Reason: no_rule', 'X-Sandlot-Host: blocked.test', 'X-Sandlot-Port: 443', 'X-Sandlot-Rule: no rule'])
    expect(text).toContain(line);
  expect(text).toContain('{"action":"allow","hosts":["blocked.test"],"ports":[443]}');
});

test('a host that does not answer is a 502 to CONNECT', async () => {
  world.answers.set('big.test', [{ ok: true, addresses: ['20.9.9.9'], ttlSeconds: 0 }]);
  const connection = connectGate(folder, explicitProxy);
  connection.send(connectTo('big.test:443'));
  expect(await connection.closed()).toMatch(/^HTTP\/1\.1 502 [\s\S]*X-Sandlot-Reason: upstream_failed/);
  world.answers.clear();
});

test('D37: the body of a refused request is not read', async () => {
  const connection = connectGate(folder, explicitProxy);
  connection.send('POST http://blocked.test/ HTTP/1.1\r\nHost: blocked.test\r\nContent-Length: 2147483648\r\n\r\n');
  let sent = 0;
  const more = () => {
    while (!connection.socket.destroyed && sent < 50_000_000 && connection.socket.write(big)) sent += big.length;
  };
  connection.socket.on('drain', more);
  more();
  expect(await connection.closed()).toMatch(/^HTTP\/1\.1 403 /);
  expect(sent).toBeLessThan(20_000_000);
});

test('bytes through a tunnel are counted', async () => {
  const connection = connectGate(folder, explicitProxy);
  const [connect] = through('ssh.test:22');
  connection.send(connect as string);
  await connection.until((text) => text.includes('established'));
  connection.send('12345');
  await connection.until((text) => text.includes('tcp:ssh.test\n'));
  connection.socket.end();
  expect(await world.attempted(sandboxId, (list) => list.length > 0)).toMatchObject([
    {
      verdict: 'allowed',
      protocol: 'tcp',
      mode: 'explicit',
      host: 'ssh.test',
      port: 22,
      rule: 3,
      bytes_sent: 5,
      bytes_received: 13,
      count: 1,
    },
  ]);
});
