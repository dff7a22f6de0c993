import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { NetworkPolicy } from '../../sandbox-engine/contract/model/network.ts';
import { connectTo, get, through, tls } from '../egress/corpus/row.ts';
import { connectGate, explicitProxy, type GateConnection, lookUp } from '../egress/gate-client.ts';
import { tokensOf } from '../egress/run-row.ts';
import { bigBody, scripted } from '../egress/scripted-server.ts';
import { buildWorld, type World } from '../egress/world.ts';
import { policyP1 } from '../egress/world-policy.ts';

let world: World;
let folder: string;
let count = 0;
let sandboxId: string;
const nothing: NetworkPolicy = { version: 'v1', rules: [] };

beforeAll(async () => {
  world = await buildWorld({ limits: { tellMs: 10 }, answers: { 'big.test': scripted } });
});
afterAll(async () => {
  await world.close();
});
beforeEach(async () => {
  count += 1;
  sandboxId = `ses_life${count}`;
  folder = await world.openSandbox(sandboxId);
});

const openTunnel = async (authority: string): Promise<GateConnection> => {
  const connection = connectGate(folder, explicitProxy);
  connection.send(connectTo(authority));
  await connection.until((text) => text.includes('established'));
  return connection;
};
const openTls = async (name: string, at = folder): Promise<GateConnection> => {
  const connection = connectGate(at, { ip: (await lookUp(at, name)) ?? '', port: 443 });
  connection.send(tls(name));
  await connection.until((text) => text.includes('\n'));
  return connection;
};
const isRefused = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(path);
    socket.on('connect', () => resolve(false)).on('error', () => resolve(true));
    socket.on('connect', () => socket.destroy());
  });

test('the sockets are there while the sandbox is open, and gone after', async () => {
  expect([existsSync(join(folder, 'proxy.sock')), existsSync(join(folder, 'dns.sock'))]).toEqual([true, true]);
  const connection = await openTls('allowed.test');
  await world.proxy.close(sandboxId);
  await connection.closed();
  expect([existsSync(join(folder, 'proxy.sock')), existsSync(join(folder, 'dns.sock'))]).toEqual([false, false]);
});

test('what passes is counted while it passes and when it is over, for its own sandbox', async () => {
  const connection = await openTls('allowed.test');
  const open = await world.proxy.traffic(sandboxId);
  expect([(open?.sent ?? 0) > 0, (open?.received ?? 0) > 0]).toEqual([true, true]);
  connection.end();
  await connection.closed();
  await expect.poll(() => world.proxy.traffic(sandboxId)).toEqual(open);
  await world.openSandbox(`${sandboxId}_other`);
  expect(await world.proxy.traffic(`${sandboxId}_other`)).toEqual({ sent: 0, received: 0 });
  await world.proxy.close(sandboxId);
  expect(await world.proxy.traffic(sandboxId)).toBeNull();
});

test.each([
  ['null', null],
  ['rules without a version', { rules: [] }],
  ['another version', { version: 'v2', rules: [] }],
  ['a list', []],
  ['a host that cannot be read', { version: 'v1', rules: [{ action: 'deny', hosts: ['a..b'] }] }],
])('J09, J10: %s as a policy opens no socket', async (_what, policy) => {
  await expect(world.openSandbox(`${sandboxId}_bad`, policy as unknown as NetworkPolicy)).rejects.toThrow('cannot be read');
});

test('J10: {} is open but for the floor, and empty rules are closed', async () => {
  const open = await world.openSandbox(`${sandboxId}_open`, {});
  const anyone = await openTls('evil.test', open);
  expect(anyone.text()).toBe('tls:evil.test\n');
  anyone.socket.destroy();
  const here = connectGate(open, explicitProxy);
  here.send(connectTo(`127.0.0.1:${world.canaryPort}`));
  expect(tokensOf(await here.closed())).toEqual(['403']);
  const closed = await world.openSandbox(`${sandboxId}_closed`, nothing);
  const nobody = connectGate(closed, explicitProxy);
  nobody.send(connectTo('allowed.test:443'));
  expect(tokensOf(await nobody.closed())).toEqual(['403']);
});

