// Setup runs that are cancelled in each phase, on real runtimes: compute and half-made images are released.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Environment } from '../../sandbox-engine/contract/model.ts';
import { codeOf } from './support/code-of.ts';
import { environmentWith, openSetupHouse, testRuntimes } from './support/setup-house.ts';

describe.each(testRuntimes)('on $kind', ({ kind }) => {
  let house: Awaited<ReturnType<typeof openSetupHouse>>;
  beforeAll(async () => {
    house = await openSetupHouse();
  });
  afterAll(() => house.close());

  const here = (script: string): Environment => environmentWith(script, { runtime: kind });
  const containersOf = (id: string) => house.runtimeOf(kind).listContainers({ 'dev.sandlot.setup-run': id });

  test('a run can be cancelled while it is queued, provisioned and running; compute is released each time', async () => {
    const environment = here('echo begun\nsleep 100');
    for (const status of ['queued', 'provisioning', 'running']) {
      const { id } = await house.runs.start(environment, { kind: 'manual' });
      while (status !== 'queued' && (await house.runs.get(id, 0)).status !== status) await new Promise((resolve) => setImmediate(resolve));
      const run = await house.runs.cancel(id);
      expect(run).toMatchObject({ status: 'cancelled', exit_code: null, prepared_image_id: null });
      expect(await containersOf(id)).toEqual([]);
      expect(await codeOf(house.runs.cancel(id))).toBe('setup_run_finished');
    }
  });

  test('a run that is cancelled while its image is saved leaves no image and no container, and the next starts at once', async () => {
    const environment = here('head -c 60000000 /dev/urandom > /workspace/big');
    const imagesOf = (id: string) => house.runtimeOf(kind).listImages({ 'dev.sandlot.setup-run': id });
    const { id } = await house.runs.start(environment, { kind: 'manual' });
    while ((await house.runs.get(id, 0)).phase !== 'commit') await new Promise((resolve) => setImmediate(resolve));
    expect(await house.runs.cancel(id)).toMatchObject({ status: 'cancelled', prepared_image_id: null });
    const next = await house.runToEnd(environment);
    expect(next.status).toBe('succeeded');
    expect(await containersOf(id)).toEqual([]);
    await expect.poll(() => imagesOf(id), { timeout: 20_000 }).toEqual([]);
    expect(await imagesOf(next.id)).toHaveLength(1);
  });

  test('a container that somebody removes ends the run, and the hint says so', async () => {
    const { id } = await house.runs.start(here('sleep 100'), { kind: 'manual' });
    await expect.poll(async () => (await house.linesOf(id)).some(({ stream }) => stream === 'marker'), { timeout: 20_000 }).toBe(true);
    for (const { id: container } of await containersOf(id)) await house.runtimeOf(kind).removeContainer(container);
    const run = await house.runs.waitFor(id);
    expect(run).toMatchObject({ status: 'failed', failed_line: 1, hint_code: 'killed' });
    expect(run.hint).toMatch(/stopped or removed from outside/);
  });

  test('a cancel that comes too late says that the run has ended', async () => {
    const { id } = await house.runs.start(here('true'), { kind: 'manual' });
    while ((await house.runs.get(id, 0)).phase !== 'cleanup') await new Promise((resolve) => setImmediate(resolve));
    expect(await codeOf(house.runs.cancel(id))).toBe('setup_run_finished');
    expect(await house.runs.waitFor(id)).toMatchObject({ status: 'succeeded' });
  });
});
