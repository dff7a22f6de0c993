import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connectHost } from '../../../main/host/connect-host.ts';
import { resolveDataFolder, resolveSocketPath } from '../../../main/host/data-folder.ts';
import { startHost } from '../../../main/host/host.ts';
import { takeHostLock } from '../../../main/host/host-lock.ts';
import { openHostLog } from '../../../main/host/host-log.ts';
import { endWhenIdle } from '../../../main/host/process-guards.ts';
import { createRedactor } from '../../../sandbox-engine/stream/redact.ts';
import { startSmallHost, temporaryFolder } from './small-host.ts';

const isLinux = process.platform === 'linux';

const startProcess = (dataFolder: string): { child: ChildProcess; until: (line: string) => Promise<string[]> } => {
  const child = spawn(process.execPath, ['--import', 'tsx', fileURLToPath(new URL('./host-process.ts', import.meta.url))], {
    env: { ...process.env, SANDLOT_HOME: dataFolder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
    lines.push(line);
    for (const look of waiting) look();
  });
  const until = async (line: string) =>
    await new Promise<string[]>((resolve) => {
      const look = () => lines.includes(line) && resolve(lines);
      waiting.add(look);
      look();
    });
  return { child, until };
};

const exitOf = async (child: ChildProcess) => await new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code)));

describe('one host a data folder', () => {
  test('a second start joins the first and never opens the registry', async () => {
    const folder = await temporaryFolder();
    const first = startProcess(folder);
    await first.until('started');
    const second = startProcess(folder);
    const code = exitOf(second.child);
    expect([await second.until('joined'), await code]).toEqual([['joined'], 0]);
  });

  test('of four that start at once one becomes the host', async () => {
    const folder = await temporaryFolder();
    const opened: string[] = [];
    const starts = await Promise.all(
      [1, 2, 3, 4].map(
        async () =>
          await startHost({
            env: {},
            dataFolder: folder,
            version: '0',
            openEngine: async () => {
              opened.push('opened');
              return {
                handlers: {} as never,
                events: { subscribe: () => () => undefined } as never,
                redactText: (text) => text,
                isBusy: async () => false,
                close: async () => undefined,
              };
            },
          }),
      ),
    );
    for (const start of starts) if (start.kind === 'joined') start.client.close();
    for (const start of starts) if (start.kind === 'started') await start.host.close();
    expect([starts.map(({ kind }) => kind).sort(), opened]).toEqual([['joined', 'joined', 'joined', 'started'], ['opened']]);
  });

  test('after kill -9 the next start takes over; after SIGTERM nothing is left', async () => {
    const folder = await temporaryFolder();
    const first = startProcess(folder);
    await first.until('started');
    first.child.kill('SIGKILL');
    await exitOf(first.child);
    const left = await stat(join(folder, 'host.lock'));
    const second = startProcess(folder);
    await second.until('started');
    second.child.kill('SIGTERM');
    expect([left.isFile(), await exitOf(second.child)]).toEqual([true, 0]);
    await expect(stat(join(folder, 'host.lock'))).rejects.toThrow('ENOENT');
  });

  test.each([
    ['a dead process', JSON.stringify({ pid: 4_000_000, start: 'x', nonce: '' })],
    ['a pid that another process got', JSON.stringify({ pid: process.pid, start: 'an earlier boot', nonce: '' })],
    ['half a file', '{"pid":'],
    ['nothing', ''],
  ])('a lock of %s is taken over', async (_case, text) => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'host.lock'), text);
    const lock = await takeHostLock(folder);
    expect(await lock?.isOurs()).toBe(true);
  });

  test('a lock of a living process is not taken, also not by its own process', async () => {
    const folder = await temporaryFolder();
    const lock = await takeHostLock(folder);
    expect([await lock?.isOurs(), await takeHostLock(folder)]).toEqual([true, null]);
    await lock?.release();
    expect(await (await takeHostLock(folder))?.isOurs()).toBe(true);
  });

  test('who holds the lock but does not answer is named in the error', async () => {
    const folder = await temporaryFolder();
    await takeHostLock(folder);
    const openEngine = async () => {
      throw new Error('must not be opened');
    };
    await expect(startHost({ env: {}, dataFolder: folder, version: '0', openEngine, joinTimeoutMs: 200 })).rejects.toMatchObject({
      code: 'host_already_running',
    });
  });

  test('an engine that does not open leaves no lock behind', async () => {
    const folder = await temporaryFolder();
    const openEngine = async () => {
      throw new Error('no');
    };
    await expect(startHost({ env: {}, dataFolder: folder, version: '0', openEngine })).rejects.toThrow('no');
    expect(await (await takeHostLock(folder))?.isOurs()).toBe(true);
  });

  test('folder, socket and log are for their owner only', async () => {
    const { dataFolder } = await startSmallHost();
    const modes = await Promise.all(
      [dataFolder, join(dataFolder, 'host.sock'), join(dataFolder, 'host.log')].map(async (path) => (await stat(path)).mode & 0o777),
    );
    expect(modes).toEqual([0o700, 0o600, 0o600]);
  });

  test.skipIf(!isLinux)('a data folder whose path is too long for a socket is served from the run folder', async () => {
    const folder = join(await temporaryFolder(), 'x'.repeat(150));
    await mkdir(folder);
    await startSmallHost(folder);
    const path = resolveSocketPath(folder, {});
    const client = await connectHost(path);
    expect([path.length < 100, (await client?.call('templates.list', {}))?.ok]).toEqual([true, true]);
    client?.close();
  });

  test('a host nobody needs ends, one with a client stays', async () => {
    const { host, dataFolder } = await startSmallHost();
    const client = await connectHost(join(dataFolder, 'host.sock'));
    endWhenIdle(host, 60);
    await client?.call('templates.list', {});
    const first = await Promise.race([host.closed.then(() => 'ended'), new Promise((resolve) => setTimeout(() => resolve('stays'), 300))]);
    client?.close();
    await host.closed;
    expect(first).toBe('stays');
  });
});

