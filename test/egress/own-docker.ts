// A Docker daemon of the test's own, which may be ended and started again: its own folders, socket, containerd and bridge, and no hand on the
// firewall. A daemon that is told to have no bridge takes the machine's own docker0 away, so it has one. Images come from the other daemon.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { until } from '../runtime/support/real-host.ts';

const ping = (socketPath: string): Promise<boolean> =>
  new Promise((resolve) => {
    const sent = request({ socketPath, path: '/_ping', headers: { host: 'runtime' } }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode === 200));
    });
    sent.on('error', () => resolve(false)).end();
  });

/** Whether one can be started here. */
export const hasOwnDocker = process.getuid?.() === 0 && spawnSync('sh', ['-c', 'command -v dockerd']).status === 0;

export interface OwnDocker {
  socket: string;
  /** Takes an image over from another daemon. */
  take: (fromSocket: string, image: string) => Promise<void>;
  /** Ends the daemon by a signal and starts it again. */
  restart: (signal: 'SIGTERM' | 'SIGKILL') => Promise<void>;
  close: () => Promise<void>;
}

/** Ends what its shims left running: they outlive daemons. */
const endShims = (folder: string): void => {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      if (!words.includes('containerd-shim') || !words.includes(`${folder}/`)) continue;
      for (const child of readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean))
        process.kill(Number(child), 'SIGKILL');
      process.kill(Number(pid), 'SIGKILL');
    } catch {
      // Gone meanwhile.
    }
  }
};

const load = (fromSocket: string, socketPath: string, image: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const headers = { host: 'runtime', 'content-type': 'application/x-tar' };
    const sent = request({ socketPath, method: 'POST', path: '/images/load', headers }, (answer) => {
      answer.resume().on('end', () => (answer.statusCode === 200 ? resolve() : reject(new Error(`load: ${answer.statusCode}`))));
    });
    sent.on('error', reject);
    const from = { socketPath: fromSocket, path: `/images/get?names=${encodeURIComponent(image)}`, headers: { host: 'runtime' } };
    request(from, (answer) => answer.pipe(sent))
      .on('error', reject)
      .end();
  });

const writeConfig = (folder: string): void => {
  const lines = [
    'version = 2',
    `root = "${folder}/c"`,
    `state = "${folder}/cs"`,
    'disabled_plugins = ["io.containerd.grpc.v1.cri"]',
    `[grpc]\naddress = "${folder}/c.sock"`,
  ];
  writeFileSync(join(folder, 'containerd.toml'), `${lines.join('\n')}\n`);
  writeFileSync(join(folder, 'none.json'), '{}');
};

const bridge = 'sandlot-g12';

/** Starts one. Who starts it closes it, after all its containers are removed. */
export const startOwnDocker = async (): Promise<OwnDocker> => {
  const folder = await mkdtemp('/var/tmp/sandlot-g12.');
  const socket = join(folder, 'd.sock');
  writeConfig(folder);
  const log = openSync(join(folder, 'log'), 'a');
  const run = (program: string, ...words: string[]): ChildProcess => spawn(program, words, { stdio: ['ignore', log, log] });
  const containerd = run('containerd', '--config', join(folder, 'containerd.toml'));
  const places = [`--host=unix://${socket}`, `--data-root=${folder}/data`, `--exec-root=${folder}/x`, `--pidfile=${folder}/pid`];
  const apart = [
    `--config-file=${folder}/none.json`,
    `--containerd=${folder}/c.sock`,
    `--bridge=${bridge}`,
    '--iptables=false',
    '--ip6tables=false',
  ];
  const link = (...words: string[]): void => void spawnSync('ip', words);
  link('link', 'add', bridge, 'type', 'bridge');
  link('address', 'add', '10.213.251.1/24', 'dev', bridge);
  link('link', 'set', bridge, 'up');
  const begin = async (): Promise<ChildProcess> => {
    const child = run('dockerd', ...places, ...apart);
    if (!(await until(() => ping(socket), Boolean, 60_000))) throw new Error(`dockerd did not start: see ${folder}/log`);
    return child;
  };
  const end = async (child: ChildProcess, signal: NodeJS.Signals): Promise<void> => {
    const ended = once(child, 'exit');
    if (child.kill(signal)) await ended;
  };
  let dockerd = await begin();
  return {
    socket,
    take: (fromSocket, image) => load(fromSocket, socket, image),
    restart: async (signal) => {
      await end(dockerd, signal);
      dockerd = await begin();
    },
    close: async () => {
      await end(dockerd, 'SIGTERM');
      await end(containerd, 'SIGTERM');
      endShims(folder);
      link('link', 'del', bridge);
      spawnSync('sh', ['-c', `awk -v below="${folder}/" 'index($2, below) == 1 { print $2 }' /proc/mounts | sort -r | xargs -r umount -l`]);
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
};
