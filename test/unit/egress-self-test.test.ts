// What a gate tries before its sandbox starts reaches the proxy like anything else, and is nobody's attempt.
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { selfTestAddress, selfTestName } from '../../sandbox-engine/egress/synthetic-pool.ts';
import { connectGate, lookUp } from '../egress/gate-client.ts';
import { buildWorld, type World } from '../egress/world.ts';

let world: World;
beforeAll(async () => {
  world = await buildWorld({ limits: { tellMs: 10 } });
});
afterAll(async () => await world.close());

test("a gate's own connection is closed and its own question answered, and neither is told of", async () => {
  const folder = await world.openSandbox('ses_selftest');
  const told = await connectGate(folder, { ip: selfTestAddress, port: 9 }).closed();
  const answer = await lookUp(folder, selfTestName);
  // A question that nothing follows is told of after a while: this one comes later.
  await lookUp(folder, 'later.test');
  connectGate(folder, { ip: '20.0.0.200', port: 443 }).send('GET / HTTP/1.1\r\nHost: other.test\r\n\r\n');
  const attempts = await world.attempted('ses_selftest', (list) => list.some(({ host }) => host === 'later.test'));
  expect([told, answer, attempts.map(({ host }) => host).sort()]).toEqual(['', '198.18.0.2', ['later.test', 'other.test']]);
});

/** How far each thread of this process stands back, by its id and proc(5). */
const nicenesses = (): Map<string, number> =>
  new Map(
    readdirSync('/proc/self/task').map((id) => [
      id,
      Number(readFileSync(`/proc/self/task/${id}/stat`, 'utf8').split(') ')[1]?.split(' ')[16]),
    ]),
  );

test('the proxy gives way to the thread of the window', async () => {
  const before = nicenesses();
  const another = await buildWorld();
  await another.openSandbox('ses_another');
  const since = nicenesses();
  await another.close();
  const main = since.get(String(process.pid)) ?? Number.NaN;
  // Threads of earlier tests may end meanwhile: only new ones are counted.
  expect([...since].filter(([id, niceness]) => !before.has(id) && niceness > main).length).toBe(1);
});