describe('the socket in the data folder', () => {
  test('garbage is answered, and a line beyond all bounds ends that client only', async () => {
    const { dataFolder } = await startSmallHost();
    const path = join(dataFolder, 'host.sock');
    const rude = connect(path);
    rude.on('error', () => undefined);
    const answered = new Promise<string>((resolve) => rude.once('data', (data) => resolve(String(data))));
    rude.write('hello\n');
    expect(await answered).toContain('"invalid_request"');
    const ended = new Promise((resolve) => rude.once('close', () => resolve('ended')));
    rude.write('x'.repeat(20_000_000));
    expect(await ended).toBe('ended');
    const client = await connectHost(path);
    expect(await client?.call('templates.list', {})).toEqual({ ok: true, value: { items: [] } });
    client?.close();
  });

  test('a chunk border inside a character does not break it', async () => {
    const { dataFolder, seen } = await startSmallHost();
    const socket = connect(join(dataFolder, 'host.sock'));
    const frame = Buffer.from('{"id":1,"name":"setup.check","input":{"script":"ü€"}}\n');
    const answered = new Promise((resolve) => socket.once('data', resolve));
    for (const byte of frame) {
      socket.write(Buffer.from([byte]));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await answered;
    socket.end();
    expect(seen).toEqual(['ü€']);
  });

  test('a call that waits when the host ends is answered host_unreachable', async () => {
    const { host, dataFolder } = await startSmallHost();
    host.controls.set('open', async () => await new Promise(() => undefined));
    const client = await connectHost(join(dataFolder, 'host.sock'));
    const answer = client?.control('open');
    await client?.call('templates.list', {});
    await host.close();
    expect(await answer).toMatchObject({ ok: false, error: { code: 'host_unreachable' } });
  });
});

test.each<[string, NodeJS.ProcessEnv, NodeJS.Platform, string]>([
  ['SANDLOT_HOME wins', { SANDLOT_HOME: '/data/s', XDG_DATA_HOME: '/x' }, 'linux', '/data/s'],
  ['an empty SANDLOT_HOME is none', { SANDLOT_HOME: '', XDG_DATA_HOME: '/x' }, 'linux', '/x/sandlot'],
  ['a relative XDG_DATA_HOME is ignored', { XDG_DATA_HOME: 'x' }, 'linux', '/home/a/.local/share/sandlot'],
  ['macOS', {}, 'darwin', '/home/a/Library/Application Support/Sandlot'],
])('data folder: %s', (_case, env, platform, folder) => {
  expect(resolveDataFolder(env, { platform, home: '/home/a' })).toBe(folder);
});

test('the log never holds what was sent', async () => {
  const { host, dataFolder } = await startSmallHost();
  await host.dispatch('setup.check', { script: 'hunter2-secret' });
  await host.dispatch('sessions.list', { environment_id: 7, hunter2: 'secret' });
  await host.dispatch('sessions.list', {});
  const log = await readFile(join(dataFolder, 'host.log'), 'utf8');
  expect([log.includes('a call failed unexpectedly'), log.includes('hunter2')]).toEqual([true, false]);
});

test('the log masks secrets in what an error says, in its stack and in its causes', async () => {
  const folder = await temporaryFolder();
  const secret = 'line one "q"\nline two';
  const log = openHostLog(folder);
  log.maskWith(createRedactor([{ name: 'TOKEN', value: secret }]).redactText);
  const error = new Error(`it said ${secret}`, { cause: new Error(`because of ${secret}`) });
  log.error({ error, call: 'bases.list' }, `failed with ${secret}`);
  log.close();
  const text = await readFile(join(folder, 'host.log'), 'utf8');
  expect([text.includes('it said ***'), text.includes('because of ***'), text.includes('line one'), text.includes('line two')]).toEqual([
    ...[true, true, false, false],
  ]);
});
