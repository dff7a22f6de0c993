// Reads Docker's contexts. Never writes; a broken one is told and hides no other.
// Source: docker CLI, `contexts/meta/SHA256(name)/meta.json` and `contexts/tls/SHA256(name)/docker/*.pem` below DOCKER_CONFIG.
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

export interface DockerContext {
  name: string;
  /** null: its file could not be read; `problem` says why. */
  host: string | null;
  /** Where its certificates are, when it has any. */
  tlsFolder: string | null;
  problem: string | null;
}

export interface DockerContexts {
  /** null: the default one. */
  current: string | null;
  contexts: DockerContext[];
}

const readJson = async (path: string): Promise<unknown> => JSON.parse(await readFile(path, 'utf8'));

const isFolder = async (path: string): Promise<boolean> => {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
};

const readContext = async (folder: string, id: string): Promise<DockerContext> => {
  const path = join(folder, 'contexts', 'meta', id, 'meta.json');
  const tls = join(folder, 'contexts', 'tls', id, 'docker');
  try {
    const meta = (await readJson(path)) as { Name?: string; Endpoints?: { docker?: { Host?: string } } };
    const host = meta.Endpoints?.docker?.Host ?? null;
    const problem = host === null ? `The context file ${path} names no Docker address.` : null;
    return { name: meta.Name ?? id.slice(0, 12), host, tlsFolder: (await isFolder(tls)) ? tls : null, problem };
  } catch (thrown) {
    return { name: id.slice(0, 12), host: null, tlsFolder: null, problem: `The context file ${path} cannot be read: ${String(thrown)}` };
  }
};

/** All contexts below a Docker config folder, by name; nothing there means no contexts. */
export const readDockerContexts = async (folder: string): Promise<DockerContexts> => {
  const config = (await readJson(join(folder, 'config.json')).catch(() => ({}))) as { currentContext?: string };
  const ids = await readdir(join(folder, 'contexts', 'meta')).catch(() => [] as string[]);
  const contexts = await Promise.all(ids.map((id) => readContext(folder, id)));
  const current = config.currentContext;
  return {
    current: current === undefined || current === '' || current === 'default' ? null : current,
    contexts: contexts.sort((a, b) => a.name.localeCompare(b.name)),
  };
};
