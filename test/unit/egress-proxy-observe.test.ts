// What an observed sandbox may reach over the real proxy: everything public, written down with what a rule for it would have to say.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Attempt, NetworkPolicy } from '../../sandbox-engine/contract/model.ts';
import { compilePolicy } from '../../sandbox-engine/egress/policy.ts';
import { proposePolicy } from '../../sandbox-engine/egress/propose-policy.ts';
import { connectTo, get, tls } from '../egress/corpus/row.ts';
import { connectGate, explicitProxy, lookUp } from '../egress/gate-client.ts';
import { buildWorld, type World } from '../egress/world.ts';
import { policyP1 } from '../egress/world-policy.ts';

let world: World;
let folder: string;
let count = 0;
let sandboxId: string;

/** As a server of mail or SSH: it speaks first. */
const greeting = 'tcp:greets first\n';

beforeAll(async () => {
  world = await buildWorld({ limits: { tellMs: 10 } });
});
afterAll(async () => await world.close());
beforeEach(async () => {
  count += 1;
  sandboxId = `ses_observe${count}`;
  folder = await world.openSandbox(sandboxId, policyP1, { observe: true });
});

const straight = async (name: string, port: number, bytes: string | Buffer): Promise<string> => {
  const connection = connectGate(folder, { ip: (await lookUp(folder, name)) ?? '', port });
  if (bytes.length > 0) connection.send(bytes);
  const text = await connection.until((all) => all.includes('\n'));
  connection.socket.destroy();
  return text;
};
const told = ({ verdict, reason, host, port, protocol, rule }: Attempt) => `${verdict} ${reason} ${host}:${port} ${protocol} ${rule}`;
const log = async (attempts: number): Promise<string[]> =>
  (await world.attempted(sandboxId, (list) => list.length >= attempts && list.every(({ duration_ms }) => duration_ms !== null)))
    .map(told)
    .sort();

test.each<[string, number, string | Buffer, RegExp, string]>([
  ['evil.test', 443, tls('evil.test'), /^tls:evil/, 'tls'],
  ['evil.test', 80, get('/', 'evil.test'), /http:evil/, 'http'],
  ['evil.test', 8080, get('/', 'evil.test:8080'), /http:evil/, 'http'],
  ['evil.test', 9000, tls('evil.test'), /^tls:evil/, 'tls'],
  ['evil.test', 6379, 'PING\r\n', /^tcp:evil/, 'tcp'],
  ['evil.test', 443, 'SSH-2.0-x\r\n', /^tcp:evil/, 'tcp'],
])('%s:%i passes without a rule, whatever it speaks', async (name, port, bytes, back, protocol) => {
  expect(await straight(name, port, bytes)).toMatch(back);
  expect(await log(1)).toEqual([`allowed observed ${name}:${port} ${protocol} null`]);
});

test('who waits for the word of the server gets it', async () => {
  const connection = connectGate(folder, { ip: (await lookUp(folder, 'big.test')) ?? '', port: 25 });
  const { sockets } = world.sinks.get('big.test') ?? { sockets: [] };
  await expect.poll(() => sockets.length).toBe(1);
  sockets[0]?.write(greeting);
  expect(await connection.until((text) => text.includes('\n'))).toBe(greeting);
  connection.socket.destroy();
  expect(await log(1)).toEqual(['allowed observed big.test:25 tcp null']);
});

test('what the rules say stays: what they allow is theirs, what they deny is denied', async () => {
  expect(await straight('allowed.test', 443, tls('allowed.test'))).toMatch(/^tls:allowed/);
  const denied = connectGate(folder, explicitProxy);
  denied.send(connectTo('secret.allowed.test:443'));
  expect(await denied.closed()).toContain('X-Sandlot-Reason: denied_by_rule');
  expect(await log(2)).toEqual(['allowed allowed allowed.test:443 tls 1', 'blocked denied_by_rule secret.allowed.test:443 unknown 0']);
});

test.each<[string, string, string]>([
  ['an address of this computer', '127.0.0.1:PORT', 'special_address'],
  ['a reserved name', 'localhost:80', 'special_address'],
  ['metadata', '169.254.169.254:80', 'special_address'],
  ['a private address', '10.9.9.9:443', 'private_address'],
  ['a name that leads to one', 'rebind.test:443', 'private_address'],
  ['a name that leads to this computer', 'here.test:443', 'special_address'],
  ['a name that cannot exist', 'canary.invalid:443', 'no_rule'],
])('the floor is under it: %s stays closed', async (_what, destination, reason) => {
  world.answers.set('rebind.test', [{ ok: true, addresses: ['10.9.9.9'], ttlSeconds: 0 }]);
  world.answers.set('here.test', [{ ok: true, addresses: ['127.0.0.1'], ttlSeconds: 0 }]);
  const asked = world.questions.length;
  const before = world.canaries.map((canary) => canary.connections());
  const connection = connectGate(folder, explicitProxy);
  connection.send(connectTo(destination.replace('PORT', String(world.canaryPort))));
  expect(await connection.closed()).toContain(`X-Sandlot-Reason: ${reason}`);
  expect(world.canaries.map((canary) => canary.connections())).toEqual(before);
  expect(world.questions.slice(asked).filter((name) => name.endsWith('.invalid'))).toEqual([]);
});

test('when it ends, what no rule allows is cut within a second, and what a rule allows goes on', async () => {
  const open = async (name: string) => {
    const connection = connectGate(folder, { ip: (await lookUp(folder, name)) ?? '', port: 443 });
    connection.send(tls(name));
    await connection.until((text) => text.includes('\n'));
    return connection;
  };
  const [evil, allowed] = [await open('evil.test'), await open('allowed.test')];
  const began = performance.now();
  expect(await world.setPolicy(sandboxId, policyP1)).toEqual({ closed: 1 });
  await evil.closed();
  expect(performance.now() - began).toBeLessThan(1_000);
  expect(allowed.isOver()).toBe(false);
  allowed.socket.destroy();
  expect(await straight('blocked.test', 80, get('/', 'blocked.test'))).toContain('403');
});

test('what was observed makes the smallest policy, under which the same passes', async () => {
  const tries: [string, number, string | Buffer][] = [
    ['evil.test', 443, tls('evil.test')],
    ['evil.test', 80, get('/', 'evil.test')],
    ['big.test', 6379, 'PING\r\n'],
    ['blocked.test', 443, 'SSH-2.0-x\r\n'],
  ];
  for (const [name, port, bytes] of tries) await straight(name, port, bytes);
  const attempts = await world.attempted(sandboxId, (list) => list.length >= 4 && list.every(({ duration_ms }) => duration_ms !== null));
  const tallies = attempts.map((one) => ({ ...one, attempts: one.count, first_at: one.at, last_at: one.at }));
  const { policy } = proposePolicy(tallies, { inForce: compilePolicy(policyP1, {}) });
  expect(policy).toEqual({
    version: 'v1',
    rules: [
      { action: 'allow', hosts: ['evil.test'] },
      { action: 'allow', hosts: ['big.test'], ports: [6379], protocol: 'tcp' },
      { action: 'allow', hosts: ['blocked.test'], ports: [443], protocol: 'tcp' },
    ],
  } satisfies NetworkPolicy);
  await world.setPolicy(sandboxId, policy);
  for (const [name, port, bytes] of tries) expect(await straight(name, port, bytes)).toMatch(/^(tls|tcp):|HTTP\/1\.1 200/);
});
