// Podman without a socket: the service that Sandlot starts itself, and a Podman of an ordinary user.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createDockerRuntime } from '../../sandbox-engine/container/docker-runtime.ts';
import { runDoctor } from '../../sandbox-engine/container/doctor.ts';
import { containersConf, findProgram, readPodmanNeeds } from '../../sandbox-engine/container/podman-conf.ts';
import { startPodmanService } from '../../sandbox-engine/container/podman-service.ts';
import { readExec } from '../../sandbox-engine/container/read-exec.ts';
import { createRuntimes } from '../../sandbox-engine/container/runtimes.ts';
import type { NetworkPolicy } from '../../sandbox-engine/contract/model.ts';
import type { RootlessPodman } from './support/rootless-podman.ts';
import { startRootlessPodman } from './support/rootless-podman.ts';
import { anEnvironment, aPlan, openSessionHouse } from './support/session-house.ts';
import { tinyRoot, tinySessionRoot } from './support/tiny-root.ts';

const hasPodman = (await findProgram('podman', process.env)) !== null;
if (!hasPodman) process.stderr.write('skipped: there is no podman on PATH, so no service of our own can be started\n');

const servicesAt = (socketPath: string): string[] =>
  readdirSync('/proc').filter((pid) => {
    try {
      return readFileSync(`/proc/${Number(pid)}/cmdline`).includes(`unix://${socketPath}`);
    } catch {
      return false;
    }
  });

// Podman's command line gives them to every container by itself; a service must not.
const hostProxies = { HTTP_PROXY: 'http://person:hidden-word@proxy.test:9', https_proxy: 'http://person:hidden-word@proxy.test:9' };

describe.skipIf(!hasPodman)('a Podman service that Sandlot starts', () => {
  let folder = '';
  let env: Record<string, string | undefined> = {};

  beforeAll(async () => {
    folder = await mkdtemp('/var/tmp/sandlot-own.');
    await writeFile(join(folder, 'storage.conf'), `[storage]\ndriver = "overlay"\nrunroot = "${folder}/r"\ngraphroot = "${folder}/g"\n`);
    env = { ...process.env, ...hostProxies, CONTAINERS_STORAGE_CONF: join(folder, 'storage.conf'), CONTAINERS_CONF: undefined };
  });
  afterAll(async () => {
    if (process.getuid?.() === 0 && existsSync(join(folder, 'g/overlay')))
      execFileSync('/usr/bin/umount', ['-l', join(folder, 'g/overlay')]);
    await rm(folder, { recursive: true, force: true });
  });

  test('is found, runs a container on this machine as it is, comes back when it ends by itself, and is gone after close', async () => {
    const returned: string[] = [];
    const runtimes = await createRuntimes({
      env: { ...env, DOCKER_CONFIG: folder, DOCKER_HOST: undefined, CONTAINER_HOST: undefined },
      runFolder: join(folder, 'run'),
      homeFolder: folder,
      knownSockets: () => false,
      retryMs: 200,
      onChange: () => undefined,
      onEvent: () => undefined,
      onReconnected: (id) => returned.push(id),
    });
    const socketPath = join(folder, 'run/podman.sock');
    try {
      expect(runtimes.list()).toMatchObject([
        { kind: 'podman', status: 'connected', source: 'started by Sandlot', address: `unix://${socketPath}`, is_default: true },
      ]);
      const needed = containersConf(await readPodmanNeeds());
      const written = await readFile(join(folder, 'run/containers.conf'), 'utf8').catch(() => '');
      expect(written).toBe(needed);
      const id = runtimes.defaultId() ?? '';
      const runtime = runtimes.get(id);
      await runtime.importImage(tinyRoot(['/bin/true']), 'tiny:1', ['LABEL a=b'], AbortSignal.timeout(30_000));
      const spec = { name: 'own-tiny', image: 'tiny:1', command: ['/bin/true'], env: [], labels: { a: 'b' }, network: 'none' } as const;
      const container = await runtime.createContainer({ ...spec, command: [...spec.command], env: [] });
      await runtime.startContainer(container);
      expect(await runtime.waitContainer(container, AbortSignal.timeout(20_000))).toBe(0);
      await runtime.removeContainer(container);

      const report = await runDoctor({ runtimes, dataFolder: folder, env });
      expect(report.checks.find(({ name }) => name === `disk of ${id}`)?.message).toMatch(/GiB free for \/var\/tmp\/sandlot-own/);

      for (const pid of servicesAt(socketPath)) process.kill(Number(pid), 'SIGKILL');
      await vi.waitFor(() => expect(returned).toEqual([id]), { timeout: 60_000 });
      expect(runtimes.list()).toMatchObject([{ status: 'connected' }]);
      expect((await runtimes.get(id).listImages({ a: 'b' })).map(({ tags }) => tags)).toEqual([['tiny:1']]);
    } finally {
      await runtimes.close();
    }
    expect([existsSync(socketPath), servicesAt(socketPath)]).toEqual([false, []]);
  });

  test("I08: gives no container the machine's own proxy variables", async () => {
    const service = await startPodmanService(env, join(folder, 'proxies'));
    if (service === null || 'problem' in service) throw new Error('no service');
    const target = { kind: 'socket', address: `unix://${service.socketPath}`, socketPath: service.socketPath } as const;
    const runtime = createDockerRuntime({ id: 'own', kind: 'podman', connection: target });
    try {
      await runtime.importImage(tinyRoot(['/bin/sleep', '/usr/bin/env']), 'tiny-env:1', [], AbortSignal.timeout(30_000));
      const spec = {
        name: 'own-env',
        image: 'tiny-env:1',
        command: ['/bin/sleep', '60'],
        env: ['GIVEN=yes'],
        labels: {},
        network: 'none',
      } as const;
      const container = await runtime.createContainer({ ...spec, command: [...spec.command], env: [...spec.env] });
      await runtime.startContainer(container);
      const told = await readExec(runtime, container, { command: ['/usr/bin/env'], user: '0', workdir: '/', stdin: false });
      await runtime.removeContainer(container);
      expect([told.includes('GIVEN=yes'), told.split('\n').filter((line) => /proxy|hidden-word/i.test(line))]).toEqual([true, []]);
    } finally {
      runtime.close();
      await service.stop();
    }
  });

  test('of a host that was killed is ended by the next one', async () => {
    const runFolder = join(folder, 'again');
    const abandoned = await startPodmanService(env, runFolder);
    const next = await startPodmanService(env, runFolder);
    if (abandoned === null || 'problem' in abandoned || next === null || 'problem' in next) throw new Error('no service');
    expect([abandoned.hasEnded(), next.hasEnded(), servicesAt(next.socketPath).length]).toEqual([true, false, 1]);
    await next.stop();
    expect(servicesAt(next.socketPath)).toEqual([]);
  });

  test('that cannot start says why in its own words', async () => {
    const conf = join(folder, 'bad.conf');
    await writeFile(conf, `[storage]\ndriver = "no-such-driver"\nrunroot = "${folder}/br"\ngraphroot = "${folder}/bg"\n`);
    const started = await startPodmanService({ ...env, CONTAINERS_STORAGE_CONF: conf }, join(folder, 'bad'));
    expect(started).toMatchObject({ problem: expect.stringContaining('no-such-driver') });
  });
});

