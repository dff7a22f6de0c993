// Where runtimes are looked for, dialled for real: fake daemons on sockets and ports, and what is said where nothing answers.
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createRuntimes } from '../../../sandbox-engine/container/runtimes.ts';
import type { FakeBehaviour } from '../../fakes/docker-daemon.ts';
import { startFakeDaemon } from '../../fakes/docker-daemon.ts';

let folder = '';
const open: { close: () => unknown }[] = [];
const nobody = 65_534;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'places-'));
});
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
  await rm(folder, { recursive: true, force: true });
});

const fake = async (place: string | { host: string }, behaviour: Partial<FakeBehaviour> = {}) => {
  const daemon = await startFakeDaemon(place, behaviour);
  open.push(daemon);
  return daemon;
};

/** As on a machine whose home and run folder are the test's; only what is below them or named is looked at. */
const look = async (env: Record<string, string | undefined>, more: { uid?: number; retryMs?: number; below?: string } = {}) => {
  const { uid = 4242, retryMs = 60_000, below = folder } = more;
  const runtimes = await createRuntimes({
    env: { PATH: '/nonexistent', DOCKER_CONFIG: folder, ...env },
    homeFolder: folder,
    uid,
    retryMs,
    runFolder: folder,
    startPodman: false,
    knownSockets: ({ address }) => address.startsWith(`unix://${below}/`),
    onChange: () => undefined,
    onEvent: () => undefined,
    onReconnected: () => undefined,
  });
  open.push(runtimes);
  return runtimes;
};

const chosen = async (env: Record<string, string | undefined>) => {
  const runtimes = await look({ XDG_RUNTIME_DIR: folder, ...env });
  const { status, address, source, version, message } = runtimes.list().find((probe) => probe.is_default) ?? {};
  return { status, address, source, version, message };
};

test.each([
  ['unset', undefined, 'A'],
  ['empty', '', 'A'],
  ['a unix:// address', 'unix://B', 'B'],
  ['a bare path', 'B', 'B'],
])('DOCKER_HOST %s: the daemon that answers is %s -> %s', async (_name, host, wanted) => {
  await fake(join(folder, 'docker.sock'), { version: 'A' });
  const other = await fake(join(folder, 'x.sock'), { version: 'B' });
  expect(await chosen({ DOCKER_HOST: host?.replace('B', other.socketPath) })).toMatchObject({
    status: 'connected',
    version: wanted,
    address: `unix://${join(folder, wanted === 'A' ? 'docker.sock' : 'x.sock')}`,
    source: wanted === 'A' ? 'rootless Docker socket' : 'DOCKER_HOST',
  });
});

test('the runtime that a person prefers is the default one, as long as it answers', async () => {
  await mkdir(join(folder, 'podman'), { recursive: true });
  await fake(join(folder, 'docker.sock'), { version: 'A' });
  await fake(join(folder, 'podman', 'podman.sock'), { version: 'B' });
  const runtimes = await look({ XDG_RUNTIME_DIR: folder });
  const versionOfDefault = () => runtimes.list().find(({ is_default: isDefault }) => isDefault)?.version;
  const other = runtimes.list().find(({ version }) => version === 'B')?.id ?? '';
  expect(versionOfDefault()).toBe('A');
  runtimes.prefer(other);
  expect([versionOfDefault(), runtimes.defaultId()]).toEqual(['B', other]);
  expect(() => runtimes.prefer('nothing')).toThrow('There is no runtime "nothing".');
});

test.each(['127.0.0.1', '::1'])('a tcp address at %s is dialled as given', async (host) => {
  await fake(join(folder, 'docker.sock'), { version: 'A' });
  const daemon = await fake({ host }, { version: 'T' });
  expect(await chosen({ DOCKER_HOST: daemon.address })).toMatchObject({ status: 'connected', version: 'T', address: daemon.address });
});

test('a dead tcp address is told as refused and the default socket is not taken in its place', async () => {
  const daemon = await fake(join(folder, 'docker.sock'), { version: 'A' });
  const seen = await chosen({ DOCKER_HOST: 'tcp://127.0.0.1:1' });
  expect(seen).toMatchObject({ status: 'unreachable', message: 'The connection to tcp://127.0.0.1:1 (from DOCKER_HOST) was refused.' });
  expect(daemon.requests).toEqual([]);
});

test('ssh is told as not supported, with a way out', async () => {
  expect(await chosen({ DOCKER_HOST: 'ssh://dev@host' })).toMatchObject({
    status: 'unsupported',
    message: expect.stringMatching(/^ssh is not supported \(ssh:\/\/dev@host\)\. Forward the socket/),
  });
});

test('the rootless Podman socket of this user is dialled without XDG_RUNTIME_DIR', async (context) => {
  const runFolder = '/run/user/424242';
  if (process.getuid?.() !== 0) context.skip(`skipped: only root can make ${runFolder}`);
  await mkdir(join(runFolder, 'podman'), { recursive: true });
  try {
    await fake(join(runFolder, 'podman/podman.sock'), { isPodman: true, version: '4.3.1' });
    const runtimes = await look({}, { uid: 424_242, below: runFolder });
    expect(runtimes.list()).toMatchObject([{ kind: 'podman', status: 'connected', source: 'rootless Podman socket', is_default: true }]);
  } finally {
    await rm(runFolder, { recursive: true });
  }
});

