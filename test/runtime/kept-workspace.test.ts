// What is in a workspace when its session gets another sandbox, or its runtime comes back in the middle of a launch, on real runtimes.
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { emptyStart } from '../../sandbox-engine/session/carry-start.ts';
import { anEnvironment, aPlan, openSessionHouse } from './support/session-house.ts';
import { ensureImage, ensureTestImage, testImage, testRuntimes } from './support/test-image.ts';

const filledImage = 'sandlot-test/filled-workspace:1';
const filled = `FROM ${testImage}\nRUN echo one > /workspace/began && echo same > /workspace/same\n`;

describe.each(testRuntimes)('a kept workspace on $kind', ({ kind, socket }) => {
  let house: Awaited<ReturnType<typeof openSessionHouse>>;
  let source = '';
  beforeAll(async () => {
    await ensureTestImage(socket);
    await ensureImage(socket, filledImage, filled);
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

  const changed = async (id: string) =>
    (await house.sessions.workspaceCalls['sessions.diff']({ session_id: id })).files.map(({ path, status }) => `${status} ${path}`);

  test('what a filled workspace without a repository has changed is known at once, and still after a replacement', {
    timeout: 120_000,
  }, async () => {
    const plan = aPlan(anEnvironment(), filledImage);
    const { id } = await house.sessions.launch(plan);
    const { container_id: first } = await house.sessions.launched(id);
    expect(await changed(id)).toEqual([]);
    await shell(id, 'echo two > /workspace/began; echo new > /workspace/new');
    const both = ['modified began', 'added new'];
    expect(await changed(id)).toEqual(both);
    const { container_id: second, workspace_start } = await house.sessions.replace(id, aPlan(anEnvironment(), testImage));
    expect([await changed(id), second === first, workspace_start?.commit === emptyStart]).toEqual([both, false, false]);
    await house.sessions.stop(id);
    await house.sessions.replace(id, plan);
    expect([await changed(id), (await house.sessions.get(id)).message]).toEqual([both, null]);

    const { container_id: third } = await house.sessions.get(id);
    await house.runtime.removeContainer(third ?? '');
    house.sessions.containerDied(third ?? '');
    await expect.poll(async () => (await house.sessions.get(id)).status).toBe('stopped');
    await house.sessions.replace(id, plan);
    const message = 'How its workspace began was lost with its former sandbox: changes are counted from this replacement on.';
    await expect.poll(async () => (await house.sessions.get(id)).message, { timeout: 10_000 }).toBe(message);
    expect(await changed(id)).toEqual([]);
    await house.sessions.remove(id);
  });

  test('a workspace that began empty needs nothing to be kept', async () => {
    const { id } = await house.sessions.launch(aPlan(anEnvironment(), testImage));
    await house.sessions.launched(id);
    expect(await changed(id)).toEqual([]);
    expect((await house.sessions.get(id)).workspace_start?.commit).toBe(emptyStart);
    await house.sessions.remove(id);
  });

  test('what is being brought into a replaced sandbox is not cut off when its runtime comes back, and goes on with the next host', {
    timeout: 120_000,
  }, async () => {
    const environment = anEnvironment({
      knowledge: [{ name: 'how', contents: 'carried' }],
      mcp_servers: { tool: { command: 'tool' } },
      session_start: [{ name: 'one', run: 'cat ~/.sandlot/knowledge/how.md' }],
    });
    const plan = aPlan(environment, testImage);
    const { id } = await house.sessions.launch(plan);
    await expect.poll(async () => (await house.sessions.get(id)).start_script.status, { timeout: 20_000 }).toBe('succeeded');
    const { putArchive } = house.runtime;
    const held = new Promise<void>((resolve) => {
      house.runtime.putArchive = () => {
        resolve();
        return new Promise(() => undefined);
      };
    });
    await house.sessions.replace(id, plan);
    await held;
    await house.sessions.runtimeReconnected('test');
    const cut = { name: 'files', status: 'running' };
    expect(await house.sessions.get(id)).toMatchObject({ message: null, steps: expect.arrayContaining([expect.objectContaining(cut)]) });
    house.runtime.putArchive = putArchive;
    const { folder, home } = house;
    await house.close();

    house = await openSessionHouse({ kind, socket, folder, home, environmentOf: async () => environment });
    await house.sessions.recover();
    await expect.poll(async () => (await house.sessions.get(id)).start_script.status, { timeout: 20_000 }).toBe('succeeded');
    const { steps, message, start_script: script } = await house.sessions.get(id);
    expect([message, steps.filter(({ status }) => status !== 'succeeded')]).toEqual([null, []]);
    expect(await house.textOf(script.stream_id ?? '')).toContain('carried');
    expect(await shell(id, 'readlink /workspace/.mcp.json')).toBe('/home/sandbox/.sandlot/mcp.json\n');
    await house.sessions.remove(id);
  });
});