describe('the Podman of an ordinary user', () => {
  let rootless: RootlessPodman | null = null;
  let house: Awaited<ReturnType<typeof openSessionHouse>> | null = null;
  const image = 'sandlot-test/tiny-session:1';

  beforeAll(async () => {
    const folder = await mkdtemp('/var/tmp/sandlot-rl.');
    const started = await startRootlessPodman(folder);
    if (typeof started === 'string') {
      process.stderr.write(`skipped: rootless Podman cannot be had here: ${started}\n`);
      return;
    }
    rootless = started;
    house = await openSessionHouse({ kind: 'podman', socket: rootless.socket });
    await house.runtime.importImage(tinySessionRoot(), image, ['USER sandbox'], AbortSignal.timeout(60_000));
  });
  afterAll(async () => {
    await house?.removeAll();
    await rootless?.stop();
  });

  const policies: [string, NetworkPolicy, string][] = [
    ['no network', { version: 'v1', rules: [] }, 'lo\n'],
    ['its ordinary network', {}, 'eth0\nlo\n'],
  ];
  test.each(policies)(
    'P-02: with %s the sandbox user owns the workspace, and a deleted session leaves no file',
    async (_name, policy, links) => {
      if (rootless === null || house === null) return;
      expect(await house.runtime.info()).toMatchObject({ rootless: true, kind: 'podman' });
      const launched = await house.sessions.launch(aPlan(anEnvironment({ network_policy: policy }), image));
      const session = await house.sessions.launched(launched.id);
      expect([session.status, session.message]).toEqual(['running', null]);
      const script =
        "touch -d '2020-01-01' /workspace/a && mkdir /workspace/b && chmod 700 /workspace/b && id -u && stat -c %u /workspace && ls /sys/class/net";
      const { id } = await house.sessions.startExec(session.id, { command: ['bash', '-c', script] });
      const ended = await house.sessions.getExec(id, 30);
      const out = await house.textOf(ended.stdout_stream_id);
      expect([ended.exit_code, out]).toEqual([0, `1000\n1000\n${links}`]);
      const asRoot = await house.runtime.exec(session.container_id ?? '', {
        ...{ command: ['touch', '/workspace/of-root'], user: 'root', stdin: false },
      });
      expect(await asRoot.exitCode()).toBe(0);
      const volumes = join(rootless.home, '.local/share/containers/storage/volumes');
      expect(readdirSync(volumes)).toEqual([session.volume]);
      await house.sessions.remove(session.id);
      expect(readdirSync(volumes)).toEqual([]);
      expect(await house.runtime.listContainers({ 'dev.sandlot.session': session.id })).toEqual([]);
    },
  );
});
