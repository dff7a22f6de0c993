// Gates that stand ready on real runtimes: one sandbox gets each, only as it was proven, and none is left over.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { gateName } from '../../sandbox-engine/gate/gate-container.ts';
import { openGateHouse } from './support/gate-house.ts';
import { testRuntimes } from './support/test-image.ts';

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