test('under {} other protocols pass too', async () => {
  const open = await world.openSandbox(`${sandboxId}_open`, {});
  const connection = connectGate(open, { ip: (await lookUp(open, 'ssh.test')) ?? '', port: 2222 });
  connection.send('SSH-2.0-client\r\n');
  expect(await connection.until((text) => text.includes('\n'))).toBe('tcp:ssh.test\n');
  connection.socket.destroy();
});

test('J07: what is no longer allowed is closed within a second: an idle tunnel, a download, a WebSocket', async () => {
  const idle = await openTls('allowed.test');
  const download = connectGate(folder, { ip: (await lookUp(folder, 'big.test')) ?? '', port: 80 });
  download.socket.pause();
  download.send(get('/big', 'big.test'));
  const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: x\r\n';
  const socket = connectGate(folder, { ip: (await lookUp(folder, 'plain.test')) ?? '', port: 80 });
  socket.send(get('/', 'plain.test', upgrade));
  await socket.until((text) => tokensOf(text).includes('101'));
  const stays = await openTunnel('ssh.test:22');
  await world.attempted(sandboxId, (list) => list.some(({ host }) => host === 'big.test'));

  const began = performance.now();
  const sshOnly: NetworkPolicy = { version: 'v1', rules: [{ action: 'allow', hosts: ['ssh.test'], ports: [22], protocol: 'tcp' }] };
  expect(await world.setPolicy(sandboxId, sshOnly)).toEqual({ closed: 3 });
  download.socket.resume();
  await Promise.all([idle.closed(), download.closed(), socket.closed()]);
  expect(performance.now() - began).toBeLessThan(1_000);
  expect(download.text().length).toBeLessThan(bigBody.length);
  const attempts = await world.attempted(sandboxId, (list) => list.filter(({ duration_ms }) => duration_ms !== null).length >= 3);
  const cut = attempts.filter(({ reason }) => reason === 'policy_changed').map(({ host, verdict }) => `${host} ${verdict}`);
  expect(cut.sort()).toEqual(['allowed.test blocked', 'big.test blocked', 'plain.test blocked']);
  stays.send('still');
  expect(await stays.until((text) => text.includes('tcp:'))).toContain('tcp:ssh.test');
  stays.socket.destroy();
});

test.each([
  [
    'private addresses',
    [{ action: 'allow', hosts: ['corp.test'], allow_private: true }],
    [{ action: 'allow', hosts: ['corp.test'] }],
    'corp.test:443',
  ],
  [
    'unseen bytes',
    [{ action: 'allow', hosts: ['ssh.test'], ports: [22], protocol: 'tcp' }],
    [{ action: 'allow', hosts: ['ssh.test'], ports: [22] }],
    'ssh.test:22',
  ],
] as const)('a tunnel is closed when its rule takes back %s', async (_what, before, after, authority) => {
  world.answers.set('corp.test', [{ ok: true, addresses: ['10.1.2.3'], ttlSeconds: 0 }]);
  await world.setPolicy(sandboxId, { version: 'v1', rules: [...before] } as unknown as NetworkPolicy);
  const connection = await openTunnel(authority);
  expect(await world.setPolicy(sandboxId, { version: 'v1', rules: [...after] } as unknown as NetworkPolicy)).toEqual({ closed: 1 });
  await connection.closed();
  world.answers.clear();
});

test('J08: what is allowed now is written down with the new revision', async () => {
  await world.setPolicy(sandboxId, { version: 'v1', rules: [{ action: 'allow', hosts: ['evil.test'] }] }, { revision: 9 });
  const connection = await openTls('evil.test');
  connection.socket.end();
  expect(await world.attempted(sandboxId, (list) => list.length > 0)).toMatchObject([
    { host: 'evil.test', verdict: 'allowed', rule: 0, policy_revision: 9 },
  ]);
});

test('a policy that cannot be read closes the sandbox', async () => {
  await expect(world.setPolicy(sandboxId, { rules: [] } as unknown as NetworkPolicy)).rejects.toThrow('cannot be read');
  expect(await isRefused(join(folder, 'proxy.sock'))).toBe(true);
});

