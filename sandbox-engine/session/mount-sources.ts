// Looks at the folders of this machine that a session would mount: where they really lead, and whether a runtime could be steered through them.
// Source: whoever can write to a runtime's socket is root on the machine (Docker Engine security, "daemon attack surface").
import { realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { SandlotError } from '../base/errors.ts';
import type { Environment } from '../contract/model.ts';

const runtimeSockets = ['docker.sock', 'podman/podman.sock', 'containerd/containerd.sock', 'crio/crio.sock'];
const runtimeFolders = ['/var/lib/docker', '/var/lib/containers', '/proc', '/sys', '/dev'];

const holds = (folder: string, path: string): boolean => folder === '/' || path === folder || path.startsWith(`${folder}/`);

/** Why a real path must not be mounted; null when it may. Pure. */
export const refusedSource = (path: string, socketPaths: readonly string[]): string | null => {
  const held = socketPaths.find((socket) => holds(path, socket));
  if (held !== undefined) return `it holds ${held}, through which a sandbox could steer the container runtime`;
  const own = runtimeFolders.find((folder) => holds(path, folder) || holds(folder, path));
  return own === undefined ? null : `it holds or is part of ${own}, which belongs to the machine or its container runtime`;
};

const presentSockets = async (): Promise<string[]> => {
  const places = ['/run', process.env['XDG_RUNTIME_DIR'] ?? '/run'].flatMap((folder) => runtimeSockets.map((name) => join(folder, name)));
  const found = await Promise.all(places.map(async (path) => await realpath(path).catch(() => path)));
  return [...new Set([...found, ...places])];
};

const forbidden = (source: string, why: string): SandlotError =>
  new SandlotError('forbidden', `${source} is not mounted: ${why}.`, { nextAction: 'Mount another folder.', details: { source } });

const checkSource = async (source: string, sockets: readonly string[]): Promise<void> => {
  const real = await realpath(source).catch((cause: unknown) => {
    throw new SandlotError('not_found', `${source} is not mounted: it cannot be found.`, { cause, details: { source } });
  });
  // Agreement was given to the path that was seen, and a link can be turned elsewhere afterwards.
  if (real !== source) throw forbidden(source, `a link leads to ${real}; name that folder itself`);
  const found = await stat(real);
  if (!found.isDirectory() && !found.isFile()) throw forbidden(source, 'it is neither a folder nor a file');
  const why = refusedSource(real, sockets);
  if (why !== null) throw forbidden(source, why);
};

/** Refuses sources that are not there, lead elsewhere or open the machine. @throws not_found @throws forbidden */
export const checkMountSources = async (mounts: Environment['mounts']): Promise<void> => {
  const sockets = mounts.length === 0 ? [] : await presentSockets();
  for (const { source } of mounts) await checkSource(source, sockets);
};
