// Sessions and setup runs with network rules through a real host: the rules decide, and a host that dies, a gate that dies, a stop and a
// damaged file leave nothing open; what can be mended is mended.
// Source: SPEC.md 6 (Enforcement, fail closed); NETWORK.md G13, J05, J09, J11.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDockerRuntime } from '../../sandbox-engine/container/docker-runtime.ts';
import { labelKeys } from '../../sandbox-engine/container/labels.ts';
import type { NetworkRule, Session, SetupRun } from '../../sandbox-engine/contract/model.ts';
import { gateName, standInName } from '../../sandbox-engine/gate/gate-container.ts';
import { collidingNames } from './support/colliding-names.ts';
import { askFor, createRuled, launchRuled, runInside } from './support/gated-host.ts';
import { type RealHost, removeRealHost, startRealHost, until } from './support/real-host.ts';
import { testRuntimes } from './support/test-image.ts';

const rules: NetworkRule[] = [
  { action: 'deny', hosts: ['secret.allowed.test'] },
  { action: 'allow', hosts: ['*.allowed.test'], ports: [80] },
];

const ask = (name: string): string => askFor(name, '^HTTP|^x-sandlot-reason');

describe.each(testRuntimes)('a host on $kind', ({ kind, socket }) => {
  const target = { kind: 'socket', address: `unix://${socket}`, socketPath: socket } as const;
  const runtime = createDockerRuntime({ id: kind, kind, connection: target });
  let host: RealHost;
  let session: Session;

  const create = (name: string, more: object = {}) => createRuled(host, kind, rules, { name, ...more });
  const get = () => host.call('sessions.get', { session_id: session.id });
  const inside = (script: string): Promise<string> => runInside(host, session.id, script);
  const insideWithoutHost = async (script: string): Promise<string> => {
    const handle = await runtime.exec(session.container_id ?? '', { command: ['bash', '-c', script], user: 'sandbox', stdin: false });
    const parts: Buffer[] = [];
    for await (const { bytes } of handle.output) parts.push(bytes);
    return Buffer.concat(parts).toString('utf8').trim();
  };
  const runSetup = async (environmentId: string, more: { observe?: boolean } = {}): Promise<SetupRun> => {
    const { id } = await host.call('setup_runs.create', { environment_id: environmentId, idempotency_key: environmentId, ...more });
    return await until(
      () => host.call('setup_runs.get', { setup_run_id: id, wait_seconds: 5 }),
      ({ finished_at }) => finished_at !== null,
    );
  };
  const refused = 'HTTP/1.1 403 Forbidden (Sandlot: no_rule)\nX-Sandlot-Reason: no_rule';

  beforeAll(async () => {
    host = await startRealHost();
    session = await launchRuled(host, (await create('gated')).id);
  }, 320_000);
  afterAll(async () => {
    await removeRealHost(host);
    runtime.close();
  });

  test('the launch shows the gate with its time, and the rules decide', async () => {
    expect([session.status, session.message, session.network]).toEqual(['running', null, 'gate']);
    expect(session.steps.map(({ name, status }) => `${name} ${status}`)).toEqual(
      expect.arrayContaining(['gate succeeded', 'start succeeded']),
    );
    expect(await inside(ask('blocked.test'))).toBe(refused);
    expect(await inside(ask('secret.allowed.test'))).toContain('denied_by_rule');
    // Allowed, and there is no such name out there.
    expect(await inside(ask('a.allowed.test'))).toMatch(/^HTTP\/1\.1 502 .*\nX-Sandlot-Reason: resolve_failed/);
    // They are told of in batches.
    const { attempts } = await until(
      () => host.call('egress.log', { session_id: session.id }),
      ({ attempts: told }) => told.some(({ host: name }) => name === 'a.allowed.test'),
    );
    expect(attempts.map(({ host: name, verdict }) => `${name} ${verdict}`)).toEqual(
      expect.arrayContaining(['blocked.test blocked', 'secret.allowed.test blocked']),
    );
    expect(attempts.filter(({ host: name }) => name?.startsWith('198.18.') || name?.startsWith('self-test'))).toEqual([]);
  });

  test("the canary finds every way out sealed, and stands in nobody's log", async () => {
    const { seal } = await until(get, (now) => now.seal !== null);
    expect([seal?.passed, seal?.probes.filter(({ result }) => result !== 'sealed')]).toEqual([seal?.total, []]);
    expect(seal?.total).toBe(9);
    const { attempts } = await host.call('egress.log', { session_id: session.id });
    expect(attempts.filter(({ host: name }) => name?.startsWith('canary-'))).toEqual([]);
  });

  test('J05, J11: with the host killed nothing passes; the next host opens it under the same policy, names keep their addresses, and the session has gone on', async () => {
    // Two names of which each would get the other's address if it were asked for first.
    const asked = collidingNames('.allowed.test');
    const addresses: string[] = [];
    for (const name of asked) addresses.push(await inside(`getent ahostsv4 ${name} | head -n1 | cut -d' ' -f1`));
    const before = await runtime.inspectContainer(session.container_id ?? '');
    await host.kill();
    expect(await insideWithoutHost(ask('blocked.test'))).toMatch(/nothing: \d+$/);
    host = await startRealHost({ folder: host.folder });
    expect(
      await until(
        () => insideWithoutHost(ask('blocked.test')),
        (said) => said === refused,
        30_000,
      ),
    ).toBe(refused);
    expect(await inside(ask('secret.allowed.test'))).toContain('denied_by_rule');
    for (const name of asked.toReversed())
      expect(await inside(`getent ahostsv4 ${name} | head -n1 | cut -d' ' -f1`)).toBe(addresses[asked.indexOf(name)]);
    expect(new Set(addresses).size).toBe(2);
    const after = await runtime.inspectContainer(session.container_id ?? '');
    expect([after?.startedAt, (await get()).status, (await get()).message]).toEqual([before?.startedAt, 'running', null]);
  });

  test('G13: a gate that is killed is mended while the session goes on', async () => {
    const gate = await runtime.inspectContainer(gateName(session.id));
    await runtime.killContainer(gate?.id ?? '');
    const standIn = await until(
      () => runtime.inspectContainer(standInName(session.id)),
      (found) => found?.status === 'running',
      30_000,
    );
    expect(standIn?.status).toBe('running');
    expect(
      await until(
        () => inside(ask('blocked.test')),
        (said) => said === refused,
        30_000,
      ),
    ).toBe(refused);
    expect([(await get()).status, (await get()).message]).toEqual(['running', null]);
  });

  test('stopped, its gate stops too; resumed, it is behind its own gate again', async () => {
    await host.call('sessions.stop', { session_id: session.id });
    const stopped = await Promise.all([gateName(session.id), standInName(session.id)].map((name) => runtime.inspectContainer(name)));
    expect(stopped.map((found) => found?.status ?? 'gone')).toEqual(['exited', 'gone']);
    await host.call('sessions.resume', { session_id: session.id });
    expect(await inside(ask('blocked.test'))).toBe(refused);
  });

  test('J09: a policy file that is damaged opens nothing: the session does not resume, and says why', async () => {
    await host.call('sessions.stop', { session_id: session.id });
    const file = join(host.folder, 'gates', session.id.slice(-16), 'policy.json');
    const kept = await readFile(file, 'utf8');
    for (const damage of ['', kept.slice(0, -20), '{}', kept.replace(/"policy":\{.*?\]\}/, '"policy":{}'), kept.replace('"v1"', '"v2"')]) {
      await writeFile(file, damage);
      const { code, message } = await host.refusal('sessions.resume', { session_id: session.id });
      expect([code, message]).toEqual(['gate_failed', expect.stringContaining('cannot be read')]);
    }
    expect((await runtime.inspectContainer(session.container_id ?? ''))?.status).toBe('exited');
    await writeFile(file, kept);
    await host.call('sessions.resume', { session_id: session.id });
    expect(await inside(ask('blocked.test'))).toBe(refused);
  });

  test('a setup run keeps the same rules, names what was blocked, and leaves no gate behind', async () => {
    const script = `set -e\n( ${ask('secret.allowed.test')} )\n${ask('blocked.test').replace(/ \|\| echo.*/, '')} | grep ' 200 '`;
    const environment = await create('gated setup', { setup: { script } });
    const run = await runSetup(environment.id);
    expect([run.status, run.failed_line, run.failure_code, run.hint]).toEqual([
      ...['failed', 3, 'egress_blocked'],
      expect.stringContaining('blocked.test:80'),
    ]);
    // What a line lived with is said below it, before the next one begins.
    const { lines } = await host.call('setup_runs.logs', { setup_run_id: run.id, after: 0, limit: 200 });
    const told = lines.flatMap<number | string | null>(({ stream, line, text }) =>
      stream === 'marker' ? [line] : text.startsWith('The network policy blocked ') ? [text.slice(27)] : [],
    );
    expect([told, run.blocked_destinations]).toEqual([[1, 2, 'secret.allowed.test:80 at line 2.', 3, 'blocked.test:80 at line 3.'], 2]);
    expect(await runtime.listContainers({ [labelKeys.setupRun]: run.id })).toEqual([]);
  });

  test('apt without any access is told of the policy, not of keys and signatures, and what it tried is seen', async () => {
    const setup = { script: 'echo begin\nsudo apt-get update' };
    const environment = await create('gated apt', { setup, network_policy: { version: 'v1', rules: [] } });
    const run = await runSetup(environment.id);
    expect([run.status, run.failed_line, run.hint_code, run.failure_code]).toEqual(['failed', 2, 'egress_blocked', 'egress_blocked']);
    const { attempts } = await host.call('egress.log', { setup_run_id: run.id });
    const seen = new Set(attempts.map(({ port, verdict, reason, cause }) => JSON.stringify([port, verdict, reason, cause])));
    expect([...seen]).toEqual([JSON.stringify([80, 'blocked', 'no_rule', { kind: 'setup_line', line: 2 }])]);
  });

  test('an observed setup run is stopped by no missing rule, and leaves verdict and images as they were', async () => {
    const script = [ask('blocked.test'), ask('secret.allowed.test')].map((one) => `( ${one} )`).join('\n');
    const environment = await create('observed setup', { setup: { script } });
    const run = await runSetup(environment.id, { observe: true });
    const phases = run.phases.filter(({ phase }) => phase === 'commit').map(({ status }) => status);
    expect([run.status, run.observed, run.prepared_image_id, phases]).toEqual(['succeeded', true, null, ['skipped']]);
    const { attempts } = await host.call('egress.log', { setup_run_id: run.id });
    // Past the rules, and there is no such name out there.
    expect(attempts.map(({ host: name, reason, cause }) => [name, reason, cause]).reverse()).toEqual([
      ['blocked.test', 'resolve_failed', { kind: 'setup_line', line: 1 }],
      ['secret.allowed.test', 'denied_by_rule', { kind: 'setup_line', line: 2 }],
    ]);
    const { setup_verification } = await host.call('environments.get', { environment_id: environment.id });
    expect([setup_verification.label, setup_verification.last_run]).toEqual(['Never', null]);
  });

  test('an observed session stays so when the host is killed, and ends when somebody says so', async () => {
    const environment = await create('observed session');
    const { id } = await host.call('sessions.launch', { environment_id: environment.id, observe: true });
    const gated = session;
    session = await until(
      () => host.call('sessions.get', { session_id: id }),
      ({ status, seal }) => status !== 'starting' && seal !== null,
    );
    expect([session.status, session.observed, session.seal?.passed]).toEqual(['running', true, session.seal?.total]);
    expect(await inside(ask('blocked.test'))).toContain('resolve_failed');
    await host.kill();
    host = await startRealHost({ folder: host.folder });
    expect(await inside(ask('blocked.test'))).toContain('resolve_failed');
    expect(await inside(ask('secret.allowed.test'))).toContain('denied_by_rule');
    expect(await host.call('sessions.end_observation', { session_id: id })).toMatchObject({ observed: false });
    expect(await inside(ask('blocked.test'))).toBe(refused);
    await host.call('sessions.delete', { session_id: id });
    session = gated;
  });

  test('its sandbox and gate pruned outside Sandlot, it keeps its workspace, and a new sandbox is behind the same rules', async () => {
    expect(await inside('echo kept > /workspace/kept')).toBe('');
    await host.call('sessions.stop', { session_id: session.id });
    for (const name of [`sandlot-${session.id}`, gateName(session.id)]) await runtime.removeContainer(name);
    await until(get, ({ container_id }) => container_id === null);
    const { items } = await host.call('app.prune', { dry_run: true });
    expect([(await get()).status, items.filter(({ name }) => name === session.volume)]).toEqual(['stopped', []]);
    expect((await host.refusal('sessions.resume', { session_id: session.id })).code).toBe('session_not_running');
    expect(await host.call('sessions.replace', { session_id: session.id })).toMatchObject({ status: 'running', network: 'gate' });
    expect(await inside('cat /workspace/kept')).toBe('kept');
    expect(await inside(ask('blocked.test'))).toBe(refused);
  });

  test('deleted, nothing of it is left', async () => {
    await host.call('sessions.delete', { session_id: session.id });
    expect(await runtime.listContainers({ [labelKeys.session]: session.id })).toEqual([]);
    // The folder of a gate that stands ready for the next session may be there.
    expect(await readdir(join(host.folder, 'gates'))).not.toContain(session.id.slice(-16));
  });
});