test('contexts are listed as reachable, unreachable and unreadable, the chosen one is used, and nothing is written', async () => {
  const config = join(folder, 'config');
  const write = async (id: string, text: string) => {
    await mkdir(join(config, 'contexts/meta', id), { recursive: true });
    await writeFile(join(config, 'contexts/meta', id, 'meta.json'), text);
  };
  const colima = await fake(join(folder, 'c.sock'), { version: 'C' });
  const other = await fake(join(folder, 'h.sock'), { version: 'H' });
  await write('a1', JSON.stringify({ Name: 'colima', Endpoints: { docker: { Host: colima.address } } }));
  await write('b2', JSON.stringify({ Name: 'orbstack', Endpoints: { docker: { Host: `unix://${folder}/o.sock` } } }));
  await write('c3', '{"Name":"broken","Endp');
  await writeFile(join(config, 'config.json'), '{"currentContext":"colima"}');
  const contents = async () => {
    const names = (await readdir(config, { recursive: true })).sort();
    return Promise.all(names.map(async (name) => [name, (await stat(join(config, name))).mtimeMs]));
  };
  const before = await contents();
  const seen = async (env: Record<string, string>) => {
    const list = (await look({ DOCKER_CONFIG: config, ...env })).list();
    return list.map(({ source, status, is_default }) => `${source} ${status}${is_default ? ' *' : ''}`).sort();
  };
  expect(await seen({})).toEqual(['context "c3" unreadable', 'context "colima" connected *', 'context "orbstack" absent']);
  expect(await seen({ DOCKER_CONTEXT: 'orbstack' })).toContain('context "orbstack" absent *');
  expect(await seen({ DOCKER_CONTEXT: 'orbstack', DOCKER_HOST: other.socketPath })).toContain('DOCKER_HOST connected *');
  expect(await contents()).toEqual(before);
});

/** A daemon whose socket nobody may use. It is dialled once before: an ordinary user may not be able to read our own modules later. */
const deniedFake = async (path: string, behaviour: Partial<FakeBehaviour> = {}) => {
  await chmod(folder, 0o755);
  const daemon = await fake(path, behaviour);
  await look({ DOCKER_HOST: daemon.socketPath });
  await chmod(daemon.socketPath, 0);
  return daemon;
};

/** Acts as a user who may not read what root owns; an ordinary user already is one. */
const asOrdinaryUser = async <T>(work: () => Promise<T>): Promise<T> => {
  if (process.getuid?.() !== 0) return await work();
  process.seteuid?.(nobody);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
};

test('a socket that is not accessible says so, and is used within ten seconds once it is', { timeout: 20_000 }, async () => {
  const daemon = await deniedFake(join(folder, 'p.sock'));
  await asOrdinaryUser(async () => {
    const runtimes = await look({ DOCKER_HOST: daemon.socketPath }, { retryMs: 5000 });
    const probe = runtimes.list()[0];
    expect(probe).toMatchObject({
      status: 'permission_denied',
      message: expect.stringMatching(/p\.sock, .*permission denied.*group.*needs a new login/),
      fix: 'sudo usermod -aG docker "$USER"',
    });
    expect(() => runtimes.get('docker')).toThrow(/permission denied/);
    process.seteuid?.(process.getuid?.() ?? 0);
    await chmod(daemon.socketPath, 0o666);
    if (process.getuid?.() === 0) process.seteuid?.(nobody);
    await vi.waitFor(() => expect(runtimes.list()[0]?.status).toBe('connected'), { timeout: 10_000, interval: 50 });
  });
});

test("another user's Podman is no matter of groups", async () => {
  const daemon = await deniedFake(join(folder, 'podman.sock'), { isPodman: true });
  const probe = await asOrdinaryUser(async () => (await look({ DOCKER_HOST: daemon.socketPath })).list()[0]);
  expect(probe).toMatchObject({ status: 'permission_denied', fix: 'systemctl --user enable --now podman.socket' });
  expect(probe?.message).toMatch(/permission denied/);
  expect(probe?.message).not.toMatch(/group/);
});

test('with no socket anywhere the places that were tried are listed', async () => {
  const probe = (await look({ XDG_RUNTIME_DIR: folder })).list()[0];
  expect(probe).toMatchObject({ status: 'absent', message: expect.stringContaining('No container runtime was found. Looked at: ') });
  expect(probe?.message).toContain(`unix://${folder}/docker.sock`);
  expect(probe?.message).toContain(`unix://${folder}/podman/podman.sock`);
});

test('a daemon that is too old is listed as such, with both numbers', async () => {
  const daemon = await fake(join(folder, 'd.sock'), { apiVersion: '1.24', minApiVersion: '1.12' });
  expect(await chosen({ DOCKER_HOST: daemon.socketPath })).toMatchObject({
    status: 'too_old',
    message: expect.stringMatching(/API 1\.24.*needs 1\.40/),
  });
});
