// A session and a setup run of a real host whose gates reach it over TCP, as where the runtime is in a virtual machine: the rules decide, the
// canary finds all sealed, and a host that is killed, a stop and an end leave what they should.
// Source: NETWORK.md 3.3, J05; issue 4.
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDockerRuntime } from '../../sandbox-engine/container/docker-runtime.ts';
import type { NetworkRule, Session } from '../../sandbox-engine/contract/model.ts';
import { carrierName } from '../../sandbox-engine/gate/carrier-container.ts';
import { askFor, createRuled, launchRuled, runInside } from '../runtime/support/gated-host.ts';
import { type RealHost, removeRealHost, startRealHost, until } from '../runtime/support/real-host.ts';
import { testRuntimes } from '../runtime/support/test-image.ts';

const rules: NetworkRule[] = [{ action: 'allow', hosts: ['*.allowed.test'], ports: [80] }];
const env = { SANDLOT_GATES: 'tcp' };

const ask = (name: string): string => askFor(name, '^x-sandlot-reason');

describe.each(testRuntimes)('a host whose gates reach it over TCP, on $kind', ({ kind, socket }) => {
  const target = { kind: 'socket', address: `unix://${socket}`, socketPath: socket } as const;
  const runtime = createDockerRuntime({ id: kind, kind, connection: target });
  let host: RealHost;
  let session: Session;

  const create = (name: string, more: object = {}) => createRuled(host, kind, rules, { name, ...more });
  const get = () => host.call('sessions.get', { session_id: session.id });
  const inside = (script: string): Promise<string> => runInside(host, session.id, script);
  const refused = 'X-Sandlot-Reason: no_rule';

  beforeAll(async () => {
    host = await startRealHost({ env });
    session = await launchRuled(host, (await create('over tcp')).id);
  }, 320_000);
  afterAll(async () => {
    await removeRealHost(host);
    runtime.close();
  });

  test('the session says so, the rules decide, and the canary finds every way out sealed', async () => {
    expect([session.status, session.message, session.network, session.gate_over]).toEqual(['running', null, 'gate', 'tcp']);
    expect([await inside(ask('blocked.test')), await inside(ask('a.allowed.test'))]).toEqual([refused, 'X-Sandlot-Reason: resolve_failed']);
    const { seal } = await until(get, (now) => now.seal !== null);
    expect([seal?.passed, seal?.probes.filter(({ result }) => result !== 'sealed')]).toEqual([seal?.total, []]);
    const carrier = await runtime.inspectContainer(carrierName(session.id));
    expect([carrier?.status, carrier?.mounts.map(({ type }) => type)]).toEqual(['running', ['volume']]);
  });

  test('a forwarded port leads to what listens at loopback inside, also after a stop, though the gate is reached over TCP', async () => {
    const serve = `perl -MIO::Socket::INET -e '$s = IO::Socket::INET->new(Listen => 5, LocalAddr => "127.0.0.1:8123", ReuseAddr => 1); while ($c = $s->accept) { print $c "hello from inside\\n"; close $c }' >/dev/null 2>&1 &`;
    const heard = async (port: number): Promise<string> => {
      const socket = connect({ host: '127.0.0.1', port });
      let said = '';
      socket
        .on('error', () => undefined)
        .on('data', (bytes: Buffer) => {
          said += bytes.toString();
        });
      await new Promise((resolve) => socket.once('close', resolve));
      return said;
    };
    await inside(serve);
    const isSeen = async () => {
      const { listening } = await host.call('ports.list', { session_id: session.id });
      return listening?.some(({ port }) => port === 8123) === true;
    };
    expect(await until(isSeen, (seen) => seen, 10_000)).toBe(true);
    const { local_port: port } = await host.call('ports.forward', { session_id: session.id, port: 8123 });
    expect(await heard(port)).toBe('hello from inside\n');
    await host.call('sessions.stop', { session_id: session.id });
    expect(await heard(port)).toBe('');
    await host.call('sessions.resume', { session_id: session.id });
    await inside(serve);
    expect(
      await until(
        () => heard(port),
        (said) => said !== '',
        10_000,
      ),
    ).toBe('hello from inside\n');
    await host.call('ports.stop', { session_id: session.id, port: 8123 });
  });

  test('with the host killed nothing passes; the next one, which knows nothing of the way, makes another carrier, and the session has gone on', async () => {
    const [before, carrier] = [
      await runtime.inspectContainer(session.container_id ?? ''),
      await runtime.inspectContainer(carrierName(session.id)),
    ];
    await host.kill();
    const alone = await runtime.exec(session.container_id ?? '', {
      ...{ command: ['bash', '-c', ask('blocked.test')], user: 'sandbox', stdin: false },
    });
    const parts: Buffer[] = [];
    for await (const { bytes } of alone.output) parts.push(bytes);
    expect(Buffer.concat(parts).toString('utf8').trim()).toMatch(/nothing: \d+$/);
    host = await startRealHost({ folder: host.folder });
    expect(
      await until(
        () => inside(ask('blocked.test')),
        (said) => said === refused,
        30_000,
      ),
    ).toBe(refused);
    const after = await runtime.inspectContainer(session.container_id ?? '');
    const anew = await runtime.inspectContainer(carrierName(session.id));
    expect([after?.startedAt, (await get()).status, (await get()).message]).toEqual([before?.startedAt, 'running', null]);
    expect([anew?.status, anew?.id === carrier?.id]).toEqual(['running', false]);
  });

  test('a carrier that is killed is mended; stopped, resumed and deleted, the session leaves none behind', async () => {
    const carrier = await runtime.inspectContainer(carrierName(session.id));
    await runtime.killContainer(carrier?.id ?? '');
    expect(
      await until(
        () => inside(ask('blocked.test')),
        (said) => said === refused,
        30_000,
      ),
    ).toBe(refused);
    await host.call('sessions.stop', { session_id: session.id });
    expect(await runtime.inspectContainer(carrierName(session.id))).toBeNull();
    await host.call('sessions.resume', { session_id: session.id });
    expect(await inside(ask('blocked.test'))).toBe(refused);
    await host.call('sessions.delete', { session_id: session.id });
    const left = await runtime.listContainers({ 'dev.sandlot.session': session.id });
    expect([left, await runtime.listVolumes({ 'dev.sandlot.session': session.id })]).toEqual([[], []]);
  });

  test('a setup run takes the same way, and names what was blocked', async () => {
    await host.shutdown(true);
    host = await startRealHost({ folder: host.folder, env });
    const script = `set -e\necho begin\n(${ask('blocked.test')}) | grep resolve\n`;
    const { id: environment_id } = await create('setup over tcp', { setup: { script } });
    const { id } = await host.call('setup_runs.create', { environment_id, idempotency_key: 'k' });
    const run = await until(
      () => host.call('setup_runs.get', { setup_run_id: id, wait_seconds: 5 }),
      ({ finished_at }) => finished_at !== null,
    );
    expect([run.status, run.failed_line, run.failure_code]).toEqual(['failed', 3, 'egress_blocked']);
    expect(await runtime.listVolumes({ 'dev.sandlot.setup-run': id })).toEqual([]);
  });
});
