// What is in a workspace when its session gets another sandbox, or its runtime comes back in the middle of a launch, on real runtimes.
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anEnvironment, aPlan, openSessionHouse } from './support/session-house.ts';
import { ensureTestImage, testImage, testRuntimes } from './support/test-image.ts';

describe.each(testRuntimes)('a kept workspace on $kind', ({ kind, socket }) => {
  let house: Awaited<ReturnType<typeof openSessionHouse>>;
  let source = '';
  beforeAll(async () => {
    await ensureTestImage(socket);
    house = await openSessionHouse({ kind, socket });
    source = await mkdtemp(join(tmpdir(), 'sandlot-kept-'));
    execFileSync('git', ['-C', source, 'init', '-q']);
    await writeFile(join(source, 'draft.txt'), 'draft\n');
  }, 120_000);
  afterAll(async () => {
    await house.removeAll();
    await rm(source, { recursive: true, force: true });
  }, 60_000);

  const shell = async (id: string, script: string): Promise<string> => {
    const exec = await house.sessions.startExec(id, { command: ['bash', '-c', script] });
    return await house.textOf((await house.sessions.getExec(exec.id, 30)).stdout_stream_id);
  };

  test('a new sandbox leaves a repository as it is; half of one is moved aside, and brought again', { timeout: 60_000 }, async () => {
    const repo = { source, submodules: false, lfs: false, path: '/workspace/repo' };
    const plan = aPlan(anEnvironment({ repo }), testImage, { areFoldersAgreed: true });
    const { id } = await house.sessions.launch(plan);
    await expect.poll(() => house.sessions.get(id), { timeout: 30_000 }).toMatchObject({ workspace_start: { kind: 'repository' } });
    await shell(id, 'echo mine > /workspace/repo/mine');
    const replace = async () => {
      await house.sessions.replace(id, plan);
      const isBrought = { steps: expect.arrayContaining([expect.objectContaining({ name: 'repository', status: 'succeeded' })]) };
      await expect.poll(() => house.sessions.get(id), { timeout: 30_000 }).toMatchObject(isBrought);
      return (await shell(id, 'cd /workspace; ls -d */mine */draft.txt'))
        .replace(/\d{10}/g, 'then')
        .split('\n')
        .filter(Boolean);
    };
    expect(await replace()).toEqual(['repo/draft.txt', 'repo/mine']);
    // As a host leaves it that was killed in the middle of the copy.
    await house.sessions.keep(id, { steps: [], workspace_start: undefined } as never);
    expect(await replace()).toEqual(['repo.incomplete-then/draft.txt', 'repo.incomplete-then/mine', 'repo/draft.txt']);
    const said = /^The repository had not been brought whole: what was there is in \/workspace\/repo\.incomplete-\d+ now\./;
    await expect.poll(() => house.sessions.get(id)).toMatchObject({ message: expect.stringMatching(said) });
    await house.sessions.remove(id);
  });

  test('a runtime that comes back in the middle of a launch ends neither the launch nor what it brings in', async () => {
    let give: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => {
      give = resolve;
    });
    const image = async () => {
      await asked;
      return testImage;
    };
    const { id } = await house.sessions.launch({ ...aPlan(anEnvironment(), testImage), image });
    await house.sessions.runtimeReconnected('test');
    expect((await house.sessions.get(id)).status).toBe('starting');
    give();
    expect(await house.sessions.launched(id)).toMatchObject({ status: 'running', message: null });
    await house.sessions.runtimeReconnected('test');
    expect(await house.sessions.get(id)).toMatchObject({ status: 'running', message: null });
    await house.sessions.remove(id);
  });
});
