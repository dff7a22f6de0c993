// The page for all browser tests: the one that `npm test` has built, else a production build of now, made in a process of its own, where
// nothing says that this is a test.
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const pageVariable = 'SANDLOT_TEST_PAGE';

/** The folder with the built page: the one that was built for this run, else a new one in `folder`. */
export const builtPage = async (folder: string): Promise<string> => {
  const built = process.env[pageVariable];
  if (built !== undefined) return built;
  const page = join(folder, 'page');
  const args = ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'error', '--outDir', page, '--emptyOutDir'];
  await promisify(execFile)(process.execPath, args, { env: { ...process.env, NODE_ENV: 'production' } });
  return page;
};

/** Run by vitest before the first browser test; what it answers runs after the last. */
export const setup = async (): Promise<() => Promise<void>> => {
  const folder = await mkdtemp(join(tmpdir(), 'sandlot-page-'));
  process.env[pageVariable] =
    process.env['SANDLOT_TEST_BUILT'] === '1' ? join(import.meta.dirname, '../../dist/renderer') : await builtPage(folder);
  return async () => await rm(folder, { recursive: true, force: true });
};
