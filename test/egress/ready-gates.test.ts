// Gates that stand ready on real runtimes: one sandbox gets each, only as it was proven, and none is left over.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDockerRuntime } from '../../sandbox-engine/container/docker-runtime.ts';
import { labelKeys } from '../../sandbox-engine/container/labels.ts';
import { gateName } from '../../sandbox-engine/gate/gate-container.ts';
import { openGateHouse } from '../runtime/support/gate-house.ts';
import { removeRealHost, startRealHost, until } from '../runtime/support/real-host.ts';
import { testRuntimes } from '../runtime/support/test-image.ts';

type House = Awaited<ReturnType<typeof openGateHouse>>;

const owner = (sandboxId: string) => ({ runtimeId: 'test', sandboxId, kind: 'session' as const });

describe.each(testRuntimes)('gates that stand ready on $kind', (place) => {
  let house: House;
  beforeAll(async () => {
    house = await openGateHouse(place);
    await house.gates.ensureImage('test', new AbortController().signal, () => undefined);
  }, 300_000);
  afterAll(async () => await house.removeAll());

  const prepare = async (): Promise<{ id: string; gateId: string | undefined }> => {
    const id = house.newSandboxId();
    await house.gates.prepare(house.request(id));
    return { id, gateId: (await house.runtime.inspectContainer(gateName(id)))?.id };
  };
  /** Opens the way for this sandbox, starts it, reaches out of it, and takes all of it away. */
  const use = async (id: string, over: Parameters<House['request']>[1] = {}) => {
    const { gateId, join: network, proven } = await house.gates.open(house.request(id, over));
    const containerId = await house.createSandbox(id, network);
    const { passed } = await proven;
    await house.runtime.startContainer(containerId);
    const { text } = await house.run(containerId, ['bash', '-c', 'exec 3<>/dev/tcp/203.0.113.9/443 && head -n1 <&3']);
    await house.gates.rest(owner(id));
    await house.runtime.removeContainer(containerId);
    await house.gates.close(owner(id));
    return { gateId, passed, text };
  };
  const works = { passed: true, text: 'to 203.0.113.9:443' };

  test('one sandbox gets it, and nobody else', async () => {
    const { id, gateId } = await prepare();
    expect([house.gates.hasReady('test'), house.gates.takeReady('test'), house.gates.takeReady('test')]).toEqual([true, id, null]);
    expect(await use(id)).toEqual({ gateId, ...works });
    expect([house.gates.hasReady('test'), await house.runtime.inspectContainer(gateName(id))]).toEqual([false, null]);
  });

  test('one that is reserved is offered to nobody, and the sandbox that stands behind it gets it', async () => {
    const id = house.newSandboxId();
    const join = await house.gates.prepare(house.request(id), true);
    const containerId = await house.createSandbox(id, join);
    await house.runtime.startContainer(containerId);
    expect([house.gates.hasReady('test'), house.gates.takeReady('test')]).toEqual([false, null]);
    const opened = await house.gates.open(house.request(id));
    expect([opened.join, (await opened.proven).passed]).toEqual([join, true]);
    const { text } = await house.run(containerId, ['bash', '-c', 'exec 3<>/dev/tcp/203.0.113.9/443 && head -n1 <&3']);
    expect(text).toBe(works.text);
    await house.runtime.removeContainer(containerId);
    await house.gates.close(owner(id));
  });

  test.each(['started again', 'stopped'])('one that was %s since it was proven is not used: another is made', async (what) => {
    const { id, gateId } = await prepare();
    await house.runtime.stopContainer(gateId ?? '', 0);
    if (what === 'started again') await house.runtime.startContainer(gateId ?? '');
    house.gates.takeReady('test');
    const used = await use(id);
    expect(used).toMatchObject(works);
    expect(used.gateId).not.toBe(gateId);
  });

  test('one that catches the common ports only is not given to a policy that names others', async () => {
    const id = house.newSandboxId();
    await house.gates.prepare(house.request(id, { capture: 'ports' }));
    const before = await house.runtime.inspectContainer(gateName(id));
    house.gates.takeReady('test');
    const used = await use(id, { ports: [2222] });
    expect(used).toMatchObject(works);
    expect(used.gateId).not.toBe(before?.id);
  });

  test('it stays while its host lives, goes with its host, and that of a host that was killed is removed by the next', async () => {
    const earlier = await openGateHouse({ ...place, home: house.home, owner: '999999:1' });
    const left = earlier.newSandboxId();
    await earlier.gates.prepare(earlier.request(left));
    const { id } = await prepare();
    await house.gates.removeOrphans('test');
    const there = await Promise.all([left, id].map((one) => house.runtime.inspectContainer(gateName(one))));
    expect(there.map((found) => found?.status ?? 'gone')).toEqual(['gone', 'running']);
    await house.gates.closeReady();
    expect([await house.runtime.inspectContainer(gateName(id)), house.gates.hasReady('test')]).toEqual([null, false]);
    expect(await readdir(join(house.folder, 'gates'))).not.toContain(id.slice(-16));
    await earlier.removeAll();
  });
});

test.each(testRuntimes)(
  'on $kind the next session takes the gate that stands ready, and a host that ends leaves none',
  async (place) => {
    const { kind, socket } = place;
    const connection = { kind: 'socket', address: `unix://${socket}`, socketPath: socket } as const;
    const runtime = createDockerRuntime({ id: kind, kind, connection });
    let host = await startRealHost();
    try {
      const rules = [{ action: 'allow' as const, hosts: ['allowed.test'] }];
      const body = { name: 'ready', recipe_yaml: 'base: debian\n', runtime: kind, network_policy: { version: 'v1' as const, rules } };
      const { id: environment_id } = await host.call('environments.create', { body });
      const launch = async () => {
        const { id } = await host.call('sessions.launch', { environment_id });
        return await until(
          () => host.call('sessions.get', { session_id: id }),
          ({ status }) => status !== 'starting',
          300_000,
        );
      };
      const home = (await readFile(join(host.folder, 'home-id'), 'utf8')).trim();
      const gates = async () => await runtime.listContainers({ [labelKeys.home]: home, [labelKeys.role]: 'gate' });
      const first = await launch();
      const ready = await until(gates, (found) => found.some(({ labels }) => labels[labelKeys.session] !== first.id), 60_000);
      const next = ready.find(({ labels }) => labels[labelKeys.session] !== first.id);
      // It is taken when it has proven itself, which its container does not show.
      const second = await until(launch, ({ id }) => id === next?.labels[labelKeys.session], 60_000);
      expect([first.status, second.status, second.network]).toEqual(['running', 'running', 'gate']);
      for (const { id } of (await host.call('sessions.list', {})).sessions) await host.call('sessions.delete', { session_id: id });
      await host.shutdown();
      const left = await gates();
      host = await startRealHost({ folder: host.folder });
      expect(left).toEqual([]);
    } finally {
      await removeRealHost(host);
      runtime.close();
    }
  },
  400_000,
);
