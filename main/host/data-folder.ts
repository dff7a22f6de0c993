// Where Sandlot keeps its things on this machine.
// Source: XDG Base Directory Specification; Apple "File System Programming Guide"; Windows known folders.
import { createHash } from 'node:crypto';
import { chmod, lstat, mkdir } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { SandlotError } from '../../sandbox-engine/index.ts';

export interface Place {
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  home: string;
}

const here = (env: NodeJS.ProcessEnv): Place => ({ env, platform: process.platform, home: homedir() });

/** Some systems hold a socket's path in 104 bytes, the last of them a zero. Source: unix(7), unix(4) on macOS. */
const maxSocketPathBytes = 100;

/** The folder of the registry, logs and streams: `SANDLOT_HOME`, else what the system has for it. */
export const resolveDataFolder = (env: NodeJS.ProcessEnv, { platform, home }: Omit<Place, 'env'> = here(env)): string => {
  const asked = env['SANDLOT_HOME'];
  if (asked !== undefined && asked !== '') return resolve(asked);
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Sandlot');
  if (platform === 'win32') return join(env['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local'), 'Sandlot');
  const xdg = env['XDG_DATA_HOME'];
  // The specification: a relative path is to be ignored.
  return join(xdg !== undefined && isAbsolute(xdg) ? xdg : join(home, '.local', 'share'), 'sandlot');
};

/** A folder with a short path for sockets, for this user and data folder only. */
export const resolveRunFolder = (dataFolder: string, env: NodeJS.ProcessEnv): string => {
  const key = createHash('sha256').update(dataFolder).digest('hex').slice(0, 16);
  const xdg = env['XDG_RUNTIME_DIR'];
  const parent = xdg !== undefined && isAbsolute(xdg) && Buffer.byteLength(xdg) < 60 ? xdg : tmpdir();
  return join(Buffer.byteLength(parent) < 60 ? parent : '/tmp', `sandlot-${process.getuid?.() ?? 0}-${key}`);
};

/** Where the host of a data folder listens: in the folder, or in the run folder when the path would be too long for a socket. */
export const resolveSocketPath = (dataFolder: string, env: NodeJS.ProcessEnv): string => {
  if (process.platform === 'win32') return `\\\\.\\pipe\\${createHash('sha256').update(dataFolder).digest('hex').slice(0, 32)}`;
  const plain = join(dataFolder, 'host.sock');
  return Buffer.byteLength(plain) <= maxSocketPathBytes ? plain : join(resolveRunFolder(dataFolder, env), 'host.sock');
};

/** Makes a folder that only its owner can enter. @throws forbidden when somebody else owns it */
export const makePrivateFolder = async (folder: string): Promise<void> => {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { uid } = await lstat(folder);
  if (process.getuid !== undefined && uid !== process.getuid()) {
    throw new SandlotError('forbidden', `${folder} belongs to another user (uid ${uid}).`, {
      nextAction: 'Set SANDLOT_HOME to a folder of your own.',
    });
  }
  await chmod(folder, 0o700);
};
