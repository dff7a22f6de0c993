// Folders of this machine in sessions: only what a person agreed to, in the way they agreed to, and never what would open the machine.
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { HostFolder } from '../../sandbox-engine/contract/model.ts';
import { type RealHost, removeRealHost, startRealHost, until } from './support/real-host.ts';
import { testRuntimes } from './support/test-image.ts';

describe.each(testRuntimes)('a host on $kind', ({ kind }) => {
  let host: RealHost;
  let folder: string;
  beforeAll(async () => {
    host = await startRealHost();
    folder = await mkdtemp(join(tmpdir(), 'sandlot-folders-'));
    for (const name of ['data', 'out', 'repo']) await mkdir(join(folder, name));
    await chmod(join(folder, 'out'), 0o777);
    await writeFile(join(folder, 'data', 'numbers'), '1 2 3\n');
    await writeFile(join(folder, 'repo', 'README'), 'shop\n');
  });
  afterAll(async () => {
    await removeRealHost(host);
    await rm(folder, { recursive: true, force: true });
  });

  const create = async (body: object) =>
    (
      await host.call('environments.create', {
        body: { name: 'folders', recipe_yaml: 'base: debian:bookworm-slim\n', runtime: kind, ...body },
      })
    ).id;
  const agree = (environment_id: string, folders: HostFolder[]) => host.call('environments.agree_folders', { environment_id, folders });
  const launch = async (environment_id: string) => {
    const { id } = await host.call('sessions.launch', { environment_id });
    return await until(
      () => host.call('sessions.get', { session_id: id }),
      ({ status, steps }) => status === 'failed' || (status === 'running' && steps.every((step) => step.status !== 'running')),
    );
  };
  const shell = async (session_id: string, script: string) => {
    const { id } = await host.call('execs.start', { session_id, command: ['bash', '-c', script] });
    const { exit_code, stdout_stream_id } = await host.call('execs.get', { exec_id: id, wait_seconds: 30 });
    return [exit_code, await host.text(stdout_stream_id)];
  };

  test('nothing is mounted or copied before it was agreed to; then a session has it as agreed', { timeout: 180_000 }, async () => {
    const repo = { source: join(folder, 'repo'), path: '/workspace/repo' };
    const data = { source: join(folder, 'data'), target: '/data', read_only: true };
    const out = { source: join(folder, 'out'), target: '/out', read_only: false };
    const environment_id = await create({ repo, mounts: [data, out] });
    const refusal = await host.refusal('sessions.launch', { environment_id });
    expect([refusal.code, refusal.next_action]).toEqual(['folder_not_agreed', expect.stringContaining('env folders')]);
    for (const { source } of [repo, data, out]) expect(refusal.message).toContain(source);

    const { folders } = await host.call('environments.folders', { environment_id });
    expect(folders.map(({ use, read_only, is_agreed }) => [use, read_only, is_agreed])).toEqual([
      ['repository', true, false],
      ['mount', true, false],
      ['mount', false, false],
    ]);
    const asked = folders.map(({ is_agreed: _, ...one }) => one);
    await agree(environment_id, asked.slice(0, 2));
    expect((await host.refusal('sessions.launch', { environment_id })).message).not.toContain(data.source);
    await agree(environment_id, asked);
    const session = await launch(environment_id);
    expect([session.status, session.message]).toEqual(['running', null]);
    expect(
      await shell(session.id, 'cat /data/numbers /workspace/repo/README; touch /data/mine 2>/dev/null || echo kept; echo made > /out/made'),
    ).toEqual([0, '1 2 3\nshop\nkept\n']);
    expect(await readFile(join(folder, 'out', 'made'), 'utf8')).toBe('made\n');

    await host.call('environments.update', { environment_id, patch: { mounts: [{ ...data, read_only: false }] } });
    expect((await host.refusal('sessions.launch', { environment_id })).code).toBe('folder_not_agreed');
    expect((await host.refusal('environments.agree_folders', { environment_id, folders: asked })).code).toBe('invalid_request');
  });

  test('agreement does not open the data folder of Sandlot', { timeout: 60_000 }, async () => {
    const path = host.folder;
    const named = [{ mounts: [{ source: path, target: '/x', read_only: true }] }, { repo: { source: path } }];
    for (const [at, use] of (['mount', 'repository'] as const).entries()) {
      const environment_id = await create(named[at] ?? {});
      await agree(environment_id, [{ path, use, read_only: true }]);
      const refusal = await host.refusal('sessions.launch', { environment_id });
      expect([refusal.code, refusal.message]).toEqual(['forbidden', expect.stringContaining('keys and secrets')]);
    }
  });
});
