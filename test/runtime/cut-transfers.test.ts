// Uploads whose sandbox goes while they are under way: what is said of them, and that nothing of them stays in the workspace.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anEnvironment, aPlan, openSessionHouse } from './support/session-house.ts';
import { ensureTestImage, testImage, testRuntimes } from './support/test-image.ts';

describe.each(testRuntimes)('cut transfers on $kind', ({ kind, socket }) => {
  let house: Awaited<ReturnType<typeof openSessionHouse>>;
  beforeAll(async () => {
    await ensureTestImage(socket);
    house = await openSessionHouse({ kind, socket });
  }, 120_000);
  afterAll(async () => await house.removeAll(), 60_000);

  test('an upload whose sandbox is replaced or stopped leaves nothing, and says what happened and what to do', {
    timeout: 90_000,
  }, async () => {
    const { workspaceCalls: calls } = house.sessions;
    const { id } = await house.sessions.launch(aPlan(anEnvironment(), testImage));
    await expect.poll(() => house.sessions.get(id), { timeout: 30_000 }).toMatchObject({ workspace_start: {} });
    const shell = async (script: string): Promise<string> => {
      const exec = await house.sessions.startExec(id, { command: ['bash', '-c', script] });
      return await house.textOf((await house.sessions.getExec(exec.id, 30)).stdout_stream_id);
    };
    const begin = async (path: string): Promise<string> => {
      const { id: transfer_id } = await calls['files.upload']({ session_id: id, path, kind: 'file', name: 'big' });
      await calls['transfers.write']({ transfer_id, data: Buffer.alloc(400_000).toString('base64') });
      await expect.poll(() => shell(`ls -A ${path}`)).toContain('.part');
      return transfer_id;
    };
    /** Its writer goes on until it is told. */
    const end = async (transfer_id: string): Promise<string[]> => {
      try {
        for (;;) await calls['transfers.write']({ transfer_id, data: Buffer.alloc(400_000).toString('base64') });
      } catch (thrown) {
        const { code, message, nextAction } = thrown as { code: string; message: string; nextAction: string };
        return [code, message.replace(/^The sandbox of ".*?" /, ''), nextAction];
      }
    };
    const replaced = await begin('/workspace/');
    await house.sessions.replace(id, aPlan(anEnvironment(), testImage));
    expect(await end(replaced)).toEqual([
      'stream_broken',
      'was replaced while "big" was on its way: it did not come whole.',
      'Copy it again.',
    ]);
    expect(await shell('ls -A /workspace')).toBe('');

    const stopped = await begin('/workspace/');
    await house.sessions.stop(id);
    const back = `Resume it first: sandlot session resume ${id}, then copy it again.`;
    expect(await end(stopped)).toEqual(['stream_broken', 'ended while "big" was on its way: it did not come whole.', back]);
    await house.sessions.resume(id);
    await calls['files.list']({ session_id: id, path: '/tmp' });
    expect(await shell('ls -A /workspace')).toBe('');

    // Left by whoever did not come to know: seen when somebody looks into the folder, and one that is under way stays.
    await shell('touch -d "1 hour ago" .sandlot-7-7.part .sandlot-x.part');
    const living = await begin('/workspace/');
    await shell('touch -d "1 hour ago" .sandlot-*-*.part');
    const { entries } = await calls['files.list']({ session_id: id, path: '/workspace' });
    expect(entries.map(({ name }) => name.replace(/\d{2,}/g, 'n'))).toEqual(['.sandlot-n-n.part', '.sandlot-x.part']);
    expect(await calls['transfers.finish']({ transfer_id: living })).toEqual({ path: '/workspace/big' });
    await house.sessions.remove(id);
  });
});
