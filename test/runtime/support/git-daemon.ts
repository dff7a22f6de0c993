// A real git daemon for repositories of a test, at an address of this machine that sandboxes can reach. Its port is one that was free a moment
// before: whether it is this daemon that answers there is seen before anybody is sent to it.
import { execFile, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { promisify } from 'node:util';

const run = promisify(execFile);

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, () => {
      const at = probe.address();
      probe.close(() => resolve(typeof at === 'object' && at !== null ? at.port : 0));
    });
  });

const addressHere = (): string =>
  Object.values(networkInterfaces())
    .flat()
    .find((one) => one !== undefined && one.family === 'IPv4' && !one.internal)?.address ?? '127.0.0.1';

const answers = async (url: string): Promise<boolean> => {
  for (let tries = 0; tries < 20; tries += 1) {
    const isThere = await run('git', ['ls-remote', url], { timeout: 2_000 }).then(
      () => true,
      () => false,
    );
    if (isThere) return true;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return false;
};

/** Serves what is in the folder, `repository` among it; `base` ends with a slash. */
export const startGitDaemon = async (folder: string, repository: string): Promise<{ base: string; stop: () => void }> => {
  for (let tries = 0; tries < 5; tries += 1) {
    const port = await freePort();
    const words = ['-c', 'safe.directory=*', 'daemon', '--reuseaddr', '--export-all', `--base-path=${folder}`, `--port=${port}`];
    const env = { ...process.env, GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'safe.directory', GIT_CONFIG_VALUE_0: '*' };
    const daemon = spawn('git', words, { env, stdio: 'ignore' });
    const base = `git://${addressHere()}:${port}/`;
    if (await answers(`${base}${repository}/`)) return { base, stop: () => void daemon.kill() };
    daemon.kill();
  }
  throw new Error('No git daemon could be started.');
};
