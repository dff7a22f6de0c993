// A Podman service of an ordinary user, on storage of its own. Run by root, the user exists only in a private mount namespace, so that
// the machine's own files stay as they are; run by an ordinary user, it is that user's.
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { containersConf, findProgram, readPodmanNeeds } from '../../../sandbox-engine/container/podman-conf.ts';

const uid = 424_242;
const path = '/usr/sbin:/usr/bin:/sbin:/bin';
const user = 'sandlot-rootless-test';

export interface RootlessPodman {
  socket: string;
  /** All that the user has, images included. */
  home: string;
  stop: () => Promise<void>;
}

const missing = async (hasNetwork: boolean): Promise<string | null> => {
  if (process.getuid?.() !== 0) return 'only root can make a user for it';
  for (const name of ['podman', 'newuidmap', 'unshare', 'setpriv', ...(hasNetwork ? ['slirp4netns'] : [])]) {
    if ((await findProgram(name, { PATH: path })) === null) return `there is no ${name}`;
  }
  return null;
};

const script = (folder: string, env: string): string => `set -e
mount --make-rprivate /
for name in passwd group subuid subgid; do
  if [ ! -e /etc/$name ]; then exit 9; fi
  mount --bind ${folder}/$name /etc/$name
done
mkdir -p /dev/net
[ -e /dev/net/tun ] || exit 9
mount --bind ${folder}/tun /dev/net/tun
cd ${folder}/home
exec setpriv --reuid=${uid} --regid=${uid} --clear-groups env -i ${env} podman system service --time=0 unix://${folder}/run/p.sock
`;

const prepare = async (folder: string): Promise<string> => {
  for (const name of ['home', 'run', 'tmp']) mkdirSync(join(folder, name), { recursive: true });
  chmodSync(folder, 0o755);
  writeFileSync(join(folder, 'passwd'), `${readFileSync('/etc/passwd', 'utf8')}${user}:x:${uid}:${uid}::${folder}/home:/bin/sh\n`);
  writeFileSync(join(folder, 'group'), `${readFileSync('/etc/group', 'utf8')}${user}:x:${uid}:\n`);
  for (const name of ['subuid', 'subgid']) writeFileSync(join(folder, name), `${user}:500000:65536\n`);
  execFileSync('mknod', ['-m', '666', join(folder, 'tun'), 'c', '10', '200']);
  const needs = await readPodmanNeeds();
  const conf = `${containersConf({ ...needs, openFiles: null }) || '[engine]\n'}cgroup_manager = "cgroupfs"\nevents_logger = "file"\n`;
  writeFileSync(join(folder, 'containers.conf'), conf);
  execFileSync('chown', ['-R', `${uid}:${uid}`, ...['home', 'run', 'tmp'].map((name) => join(folder, name))]);
  chmodSync(join(folder, 'run'), 0o700);
  return [
    `PATH=${path} HOME=${folder}/home TMPDIR=${folder}/tmp`,
    `XDG_RUNTIME_DIR=${folder}/run CONTAINERS_CONF=${folder}/containers.conf`,
  ].join(' ');
};

/** Only this test has this user: whatever runs as it was started here. */
const processesOfUser = (): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      try {
        return pid > 1 && statSync(`/proc/${pid}`).uid === uid && !/^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
      } catch {
        return false;
      }
    });

const stop = async (folder: string): Promise<void> => {
  for (let pids = processesOfUser(); pids.length > 0; pids = processesOfUser()) {
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    await delay(50);
  }
  rmSync(folder, { recursive: true, force: true });
};

/**
 * Starts it below `folder`, whose path must be short. A string says why it cannot be had here; `hasNetwork: false` asks for no program that
 * only its ordinary network needs.
 */
export const startRootlessPodman = async (folder: string, { hasNetwork = true } = {}): Promise<RootlessPodman | string> => {
  const reason = await missing(hasNetwork);
  if (reason !== null) return reason;
  const child = spawn('/usr/bin/unshare', ['-m', 'sh', '-c', script(folder, await prepare(folder))], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let words = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    words = `${words}${text}`.slice(-2000);
  });
  const socket = join(folder, 'run/p.sock');
  for (let tries = 0; tries < 100 && child.exitCode === null; tries += 1) {
    if (existsSync(socket)) return { socket, home: join(folder, 'home'), stop: () => stop(folder) };
    await delay(100);
  }
  await stop(folder);
  return `its service did not start: ${words.trim() || `exit code ${child.exitCode}`}`;
};
