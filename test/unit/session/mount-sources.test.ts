import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checkMountSources } from '../../../sandbox-engine/session/mount-sources.ts';

const mountOf = (source: string) => [{ source, target: '/x', read_only: true }];

test('a folder and a file may be mounted; what is missing, a link, a path through a link and a socket may not', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sandlot-mounts-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, 'inner'));
  await writeFile(join(folder, 'file'), '');
  await symlink('/', join(folder, 'root'));
  const server = createServer().listen(join(folder, 'any.sock'));
  onTestFinished(() => void server.close());
  const codes = await Promise.all(
    ['inner', 'file', 'none', 'root', 'root/etc', 'any.sock'].map((name) =>
      checkMountSources(mountOf(join(folder, name))).then(
        () => 'mounted',
        ({ code }: { code: string }) => code,
      ),
    ),
  );
  expect(codes).toEqual(['mounted', 'mounted', 'not_found', 'forbidden', 'forbidden', 'forbidden']);
});
