// A session of a real host that loses its gate alone, or its host in the middle of a replacement: it is closed meanwhile, never under the
// rules of another environment, and goes on.
// Source: SPEC.md 6 (fail closed, and it heals), 7 (Replace).
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDockerRuntime } from '../../sandbox-engine/container/docker-runtime.ts';
import { labelKeys } from '../../sandbox-engine/container/labels.ts';
import type { NetworkRule, Session } from '../../sandbox-engine/contract/model.ts';
import { gateName, standInName } from '../../sandbox-engine/gate/gate-container.ts';
import { askFor, createRuled, launchRuled, runInside } from './support/gated-host.ts';
import { leftOvers } from './support/left-overs.ts';
import { type RealHost, removeRealHost, startRealHost, until } from './support/real-host.ts';
import { testRuntimes } from './support/test-image.ts';

const allow = (host: string): NetworkRule[] => [{ action: 'allow', hosts: [host], ports: [80] }];
const ask = (name: string): string => askFor(name, '^x-sandlot-reason');
const answers = { passes: 'X-Sandlot-Reason: resolve_failed', refused: 'X-Sandlot-Reason: no_rule' };

describe.each(testRuntimes)('a host on $kind', ({ kind, socket }) => {
  const target = { kind: 'socket', address: `unix://${socket}`, socketPath: socket } as const;
  const runtime = createDockerRuntime({ id: kind, kind, connection: target });
  let host: RealHost;
  let session: Session;

  const get = () => host.call('sessions.get', { session_id: session.id });
  const inside = (script: string): Promise<string> => runInside(host, session.id, script);
  const reached = async () => [await inside(ask('one.test')), await inside(ask('two.test'))];
  const byId = () => ({ session_id: session.id });
  const removeGate = () => runtime.removeContainer(gateName(session.id));
  const create = async (name: string, allowed: string): Promise<string> => (await createRuled(host, kind, allow(allowed), { name })).id;

  beforeAll(async () => {
    host = await startRealHost();
    session = await launchRuled(host, await create('one', 'one.test'));
  }, 320_000);
  afterAll(async () => {
    await removeRealHost(host);
    runtime.close();
  });

  test('six sessions, used and deleted, leave nothing behind', async () => {
    const home = (await readFile(join(host.folder, 'home-id'), 'utf8')).trim();
    const look = () => leftOvers(runtime, host.folder, home);
    const open = await host.call('environments.create', {
      body: { name: 'open', recipe_yaml: 'base: debian\n', runtime: kind, network_policy: {} },
    });
    const before = await until(look, ({ streams }) => streams.length > 0);
    const both = [session.environment_id, open.id];
    const launched = await Promise.all(
      [...both, ...both, ...both].map((environment_id) => host.call('sessions.launch', { environment_id })),
    );
    const used = launched.map(async ({ id }, at) => {
      await host.call('terminals.open', { session_id: id, cols: 80, rows: 24 });
      expect(await runInside(host, id, 'echo $((40 + 2)) | tee /workspace/a')).toBe('42');
      // Half of them by way of the ten minutes in which that can be undone; here it is one second.
      await host.call('sessions.delete', { session_id: id, ...(at < 3 ? { undo_seconds: 1 } : {}) });
    });
    await Promise.all(used);
    const isAsBefore = (now: Awaited<ReturnType<typeof look>>): boolean => JSON.stringify(now) === JSON.stringify(before);
    expect(await until(look, isAsBefore, 30_000)).toEqual(before);
  });

  test('killed in the middle of a replacement, the sandbox that stays has its own rules with the next host', async () => {
    const before = await get();
    const two = await create('two', 'two.test');
    const file = join(host.folder, 'gates', session.id.slice(-16), 'policy.json');
    // Nobody hears the answer.
    void host.client.call('sessions.replace', { ...byId(), environment_id: two }).catch(() => undefined);
    for (let turned = false; !turned; ) turned = (await readFile(file, 'utf8')).includes(two);
    await host.kill();
    host = await startRealHost({ folder: host.folder });
    const after = await until(get, ({ status }) => status === 'running');
    expect([after.container_id, after.environment_name]).toEqual([before.container_id, 'one']);
    expect(await until(reached, ([one]) => one === answers.passes, 30_000)).toEqual([answers.passes, answers.refused]);
    const sandboxes = await runtime.listContainers({ [labelKeys.session]: session.id, [labelKeys.role]: 'session' });
    expect(sandboxes.map(({ name }) => name)).toEqual([`sandlot-${session.id}`]);

    const replaced = await host.call('sessions.replace', { ...byId(), environment_id: two });
    expect([replaced.environment_name, await reached()]).toEqual(['two', [answers.refused, answers.passes]]);
    await host.call('sessions.replace', { ...byId(), environment_id: before.environment_id });
    expect(await reached()).toEqual([answers.passes, answers.refused]);
  });

  test.runIf(kind === 'podman')('a gate that a sandbox stands behind is not removed alone', async () => {
    await expect(removeGate()).rejects.toThrow(/dependent containers/);
  });

  test.runIf(kind === 'docker')(
    'a gate that is removed alone is made anew: the session goes on, is resumed with all its files, and can be replaced',
    async () => {
      const { container_id: containerId } = await get();
      await inside('echo kept > /home/sandbox/kept; sleep 900 >/dev/null 2>&1 & echo $! > /home/sandbox/pid');
      await removeGate();
      const standIn = () => runtime.inspectContainer(standInName(session.id));
      expect((await until(standIn, (found) => found?.status === 'running', 30_000))?.status).toBe('running');
      expect(await until(reached, ([one]) => one === answers.passes, 30_000)).toEqual([answers.passes, answers.refused]);
      expect(await inside('kill -0 $(cat /home/sandbox/pid) && echo alive')).toBe('alive');

      for (const round of ['first', 'again']) {
        await host.call('sessions.stop', byId());
        await removeGate();
        expect([round, (await host.call('sessions.resume', byId())).container_id]).toEqual([round, containerId]);
        expect([await inside('cat /home/sandbox/kept'), ...(await reached())]).toEqual(['kept', answers.passes, answers.refused]);
      }
      const { seal } = await until(get, (now) => now.seal !== null);
      expect(seal?.passed).toBe(seal?.total);
      await host.kill();
      host = await startRealHost({ folder: host.folder });
      expect(await until(reached, ([one]) => one === answers.passes, 30_000)).toEqual([answers.passes, answers.refused]);
      expect((await get()).message).toBeNull();
      await host.call('sessions.stop', byId());
      await host.call('sessions.resume', byId());
      expect(await reached()).toEqual([answers.passes, answers.refused]);

      await host.call('sessions.stop', byId());
      await removeGate();
      expect((await host.call('sessions.replace', byId())).status).toBe('running');
      expect(await reached()).toEqual([answers.passes, answers.refused]);
      await host.call('sessions.delete', byId());
      expect(await runtime.listContainers({ [labelKeys.session]: session.id })).toEqual([]);
    },
  );
});
