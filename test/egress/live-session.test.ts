// An environment that is live: an edit that closes its network does so within a second, the next turn gets the rest, and a configuration
// that cannot start leaves the old sandbox as it was.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchRuled, runInside } from '../runtime/support/gated-host.ts';
import { type RealHost, removeRealHost, startRealHost, until } from '../runtime/support/real-host.ts';
import { testRuntimes } from '../runtime/support/test-image.ts';

describe.each(testRuntimes)('a live environment on $kind', ({ kind }) => {
  let host: RealHost;
  beforeAll(async () => {
    host = await startRealHost();
  });
  afterAll(async () => {
    await removeRealHost(host);
  });

  test('closes at once, brings in the rest with the next turn, and stays as it was when that cannot start', {
    timeout: 180_000,
  }, async () => {
    const { id: environment_id } = await host.call('environments.create', {
      body: { name: 'live', recipe_yaml: 'base: debian\n', runtime: kind, network_policy: {}, live: true },
    });
    const { id: session_id } = await launchRuled(host, environment_id);
    const session = () => host.call('sessions.get', { session_id });
    const update = async (patch: object) => {
      const { network_policy, privileged } = await host.call('environments.get', { environment_id });
      const expected_access = { network_policy, privileged };
      await host.call('environments.update', { environment_id, patch: { ...patch, expected_access } });
    };
    expect(await runInside(host, session_id, 'ls /sys/class/net; echo kept > /workspace/a')).toBe('eth0\nlo');
    await update({ network_policy: { version: 'v1', rules: [{ action: 'allow', hosts: ['example.org'] }] } });
    const cut = await until(session, ({ message }) => message !== null, 1_000);
    expect(cut.message).toMatch(/was taken off its open network/);
    expect(await runInside(host, session_id, 'ls /sys/class/net; cat /workspace/a')).toBe('lo\nkept');
    expect(await session()).toMatchObject({ network: 'gate', environment_revision: 2, message: null });

    await update({ network_policy: { version: 'v1', rules: [] } });
    const inForce = async () => await readFile(join(host.folder, 'gates', session_id.slice(-16), 'policy.json'), 'utf8');
    expect(JSON.parse(await until(inForce, (text) => text.includes('"rules":[]'), 1_000))).toMatchObject({
      policy: { rules: [] },
      revision: 3,
    });

    await host.call('environments.update', {
      environment_id,
      patch: { resources: { size: 'custom', cpus: 1, memory_gib: 0.0009, gpu: false } },
    });
    const refused = await host.refusal('execs.start', { session_id, command: ['true'] });
    expect(refused.message).toMatch(/^"live" could not take the place of the sandbox of "live", which goes on as it was: /);
    expect((await session()).status).toBe('running');
  });

  test('a stopped session is not started again under the rules before, and one whose rules cannot be read holds up no other', {
    timeout: 180_000,
  }, async () => {
    const policy = { version: 'v1' as const, rules: [{ action: 'allow' as const, hosts: ['example.org'] }] };
    const { id: environment_id } = await host.call('environments.create', {
      body: { name: 'stopped', recipe_yaml: 'base: debian\n', runtime: kind, network_policy: policy, live: true },
    });
    const sessions = [await launchRuled(host, environment_id), await launchRuled(host, environment_id)];
    const [spoiled, other] = sessions.map(({ id }) => ({ id, file: join(host.folder, 'gates', id.slice(-16), 'policy.json') }));
    await host.call('sessions.stop', { session_id: other!.id });
    await writeFile(spoiled!.file, 'nothing');
    const expected_access = { network_policy: policy, privileged: false };
    const patch = { network_policy: { version: 'v1' as const, rules: [] }, expected_access };
    await host.call('environments.update', { environment_id, patch });
    const kept = await until(
      () => readFile(other!.file, 'utf8'),
      (text) => text.includes('"rules":[]'),
      2_000,
    );
    expect(JSON.parse(kept)).toMatchObject({ policy: { rules: [] }, revision: 2 });
    expect((await host.call('sessions.resume', { session_id: other!.id })).status).toBe('running');
    for (const { id: session_id } of sessions) await host.call('sessions.delete', { session_id });
  });
});