test('a grant opens what the policy blocks, until it ends, and then closes it', async () => {
  const until = new Date(Date.now() + 1_500).toISOString();
  const grants = [{ rule: { action: 'allow' as const, hosts: ['evil.test'] }, until, endsAt: Number.POSITIVE_INFINITY }];
  await world.setPolicy(sandboxId, policyP1, { grants });
  const connection = await openTls('evil.test');
  expect(connection.text()).toBe('tls:evil.test\n');
  await connection.closed();
  expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(until));
  expect(await world.attempted(sandboxId, (list) => list.some(({ reason }) => reason === 'policy_changed'))).toMatchObject([
    { host: 'evil.test', rule: null },
  ]);
  expect(await lookUp(folder, 'evil.test')).toBe('198.18.0.2');
});

test('G20: each socket has the policy of its own sandbox', async () => {
  const other = await world.openSandbox(`${sandboxId}_other`, { version: 'v1', rules: [{ action: 'allow', hosts: ['evil.test'] }] });
  const connection = connectGate(other, explicitProxy);
  connection.send(through('allowed.test:443')[0] as string);
  expect(tokensOf(await connection.closed())).toEqual(['403']);
  const own = await openTls('evil.test', other);
  expect(own.text()).toBe('tls:evil.test\n');
  own.socket.destroy();
});

test('a worker that dies takes everything with it, and comes back with the same policies and addresses', async () => {
  await world.setPolicy(sandboxId, { version: 'v1', rules: [{ action: 'allow', hosts: ['evil.test'] }] });
  const ip = (await lookUp(folder, 'evil.test')) ?? '';
  const connection = await openTls('evil.test');
  await world.proxy.crash();
  expect(await isRefused(join(folder, 'proxy.sock'))).toBe(true);
  await connection.closed();
  const reopened = await world.openSandbox(`${sandboxId}_after`);
  expect(await lookUp(reopened, 'allowed.test')).not.toBeNull();
  const blocked = connectGate(folder, explicitProxy);
  blocked.send(connectTo('allowed.test:443'));
  expect(tokensOf(await blocked.closed())).toEqual(['403']);
  const again = connectGate(folder, { ip, port: 443 });
  again.send(tls('evil.test'));
  again.socket.end();
  await again.closed();
  expect(world.crashes).toHaveLength(1);
  expect(
    await world.attempted(sandboxId, (list) => list.some(({ host, verdict }) => host === 'evil.test' && verdict === 'allowed')),
  ).toBeTruthy();
});

test('J05: a killed host leaves no way out, and the next one opens it again', { timeout: 60_000 }, async () => {
  const socketFolder = await mkdtemp(join(tmpdir(), 'sandlot-killed-'));
  const routes = JSON.stringify([{ address: '20.0.0.10', to: { address: '127.0.0.1', port: world.sinks.get('allowed.test')?.port } }]);
  const startHost = async () => {
    const child = spawn(process.execPath, [
      '--import',
      'tsx',
      join(import.meta.dirname, '../egress/proxy-process.ts'),
      socketFolder,
      routes,
    ]);
    await once(child.stdout, 'data');
    return child;
  };
  const host = await startHost();
  const tunnels = await Promise.all(Array.from({ length: 50 }, () => openTls('allowed.test', socketFolder)));
  host.kill('SIGKILL');
  await Promise.all(tunnels.map((tunnel) => tunnel.closed()));
  expect(await isRefused(join(socketFolder, 'proxy.sock'))).toBe(true);
  const next = await startHost();
  const connection = await openTls('allowed.test', socketFolder);
  expect(connection.text()).toBe('tls:allowed.test\n');
  next.kill('SIGKILL');
  await connection.closed();
  await rm(socketFolder, { recursive: true, force: true });
});

test('who begins to speak to a refused name and goes is written down with name and port', async () => {
  const connection = connectGate(folder, { ip: (await lookUp(folder, 'evil.test')) ?? '', port: 80 });
  connection.send('hello');
  connection.end();
  await connection.closed();
  const attempts = await world.attempted(sandboxId, (list) => list.length > 0);
  expect(attempts.map((one) => [one.host, one.port, one.verdict, one.reason])).toEqual([['evil.test', 80, 'blocked', 'no_rule']]);
});
