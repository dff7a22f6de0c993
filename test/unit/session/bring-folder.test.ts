// A folder of this machine that a sandbox had and that is brought into another one: what it has left there ends nothing on this machine.
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { ContainerRuntime } from '../../../sandbox-engine/container/container-runtime.ts';
import { copyCommits } from '../../../sandbox-engine/session/bring-folder.ts';
import { packFolder } from '../../../sandbox-engine/session/pack-folder.ts';

let source: string;
beforeEach(async () => {
  source = await mkdtemp(join(tmpdir(), 'sandlot-bring-'));
  return async () => await rm(source, { recursive: true, force: true });
});

/** As far as the runtime is asked. */
const bring = (path = '/workspace/repo', kind: 'docker' | 'podman' = 'docker'): Promise<unknown> =>
  copyCommits(
    {
      runtime: { kind, exec: () => Promise.reject(new Error('The runtime is asked.')) } as unknown as ContainerRuntime,
      ...{ containerId: 'none', pack: packFolder, say: () => undefined },
      owner: () => Promise.reject(new Error('The runtime is asked.')),
      repo: { source, path } as Parameters<typeof copyCommits>[0]['repo'],
    },
    () => ({ command: ['true'], env: [] }),
  );

const makeRepository = async (): Promise<string> => {
  await mkdir(join(source, '.git/objects/info'), { recursive: true });
  return join(source, '.git');
};

test.skipIf(process.platform === 'win32')('a pipe in the place of .git is no repository', async () => {
  execFileSync('mkfifo', [join(source, '.git')]);
  await expect(bring()).rejects.toThrow('is itself a worktree or submodule');
});

test.skipIf(process.platform === 'win32').each(['config', 'objects/info/alternates'])(
  'a pipe in the place of %s is not waited for',
  async (name) => {
    execFileSync('mkfifo', [join(await makeRepository(), name)]);
    await expect(bring()).rejects.toThrow('The runtime is asked.');
  },
);

test.skipIf(process.platform === 'win32')('what never ends, or is larger than memory, is not read', async () => {
  const folder = await makeRepository();
  await symlink('/dev/zero', join(folder, 'config'));
  await writeFile(join(folder, 'objects/info/alternates'), '');
  await truncate(join(folder, 'objects/info/alternates'), 1e12);
  const before = process.memoryUsage().rss;
  await expect(bring()).rejects.toThrow('The runtime is asked.');
  expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1_048_576);
});

test('a path that leads out of the workspace is refused before the runtime is asked', async () => {
  await makeRepository();
  await expect(bring('/workspace/../etc', 'podman')).rejects.toThrow('/workspace/../etc/.git is not in /workspace.');
  await expect(bring('/workspace/a/../b', 'podman')).rejects.toThrow('The runtime is asked.');
});
