// A whole host with its web door, and what sandboxes see of it: the unrestricted ones, which have the runtime's bridge, and environments that
// would undo their own policy. Source: NETWORK.md G23, G25, H05, H13.
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EnvironmentCreate } from '../../sandbox-engine/contract/calls.ts';
import type { NetworkPolicy, Session } from '../../sandbox-engine/contract/model.ts';
import { type RealHost, removeRealHost, startRealHost, until } from '../runtime/support/real-host.ts';
import { testRuntimes } from '../runtime/support/test-image.ts';

const own = Object.values(networkInterfaces())
  .flatMap((list) => list ?? [])
  .filter(({ family, internal }) => family === 'IPv4' && !internal)
  .map(({ address }) => address);
const isPrivate = (address: string): boolean => /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.)/.test(address);
const closed: NetworkPolicy = { version: 'v1', rules: [] };

describe.each(testRuntimes)('a host with its web door, on $kind', ({ kind }) => {
  let host: RealHost;
  let port = 0;

  const create = (name: string, more: Partial<EnvironmentCreate>) =>
    host.call('environments.create', { body: { name, recipe_yaml: 'base: debian\n', runtime: kind, ...more } });
  const launch = async (environmentId: string): Promise<Session> => {
    const { id } = await host.call('sessions.launch', { environment_id: environmentId });
    return await until(
      () => host.call('sessions.get', { session_id: id }),
      ({ status }) => status !== 'starting',
      300_000,
    );
  };
  const inside = async ({ id: sessionId }: Session, script: string): Promise<string> => {
    const { id } = await host.call('execs.start', { session_id: sessionId, command: ['bash', '-c', `exec 2>&1; ${script}`] });
    const ended = await until(
      () => host.call('execs.get', { exec_id: id, wait_seconds: 5 }),
      ({ status }) => status !== 'running',
    );
    return (await host.text(ended.stdout_stream_id)).trim();
  };
  /** Of each address the first line that came back from the web door's port, or that it is closed. */
  const knock = (addresses: string[]): string =>
    addresses
      .map(
        (ip) =>
          `timeout 3 bash -c 'exec 3<>/dev/tcp/${ip}/${port} && printf "GET / HTTP/1.0\\r\\n\\r\\n" >&3 && head -n1 <&3' 2>/dev/null || echo closed`,
      )
      .join('; ');

  beforeAll(async () => {
    host = await startRealHost();
    const isThere = ({ runtimes }: { runtimes: { kind: string; status: string }[] }) =>
      runtimes.some((runtime) => runtime.kind === kind && runtime.status === 'connected');
    await until(() => host.call('app.snapshot', {}), isThere, 60_000);
    const opened = await host.client.control('open');
    if (!opened.ok) throw new Error(opened.error.message);
    port = Number(new URL(String(opened.value['url'])).port);
  }, 120_000);
  afterAll(async () => await removeRealHost(host), 120_000);

  test('H13: an unrestricted session has the bridge, and this host is on none of its addresses', { timeout: 400_000 }, async () => {
    const session = await launch((await create('open', { network_policy: {} })).id);
    expect([session.status, session.network]).toEqual(['running', 'unrestricted']);
    expect((await inside(session, knock(['127.0.0.1', ...own]))).split('\n')).toEqual(['127.0.0.1', ...own].map(() => 'closed'));
    // The door itself is open, and asks who it is.
    const stranger = await fetch(`http://127.0.0.1:${port}/api/v1/environments`, { headers: { origin: 'http://evil.test' } });
    expect([401, 403]).toContain(stranger.status);
    // A restricted session has no address that anybody could reach.
    const gated = await launch((await create('closed', { network_policy: closed })).id);
    expect(await inside(gated, 'ls /sys/class/net | grep -cE "^(eth|veth)"')).toBe('0');
  });

  test('H05: a rule for private addresses does not open this host', { timeout: 400_000 }, async () => {
    const rules = own
      .filter(isPrivate)
      .map((address) => ({ action: 'allow' as const, hosts: [address], ports: [port], allow_private: true }));
    const session = await launch((await create('own', { network_policy: { version: 'v1', rules } })).id);
    const said = await inside(session, knock(['127.0.0.1', ...own]));
    expect(said.split('\n').filter((line) => /200|30[0-9]|401/.test(line))).toEqual([]);
  });

  test.each<[string, Record<string, unknown>]>([
    ['privileged', { privileged: true }],
    ['capabilities', { cap_add: ['NET_ADMIN'] }],
    ['settings of the kernel', { sysctls: { 'net.ipv4.ip_forward': '1' } }],
    ['devices', { devices: ['/dev/net/tun'] }],
    ["the machine's namespaces", { pid: 'host', ipc: 'host', userns: 'host' }],
  ])('G23: a restricted environment with %s is refused when it is saved', async (_what, more) => {
    const refused = await host.refusal('environments.create', {
      body: { name: 'odd', recipe_yaml: 'base: debian\n', runtime: kind, network_policy: closed, ...more } as never,
    });
    expect(refused.code).toBe('invalid_request');
  });

  test.each(['/var/run/docker.sock', '/run', '/proc', '/', '/dev'])(
    'G25: %s goes into no sandbox, whatever was agreed to',
    async (source) => {
      const mounts = [{ source, target: '/mnt/x', read_only: true }];
      const body = {
        name: `mount ${source.replaceAll('/', '-')}`,
        recipe_yaml: 'base: debian\n',
        runtime: kind,
        network_policy: closed,
        mounts,
      };
      const made = await host.client.call('environments.create', { body });
      if (!made.ok) {
        expect(made.error.message).toMatch(/which a sandbox never gets/);
        return;
      }
      const environment = made.value;
      const { folders } = await host.call('environments.folders', { environment_id: environment.id });
      await host.call('environments.agree_folders', {
        environment_id: environment.id,
        folders: folders.map(({ is_agreed: _agreed, ...folder }) => folder),
      });
      const reply = await host.client.call('sessions.launch', { environment_id: environment.id });
      const message = reply.ok
        ? (
            await until(
              () => host.call('sessions.get', { session_id: reply.value.id }),
              ({ status }) => status !== 'starting',
              300_000,
            )
          ).message
        : reply.error.message;
      expect(message).toMatch(/goes into no sandbox/);
    },
  );
});
