// The machine's own SSH client in a session, by the lines that the command line prints for its configuration: a session without any network.
// Source: docs/sessions.md, "Editors and SSH".
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Session } from '../../sandbox-engine/contract/model.ts';
import { createRuled, launchRuled, runInside } from '../runtime/support/gated-host.ts';
import { type RealHost, removeRealHost, startRealHost, until } from '../runtime/support/real-host.ts';
import { testRuntimes } from '../runtime/support/test-image.ts';
import { runSandlot } from '../unit/main/run-sandlot.ts';

const run = promisify(execFile);
const server = ['openssh', 'server'].join('-');

const freePort = async (): Promise<number> => {
  const listening = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => listening.once('listening', resolve));
  const { port } = listening.address() as { port: number };
  await new Promise((resolve) => listening.close(resolve));
  return port;
};

describe.each(testRuntimes)('an SSH client on $kind', ({ kind }) => {
  let host: RealHost;
  let session: Session;
  let folder: string;
  let name: string;

  const config = (): string => join(folder, 'config');
  /** Answers what it printed, and its exit code. */
  const ssh = async (...words: string[]): Promise<string> => {
    const said = await run('ssh', ['-F', config(), ...words]).catch((thrown: { stdout: string; stderr: string; code: number }) => thrown);
    return `${said.stdout.trim()} [${'code' in said ? said.code : 0}]${said.stderr}`;
  };
  const environment = async (title: string, more: object): Promise<string> =>
    (await createRuled(host, kind, [], { name: title, ...more })).id;

  beforeAll(async () => {
    host = await startRealHost();
    folder = await mkdtemp(join(tmpdir(), 'sandlot-ssh-'));
    const recipe = `base: debian\nenv: { WHO: "it is me" }\npackages: { apt: [${server}] }\n`;
    const id = await environment('with a server', { recipe_yaml: recipe });
    const { id: buildId } = await host.call('builds.start', { environment_id: id, pin: true });
    const pinned = async () => (await host.call('environments.get', { environment_id: id })).image.state;
    const over = async () => (await host.call('builds.get', { build_id: buildId })).finished_at;
    await until(over, (at) => at !== null, 300_000);
    expect(await until(pinned, (state) => state === 'active', 30_000)).toBe('active');
    session = await launchRuled(host, id);
    const { stdout, code } = await runSandlot(host.folder, ['session', 'ssh-config', session.id]);
    expect(code).toBe(0);
    await writeFile(config(), stdout);
    name = /^Host (\S+)$/m.exec(stdout)?.[1] ?? '';
  }, 400_000);
  afterAll(async () => {
    await removeRealHost(host);
    await rm(folder, { recursive: true, force: true });
  });

  test('runs commands as the sandbox user, with the variables of a terminal and their exit codes', async () => {
    expect(await ssh(name, 'id -un; echo "$WHO"; exit 3')).toBe('sandbox\nit is me [3]');
  });

  test('scp takes a file in and out, byte for byte', async () => {
    const bytes = randomBytes(3_000_000);
    await writeFile(join(folder, 'in'), bytes);
    await run('scp', ['-F', config(), join(folder, 'in'), `${name}:/workspace/there`]);
    await run('scp', ['-F', config(), `${name}:/workspace/there`, join(folder, 'out')]);
    expect((await readFile(join(folder, 'out'))).equals(bytes)).toBe(true);
  });

  test('a forward of the client leads to what listens at loopback inside, though the sandbox has no network', async () => {
    const port = await freePort();
    await runInside(
      host,
      session.id,
      'perl -MIO::Socket::INET -e \'$s=IO::Socket::INET->new(Listen=>5,LocalAddr=>"127.0.0.1:8123",ReuseAddr=>1);while($c=$s->accept){print $c "hello\\n";close $c}\' >/dev/null 2>&1 &',
    );
    const script = `exec 3<>/dev/tcp/127.0.0.1/${port}; head -n 1 <&3`;
    const forwarding = run('ssh', [
      '-F',
      config(),
      '-o',
      'ExitOnForwardFailure=yes',
      '-L',
      `127.0.0.1:${port}:127.0.0.1:8123`,
      name,
      'sleep 20',
    ]);
    forwarding.catch(() => undefined);
    const heard = () =>
      run('bash', ['-c', script]).then(
        ({ stdout }) => stdout.trim(),
        () => '',
      );
    expect(await until(heard, (said) => said !== '', 20_000)).toBe('hello');
    forwarding.child.kill();
  });

  test('a session without the server, and one that is stopped, say what to do', async () => {
    const bare = await launchRuled(host, await environment('bare', {}));
    const { stdout, stderr } = await runSandlot(host.folder, ['session', 'ssh-config', bare.id]);
    expect([stdout.startsWith('Host '), stderr]).toEqual([true, expect.stringContaining(server)]);
    await host.call('sessions.stop', { session_id: session.id });
    expect(await ssh(name, 'true')).toMatch(/\[255\][\s\S]*is stopped: an editor needs a running one/);
  });
});
