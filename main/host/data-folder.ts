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

const unusable: Partial<Record<string, [code: 'registry_read_only' | 'disk_full' | 'invalid_request', why: string, nextAction: string]>> = {
  EROFS: [
    'registry_read_only',
    'its file system is read-only',
    'Mount it for writing, or set SANDLOT_HOME to a folder that can be written.',
  ],
  EACCES: ['registry_read_only', 'it may not be written by you', 'Make it writable for you, or set SANDLOT_HOME to a folder of your own.'],
  EPERM: ['registry_read_only', 'it may not be changed by you', 'Make it writable for you, or set SANDLOT_HOME to a folder of your own.'],
  ENOSPC: ['disk_full', 'its disk is full', 'Free some space, then start Sandlot again. What was saved before is still there.'],
  EDQUOT: [
    'disk_full',
    'your quota of its disk is used up',
    'Free some space, then start Sandlot again. What was saved before is still there.',
  ],
  EEXIST: ['invalid_request', 'something that is no folder is in its place', 'Set SANDLOT_HOME to a folder.'],
  ENOTDIR: ['invalid_request', 'something that is no folder is on its path', 'Set SANDLOT_HOME to a folder.'],
};

/** What the file system's refusal means for the folder; anything else stays what it is. */
const toFolderError = (thrown: unknown, folder: string): unknown => {
  const known = thrown instanceof SandlotError ? undefined : unusable[(thrown as NodeJS.ErrnoException).code ?? ''];
  if (known === undefined) return thrown;
  const [code, why, nextAction] = known;
  return new SandlotError(code, `The data folder ${folder} cannot be used: ${why}.`, { cause: thrown, nextAction });
};

/** Does something in the data folder; what the file system says about the folder becomes a sentence.
 * @throws registry_read_only @throws disk_full @throws invalid_request */
export const inDataFolder = async <T>(folder: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (thrown) {
    throw toFolderError(thrown, folder);
  }
};

/** Makes a folder that only its owner can enter. @throws forbidden when somebody else owns it */
export const makePrivateFolder = async (folder: string): Promise<void> => {
  await inDataFolder(folder, () => mkdir(folder, { recursive: true, mode: 0o700 }));
  const { uid } = await lstat(folder);
  if (process.getuid !== undefined && uid !== process.getuid()) {
    throw new SandlotError('forbidden', `${folder} belongs to another user (uid ${uid}).`, {
      nextAction: 'Set SANDLOT_HOME to a folder of your own.',
    });
  }
  await inDataFolder(folder, () => chmod(folder, 0o700));
};
