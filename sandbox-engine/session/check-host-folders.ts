// Looks at the folders of this machine that a session would get: where they really lead, and whether the machine, its runtimes or Sandlot
// itself could be steered through them. Agreement opens none of that.
// Source: whoever can write to a runtime's socket is root on the machine (Docker Engine security, "daemon attack surface").

import { realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { SandlotError } from '../base/errors.ts';
import { repoFolder } from '../base/repo-folder.ts';
import type { Environment } from '../contract/model.ts';

const runtimeSockets = ['docker.sock', 'podman/podman.sock', 'containerd/containerd.sock', 'crio/crio.sock'];
const runtimeFolders = ['/var/lib/docker', '/var/lib/containers', '/proc', '/sys', '/dev'];

const holds = (folder: string, path: string): boolean => folder === '/' || path === folder || path.startsWith(`${folder}/`);

/** Why a real path must not go into a sandbox; null when it may. Pure. */
export const refusedSource = (path: string, socketPaths: readonly string[], ownFolder: string): string | null => {
  const held = socketPaths.find((socket) => holds(path, socket));
  if (held !== undefined) return `it holds ${held}, through which a sandbox could steer the container runtime`;
  if (holds(path, ownFolder) || holds(ownFolder, path))
    return `it holds or is part of ${ownFolder}, where Sandlot keeps its keys and secrets`;
  const own = runtimeFolders.find((folder) => holds(path, folder) || holds(folder, path));
  return own === undefined ? null : `it holds or is part of ${own}, which belongs to the machine or its container runtime`;
};

const presentSockets = async (): Promise<string[]> => {
  const places = ['/run', process.env['XDG_RUNTIME_DIR'] ?? '/run'].flatMap((folder) => runtimeSockets.map((name) => join(folder, name)));
  const found = await Promise.all(places.map(async (path) => await realpath(path).catch(() => path)));
  return [...new Set([...found, ...places])];
};

const forbidden = (source: string, why: string): SandlotError =>
  new SandlotError('forbidden', `${source} goes into no sandbox: ${why}.`, { nextAction: 'Name another folder.', details: { source } });

const missing = ({ source, place }: Source, cause: unknown): SandlotError =>
  new SandlotError('not_found', `${source} goes into no sandbox: it cannot be found.`, {
    cause,
    details: { source },
    nextAction: `Put it back, or change it in the environment: ${place}.`,
  });

interface Source {
  source: string;
  /** Where it is named. */
  place: string;
}

const checkSource = async (from: Source, sockets: readonly string[], ownFolder: string): Promise<void> => {
  const { source } = from;
  const real = await realpath(source).catch((cause: unknown) => {
    throw missing(from, cause);
  });
  // Agreement was given to the path that was seen, and a link can be turned elsewhere afterwards.
  if (real !== source) throw forbidden(source, `a link leads to ${real}; name that folder itself`);
  const found = await stat(real);
  if (!found.isDirectory() && !found.isFile()) throw forbidden(source, 'it is neither a folder nor a file');
  const why = refusedSource(real, sockets, ownFolder);
  if (why !== null) throw forbidden(source, why);
};

/** Refuses folders that are not there, lead elsewhere or open the machine. @throws not_found @throws forbidden */
export const checkHostFolders = async ({ mounts, repo }: Pick<Environment, 'mounts' | 'repo'>, ownFolder: string): Promise<void> => {
  const folder = repoFolder(repo);
  const sources = [
    ...(folder === null ? [] : [{ source: folder, place: 'its repository, on the Overview' }]),
    ...mounts.map(({ source }) => ({ source, place: 'its folders of this machine, under Privileges' })),
  ];
  if (sources.length === 0) return;
  const sockets = await presentSockets();
  const own = await realpath(ownFolder).catch(() => ownFolder);
  for (const source of sources) await checkSource(source, sockets, own);
};
