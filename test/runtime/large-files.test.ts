// Large files of a repository (Git LFS) where the image has git-lfs: system-wide, as Debian's package sets it up, it fetches while git checks out.
// Its filter is stood in for by one whose server cannot be reached.
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anEnvironment, aPlan, openSessionHouse } from './support/session-house.ts';
import { ensureTestImage, testImage, testRuntimes } from './support/test-image.ts';

const who = {
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@b',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@b',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
};
const filter = {
  ...{ GIT_CONFIG_COUNT: '3', GIT_CONFIG_KEY_0: 'filter.lfs.smudge', GIT_CONFIG_VALUE_0: 'test "$GIT_LFS_SKIP_SMUDGE" = 1 && cat' },
  ...{ GIT_CONFIG_KEY_1: 'filter.lfs.required', GIT_CONFIG_VALUE_1: 'true' },
  ...{ GIT_CONFIG_KEY_2: 'filter.lfs.clean', GIT_CONFIG_VALUE_2: 'cat' },
};

let source: string;
beforeAll(async () => {
  source = await mkdtemp(join(tmpdir(), 'sandlot-large-'));
  const git = (...args: string[]) => execFileSync('git', ['-C', source, ...args], { env: { ...process.env, ...who } });
  git('init', '-q', '-b', 'main');
  await writeFile(join(source, '.gitattributes'), '*.bin filter=lfs\n');
  await writeFile(join(source, 'large.bin'), 'a pointer\n');
  git('add', '-A');
  git('commit', '-q', '-m', 'first');
  // What `git lfs install` leaves behind, where the image has no git-lfs.
  await writeFile(join(source, '.git/hooks/post-checkout'), '#!/bin/sh\nexit 2\n', { mode: 0o755 });
});
afterAll(async () => await rm(source, { recursive: true, force: true }));

describe.each(testRuntimes)('large files on $kind', ({ kind, socket }) => {
  let house: Awaited<ReturnType<typeof openSessionHouse>>;
  beforeAll(async () => {
    await ensureTestImage(socket);
    house = await openSessionHouse({ kind, socket });
  }, 120_000);
  afterAll(async () => await house.removeAll(), 60_000);

  test.each(['worktree', 'copy'] as const)(
    'nobody asked for them: a %s with a branch has its pointers',
    { timeout: 60_000 },
    async (mode) => {
      const repo = { source, submodules: false, lfs: false, path: '/workspace/repo', mode, branch: 'main' };
      const plan = aPlan(anEnvironment({ repo, env_vars: filter }), testImage, { areFoldersAgreed: true });
      const { id } = await house.sessions.launch(plan);
      await expect.poll(() => house.sessions.get(id), { timeout: 30_000 }).toMatchObject({ workspace_start: {} });
      const exec = await house.sessions.startExec(id, { command: ['bash', '-c', 'cat large.bin && git status --short'] });
      const { stdout_stream_id: said } = await house.sessions.getExec(exec.id, 30);
      expect([(await house.sessions.get(id)).message, await house.textOf(said)]).toEqual([null, 'a pointer\n']);
      await house.sessions.remove(id);
    },
  );
});
