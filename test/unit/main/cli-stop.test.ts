// `sandlot stop` ends the host that runs, and starts none to end it.
import { existsSync, readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runSandlot } from './run-sandlot.ts';
import { startSmallHost, temporaryFolder } from './small-host.ts';

test.each([
  [['stop'], false],
  [['stop', '--sessions'], true],
])('%j ends the host, waits until it has ended and says whether sessions go with it', async (words, stopSessions) => {
  const asked: boolean[] = [];
  let end: () => void = () => undefined;
  const small = await startSmallHost(undefined, () => ({
    'app.shutdown': async ({ stop_sessions }) => {
      asked.push(stop_sessions);
      setImmediate(end);
      return { ok: true };
    },
  }));
  end = () => void small.host.close();
  const { code, stdout } = await runSandlot(small.dataFolder, [...words, '-o', 'json']);
  expect([code, JSON.parse(stdout), asked]).toEqual([0, { stopped: true }, [stopSessions]]);
  expect(existsSync(join(small.dataFolder, 'host.lock'))).toBe(false);
});

test('it names the sessions that go on without their host', async () => {
  let end: () => void = () => undefined;
  const sessions = [
    { name: 'web', status: 'running' },
    { name: 'old', status: 'stopped' },
    { name: 'api', status: 'running' },
  ];
  const small = await startSmallHost(undefined, () => ({
    'sessions.list': async () => ({ sessions, next_cursor: null }) as never,
    'app.shutdown': async () => {
      setImmediate(end);
      return { ok: true };
    },
  }));
  end = () => void small.host.close();
  const { stdout } = await runSandlot(small.dataFolder, ['down', '--keep']);
  expect(stdout.trim()).toBe('The host ended. 2 sessions go on without it: web, api.');
});

test('where no host runs it says so and leaves the folder as it is', async () => {
  const folder = await temporaryFolder();
  const { code, stdout } = await runSandlot(folder, ['stop', '-o', 'json']);
  expect([code, JSON.parse(stdout), readdirSync(folder)]).toEqual([0, { stopped: false }, []]);
});

test.each([
  ['stop', '--sessions'],
  ['down', '--stop'],
])(
  '%s %s stops sessions that went on without a host',
  async (...words) => {
    // As a host leaves it: a registry, and nobody who holds it.
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'registry.db'), '');
    const { stdout, stderr } = await runSandlot(folder, [...words, '-o', 'json']);
    expect([JSON.parse(stdout), stderr, readdirSync(folder)]).toEqual([{ stopped: true }, '', expect.arrayContaining(['host.log'])]);
  },
  60_000,
);
