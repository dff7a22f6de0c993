// Sandboxes that stand ready, on real runtimes: taken once, used only when they are what is wanted, and gone when nobody wants them.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LaunchPlan } from '../../sandbox-engine/session/session-parts.ts';
import { anEnvironment, aPlan, openSessionHouse } from './support/session-house.ts';
import { ensureTestImage, testRuntimes } from './support/test-image.ts';

type House = Awaited<ReturnType<typeof openSessionHouse>>;

describe.each(testRuntimes)('warm sandboxes on $kind', (where) => {
  let house: House;
  let plan: LaunchPlan;
  const home = randomUUID();

  const prepare = async (over: Partial<LaunchPlan> = {}): Promise<string | undefined> => {
    await house.sessions.warm.prepare({ ...plan, ...over }, 'key');
    return [...house.sessions.warm.ids()][0];
  };
  const launch = async (over: Partial<LaunchPlan> = {}) => {
    const { id } = await house.sessions.launch({ ...plan, ...over });
    return await house.sessions.launched(id);
  };
  const touch = async (id: string | undefined, name: string) => {
    const command = ['touch', `/workspace/${name}`];
    const handle = await house.runtime.exec(`sandlot-${id}`, { command, user: 'sandbox', workdir: '/', stdin: false });
    expect(await handle.exitCode()).toBe(0);
    handle.close();
  };
  const inWorkspace = async (id: string) => {
    const { id: exec } = await house.sessions.startExec(id, { command: ['ls', '-A', '/workspace'] });
    return await house.textOf((await house.sessions.getExec(exec, 30)).stdout_stream_id);
  };
  /** What the runtime has under this id. */
  const left = async (id = '') => ({
    container: (await house.runtime.inspectContainer(`sandlot-${id}`))?.status ?? 'gone',
    volumes: (await house.runtime.listVolumes({})).filter(({ name }) => name === `sandlot-${id}`).length,
  });
  const nothing = { container: 'gone', volumes: 0 };

  beforeAll(async () => {
    house = await openSessionHouse({ ...where, home });
    plan = aPlan(anEnvironment(), await ensureTestImage(where.socket));
  });
  afterAll(() => house.removeAll());

  test('the next session takes it with its id, and the one after makes its own', async () => {
    const id = await prepare();
    expect(await left(id)).toEqual({ container: 'running', volumes: 1 });
    const [first, second] = await Promise.all([launch(), launch()]);
    const taken = [first, second].find((session) => session.id === id);
    expect([first, second].map(({ status, warm = false }) => [status, warm]).sort()).toEqual([
      ['running', false],
      ['running', true],
    ]);
    expect([taken?.steps.map(({ name }) => name), house.sessions.warm.list()]).toEqual([[], []]);
    const { id: exec } = await house.sessions.startExec(id ?? '', { command: ['sh', '-c', 'id -un; ls -A /workspace; hostname'] });
    const { stdout_stream_id } = await house.sessions.getExec(exec, 30);
    expect(await house.textOf(stdout_stream_id)).toBe(`sandbox\n${id?.slice(-12)}\n`);
    for (const session of [first, second]) await house.sessions.remove(session.id);
    expect(await left(id)).toEqual(nothing);
  });

  test.each([
    ['a variable', { envVars: { A: 'b' } }],
    ['its memory', { memoryBytes: 512 * 1024 ** 2 }],
  ])('one that differs in %s is thrown away, and the session has what it should', async (_, over) => {
    const id = await prepare();
    const before = await house.runtime.inspectContainer(`sandlot-${id}`);
    // As an image of then would have filled its volume.
    await touch(id, 'of-then');
    const session = await launch(over);
    expect([session.id, session.status, session.warm ?? false, session.container_id === before?.id]).toEqual([id, 'running', false, false]);
    expect(await inWorkspace(session.id)).toBe('');
    await house.sessions.remove(session.id);
    expect(await left(id)).toEqual(nothing);
  });

  test('one that was stopped behind our back is not used', async () => {
    const id = await prepare();
    await touch(id, 'of-then');
    await house.runtime.killContainer(`sandlot-${id}`);
    const session = await launch();
    expect([session.id, session.status, session.warm ?? false]).toEqual([id, 'running', false]);
    expect(await inWorkspace(session.id)).toBe('');
    await house.sessions.remove(session.id);
  });

  test('what is dropped leaves nothing, and neither folders nor privileges stand ready', async () => {
    const id = await prepare();
    await house.sessions.warm.drop(({ key }) => key === 'key');
    expect([await left(id), house.sessions.warm.list()]).toEqual([nothing, []]);
    const mounts = [{ source: '/tmp', target: '/mnt', read_only: true }];
    for (const body of [{ mounts }, { privileged: true }]) await prepare({ environment: anEnvironment(body) });
    expect(house.sessions.warm.list()).toEqual([]);
  });

  test('a killed host leaves it to the next one, which removes it; that of a host that lives stays', async () => {
    const earlier = await openSessionHouse({ ...where, home, owner: '999999:1' });
    await earlier.sessions.warm.prepare(plan, 'key');
    const [orphan] = earlier.sessions.warm.ids();
    const id = await prepare();
    await house.sessions.runtimeReconnected('test');
    expect([await left(orphan), await left(id)]).toEqual([nothing, { container: 'running', volumes: 1 }]);
    await house.sessions.close({ stop: false });
    expect(await left(id)).toEqual(nothing);
    await earlier.removeAll();
  });
});
