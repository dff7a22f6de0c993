// The command line from an empty folder to a shell in a session, as separate processes, on a real runtime.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectHost } from '../../main/host/connect-host.ts';
import type { Build, DoctorReport, EnvironmentView, LogLine, Session, SetupRun } from '../../sandbox-engine/contract/model.ts';
import { runSandlot, type Said } from '../unit/main/run-sandlot.ts';
import { testRuntimes } from './support/test-image.ts';

const runtime = testRuntimes[0];
let folder = '';

const sandlot = async (words: string[], input = ''): Promise<Said> => await runSandlot(join(folder, 'home'), words, { input });

const json = async <T>(words: string[]): Promise<{ code: number | null; value: T; stderr: string }> => {
  const { code, stdout, stderr } = await sandlot([...words, '-o', 'json']);
  try {
    return { code, value: JSON.parse(stdout) as T, stderr };
  } catch (cause) {
    throw new Error(`${words.join(' ')} did not answer JSON: ${stdout}${stderr}`, { cause });
  }
};

const makeEnvironment = async (name: string, text: string): Promise<EnvironmentView> => {
  const file = join(folder, `${name}.yml`);
  await writeFile(file, text);
  const made = await json<EnvironmentView>(['env', 'create', '--file', file, '--name', name, '--runtime', runtime?.kind ?? '']);
  if (made.code !== 0) throw new Error(made.stderr);
  return made.value;
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sandlot-cli-'));
});

afterAll(async () => {
  const { value } = await json<{ sessions: Session[] }>(['session', 'list']);
  for (const session of value.sessions) if (session.status !== 'ended') await sandlot(['session', 'rm', session.id, '--now']);
  const listed = await json<{ environments: EnvironmentView[] }>(['env', 'list', '--all']);
  for (const environment of listed.value.environments) await sandlot(['env', 'delete', environment.id, '--yes']);
  await sandlot(['prune', '--yes']);
  const client = await connectHost(join(folder, 'home', 'host.sock'));
  await client?.call('app.shutdown', { stop_sessions: true });
  await client?.closed;
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

describe.skipIf(runtime === undefined)('from an empty folder to a shell', () => {
  test('doctor finds the runtime and starts the host by itself', async () => {
    const { value } = await json<DoctorReport>(['doctor']);
    expect(value.runtimes.filter(({ status }) => status === 'connected').map(({ kind }) => kind)).toContain(runtime?.kind);
  });

  test('an environment is made from a bare recipe and found by id, slug and name', async () => {
    const made = await makeEnvironment('Bare Recipe', 'base: debian:bookworm-slim\n');
    const found = await Promise.all(
      [made.id, made.slug, 'Bare Recipe'].map(async (asked) => (await json<EnvironmentView>(['env', 'get', asked])).value.id),
    );
    expect(found).toEqual([made.id, made.id, made.id]);
    expect((await sandlot(['env', 'get', 'No Such'])).code).toBe(3);
  });

  test('a file with an unknown key is refused with its place and makes nothing', async () => {
    const file = join(folder, 'bad.yml');
    await writeFile(file, 'base: debian\npakages: {}\n');
    const { code, value } = await json<{ error: { code: string; message: string } }>(['env', 'create', '--file', file]);
    expect([code, value.error.message.includes('pakages')]).toEqual([2, true]);
  });

  test('build, pin, launch, exec, attach, stop, resume, remove', { timeout: 600_000 }, async () => {
    const environment = await makeEnvironment(
      'cli-spine',
      'base: debian:bookworm-slim\ninitialize:\n  - name: mark\n    run: echo made > /opt/mark\nnetwork_policy: {}\n',
    );
    const build = await json<Build>(['build', environment.id]);
    expect([build.code, build.value.status], build.stderr).toEqual([0, 'succeeded']);
    expect((await sandlot(['pin', build.value.id])).code).toBe(0);
    const launched = await json<Session>(['session', 'launch', environment.id, '--name', 'spine']);
    expect([launched.code, launched.value.status, launched.value.image_source], launched.stderr).toEqual([0, 'running', 'active']);

    const script = 'cat /opt/mark; echo err >&2; exit 7';
    expect(await sandlot(['session', 'exec', 'spine', '--', 'sh', '-c', script])).toEqual({ code: 7, stdout: 'made\n', stderr: 'err\n' });
    const asJson = await sandlot(['session', 'exec', launched.value.id, '-o', 'json', '--', 'sh', '-c', script]);
    expect([asJson.code, JSON.parse(asJson.stdout)]).toEqual([7, { exit_code: 7, stdout: 'made\n', stderr: 'err\n' }]);

    const attached = await sandlot(['session', 'attach', 'spine'], 'echo "sum-$((40 + 2))"\nexit 3\n');
    expect([attached.code, attached.stdout.includes('sum-42')], attached.stderr).toEqual([3, true]);

    expect((await json<Session>(['session', 'stop', 'spine'])).value.status).toBe('stopped');
    expect((await sandlot(['session', 'exec', 'spine', '--', 'true'])).code).toBe(4);
    expect((await json<Session>(['session', 'resume', 'spine'])).value.status).toBe('running');
    expect((await sandlot(['session', 'rm', 'spine', '--now'])).code).toBe(0);
  });

  test('a build that fails says at which step and ends with 1', { timeout: 600_000 }, async () => {
    const environment = await makeEnvironment(
      'cli-broken',
      'base: debian:bookworm-slim\ninitialize:\n  - name: break it\n    run: exit 9\n',
    );
    const build = await json<Build>(['build', environment.id]);
    expect([build.code, build.value.status, build.value.failed_step], build.stderr).toEqual([1, 'failed', 'break it']);
  });

  test('a setup run ends with 0 only when it succeeded, and its log has lines', { timeout: 600_000 }, async () => {
    const environment = await makeEnvironment('cli-setup', 'base: debian:bookworm-slim\nsetup:\n  script: |\n    echo one\n    false\n');
    const failed = await json<SetupRun>(['setup', 'run', environment.id, '--wait']);
    expect([failed.code, failed.value.status, failed.value.failed_line], failed.stderr).toEqual([1, 'failed', 2]);
    const logs = await json<LogLine[]>(['setup', 'logs', failed.value.id]);
    expect(logs.value.map(({ seq }) => seq)).toEqual(logs.value.map((_line, index) => index + 1));
    expect(logs.value.filter(({ stream }) => stream === 'stdout').map(({ text }) => text)).toEqual(['one']);
    await sandlot(['env', 'update', environment.id, '--set', 'setup.script=echo fine']);
    const passed = await json<SetupRun>(['setup', 'run', environment.id, '--wait']);
    expect([passed.code, passed.value.status], passed.stderr).toEqual([0, 'succeeded']);
  });
});
