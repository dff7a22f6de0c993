// Lists the places where a runtime may be: DOCKER_HOST, contexts, known sockets. Pure: it touches nothing; probe.ts does.
// Source: docker CLI (DOCKER_HOST over DOCKER_CONTEXT over currentContext), Podman, Colima, OrbStack, Rancher Desktop, Lima docs.
import { join } from 'node:path';
import { parseDockerAddress } from './docker-address.ts';
import type { DockerTarget } from './docker-connection.ts';
import type { DockerContext, DockerContexts } from './docker-contexts.ts';

export interface Candidate {
  /** What it most likely is; the probe knows better. */
  kind: 'docker' | 'podman';
  /** The base of its id: `docker`, `colima`. */
  name: string;
  address: string;
  source: string;
  /** null: it cannot be dialled, `problem` says why. */
  target: DockerTarget | null;
  problem: { status: 'unsupported' | 'unreadable'; message: string } | null;
  /** Folder with ca.pem, cert.pem, key.pem. */
  tlsFolder: string | null;
  /** Asked for by name: shown even when nothing is there, and never passed over for another. */
  isExplicit: boolean;
  /** The one that the user has chosen by DOCKER_HOST or by a context. */
  isChosen: boolean;
}

export interface DiscoverInput {
  env: Record<string, string | undefined>;
  homeFolder: string;
  uid: number;
  contexts: DockerContexts;
}

const guessKind = (address: string): 'docker' | 'podman' => (/podman/.test(address) ? 'podman' : 'docker');

const explicit = (address: string, source: string, name: string, tlsFolder: string | null, isChosen: boolean): Candidate => {
  const parsed = parseDockerAddress(address, tlsFolder !== null);
  return {
    kind: guessKind(address),
    name,
    address: parsed.ok ? parsed.target.address : address,
    source,
    target: parsed.ok ? parsed.target : null,
    problem: parsed.ok ? null : { status: 'unsupported', message: parsed.message },
    tlsFolder,
    isExplicit: true,
    isChosen,
  };
};

const fromContext = (context: DockerContext, isChosen: boolean): Candidate => {
  const source = `context "${context.name}"`;
  if (context.host !== null) return explicit(context.host, source, context.name, context.tlsFolder, isChosen);
  const problem = { status: 'unreadable', message: context.problem ?? 'The context cannot be read.' } as const;
  return { kind: 'docker', name: context.name, address: '', source, target: null, problem, tlsFolder: null, isExplicit: true, isChosen };
};

const socket = (kind: Candidate['kind'], name: string, socketPath: string, source: string): Candidate => ({
  kind,
  name,
  address: `unix://${socketPath}`,
  source,
  target: { kind: 'socket', address: `unix://${socketPath}`, socketPath },
  problem: null,
  tlsFolder: null,
  isExplicit: false,
  isChosen: false,
});

const dockerSockets = (home: string, runFolders: string[]): Candidate[] => [
  socket('docker', 'docker', '/var/run/docker.sock', 'default socket'),
  ...runFolders.map((folder) => socket('docker', 'docker-rootless', join(folder, 'docker.sock'), 'rootless Docker socket')),
  socket('docker', 'desktop', join(home, '.docker/run/docker.sock'), 'Docker Desktop socket'),
  socket('docker', 'desktop-linux', join(home, '.docker/desktop/docker.sock'), 'Docker Desktop socket'),
  socket('docker', 'colima', join(home, '.colima/default/docker.sock'), 'Colima socket'),
  socket('docker', 'orbstack', join(home, '.orbstack/run/docker.sock'), 'OrbStack socket'),
  socket('docker', 'rancher', join(home, '.rd/docker.sock'), 'Rancher Desktop socket'),
  socket('docker', 'lima', join(home, '.lima/docker/sock/docker.sock'), 'Lima socket'),
  socket('docker', 'lima-default', join(home, '.lima/default/sock/docker.sock'), 'Lima socket'),
];

const podmanSockets = (home: string, runFolders: string[]): Candidate[] => [
  ...runFolders.map((folder) => socket('podman', 'podman-rootless', join(folder, 'podman/podman.sock'), 'rootless Podman socket')),
  socket('podman', 'podman', '/run/podman/podman.sock', 'rootful Podman socket'),
  socket('podman', 'podman-machine', join(home, '.local/share/containers/podman/machine/podman.sock'), 'Podman machine socket'),
  socket(
    'podman',
    'podman-machine-default',
    join(home, '.local/share/containers/podman/machine/podman-machine-default/podman.sock'),
    'Podman machine socket',
  ),
];

const chosenContext = (env: DiscoverInput['env'], contexts: DockerContexts): string | null => {
  const named = env.DOCKER_CONTEXT ?? '';
  if (named === '') return contexts.current;
  return named === 'default' ? null : named;
};

const missingContext = (name: string): DockerContext => ({
  name,
  host: null,
  tlsFolder: null,
  problem: `There is no Docker context "${name}".`,
});

const tlsFolderOf = (env: DiscoverInput['env'], homeFolder: string): string | null =>
  (env.DOCKER_TLS_VERIFY ?? '') === '' ? null : env.DOCKER_CERT_PATH || join(homeFolder, '.docker');

const withoutRepeats = (candidates: Candidate[]): Candidate[] => {
  const seen = new Set<string>();
  return candidates.filter((candidate) => {
    const key = candidate.address === '' ? candidate.source : candidate.address;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
};

/** All places in order of preference; one that is found twice keeps its first source. */
export const listCandidates = ({ env, homeFolder, uid, contexts }: DiscoverInput): Candidate[] => {
  const runFolders = [...new Set([env.XDG_RUNTIME_DIR ?? '', `/run/user/${uid}`])].filter((folder) => folder !== '');
  const dockerHost = (env.DOCKER_HOST ?? '').trim();
  const context = dockerHost === '' ? chosenContext(env, contexts) : null;
  const chosen: Candidate[] = [];
  if (dockerHost !== '') chosen.push(explicit(dockerHost, 'DOCKER_HOST', guessKind(dockerHost), tlsFolderOf(env, homeFolder), true));
  if (context !== null) chosen.push(fromContext(contexts.contexts.find(({ name }) => name === context) ?? missingContext(context), true));
  const podmanHost = (env.CONTAINER_HOST ?? '').trim();
  return withoutRepeats([
    ...chosen,
    // A chosen place that does not answer is told, not passed over for the default socket.
    ...(dockerHost === '' ? dockerSockets(homeFolder, runFolders) : []),
    ...contexts.contexts.map((other) => fromContext(other, false)),
    ...(podmanHost === '' ? [] : [{ ...explicit(podmanHost, 'CONTAINER_HOST', 'podman', null, false), kind: 'podman' as const }]),
    ...podmanSockets(homeFolder, runFolders),
  ]);
};

/** Where Docker keeps its config. */
export const dockerConfigFolder = (env: DiscoverInput['env'], homeFolder: string): string =>
  env.DOCKER_CONFIG || join(homeFolder, '.docker');
