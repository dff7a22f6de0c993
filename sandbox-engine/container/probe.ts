// Looks at one candidate: is it there, may we, does it answer, is it new enough; and says each in its own words.
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { SandlotError } from '../base/errors.ts';
import type { RuntimeProbe } from '../contract/model.ts';
import type { RuntimeInfo } from './container-runtime.ts';
import type { Candidate } from './discover.ts';
import type { DockerTarget } from './docker-connection.ts';
import type { DockerRuntime } from './docker-runtime.ts';
import { createDockerRuntime } from './docker-runtime.ts';
import { explainPodmanTrouble } from './podman-conf.ts';

export interface Probed {
  probe: RuntimeProbe;
  /** Only when connected. */
  runtime: DockerRuntime | null;
}

const probeTimeoutMs = 5000;

const emptyProbe = (id: string, candidate: Candidate): RuntimeProbe => ({
  id,
  kind: candidate.kind,
  address: candidate.address,
  source: candidate.source,
  status: 'unreachable',
  message: '',
  fix: null,
  rootless: false,
  version: null,
  api_version: null,
  min_api_version: null,
  architecture: null,
  cpus: null,
  memory_bytes: null,
  is_default: false,
});

const productOf = (candidate: Candidate): string => (candidate.kind === 'podman' ? 'Podman' : 'Docker');

const startCommand = (candidate: Candidate): string => {
  if (candidate.kind === 'podman')
    return /rootless/.test(candidate.source) ? 'systemctl --user start podman.socket' : 'sudo systemctl start podman.socket';
  return /rootless/.test(candidate.source) ? 'systemctl --user start docker' : 'sudo systemctl start docker';
};

const connectedFields = (info: RuntimeInfo): Partial<RuntimeProbe> => ({
  kind: info.kind,
  status: 'connected',
  message: `${info.kind === 'podman' ? 'Podman' : 'Docker'} ${info.version} answers (API ${info.apiVersion}${info.rootless ? ', rootless' : ''}).`,
  rootless: info.rootless,
  version: info.version,
  api_version: info.apiVersion,
  min_api_version: info.minApiVersion,
  architecture: info.architecture,
  cpus: info.cpus,
  memory_bytes: info.memoryBytes,
});

const denied = (candidate: Candidate): Partial<RuntimeProbe> => {
  const told = `${productOf(candidate)} is at ${candidate.address}, but this user may not use it: permission denied.`;
  // A system-wide Podman has no group to join: each user runs one of their own.
  return candidate.kind === 'podman'
    ? {
        status: 'permission_denied',
        message: `${told} It is another user's Podman; start one of your own.`,
        fix: 'systemctl --user enable --now podman.socket',
      }
    : {
        status: 'permission_denied',
        message: `${told} Join the group that owns the socket; a change of groups needs a new login.`,
        fix: 'sudo usermod -aG docker "$USER"',
      };
};

const stopped = (candidate: Candidate): Partial<RuntimeProbe> => ({
  status: 'not_running',
  message: `There is a socket at ${candidate.address}, but nobody listens: the ${productOf(candidate)} behind it is stopped.`,
  fix: startCommand(candidate),
});

const failedFields = (candidate: Candidate, thrown: unknown): Partial<RuntimeProbe> => {
  const code = thrown instanceof SandlotError ? thrown.code : 'internal';
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const socketCode = thrown instanceof SandlotError ? thrown.details.code : null;
  if (code === 'runtime_permission_denied') return denied(candidate);
  if (code === 'runtime_too_old') return { status: 'too_old', message, fix: null };
  if (candidate.target?.kind === 'socket' && socketCode === 'ECONNREFUSED') return stopped(candidate);
  if (socketCode === 'ECONNREFUSED')
    return { status: 'unreachable', message: `The connection to ${candidate.address} (from ${candidate.source}) was refused.` };
  return {
    status: 'unreachable',
    message: `${productOf(candidate)} at ${candidate.address} (from ${candidate.source}) does not answer: ${message}`,
  };
};

/** Whether the socket file is there; `denied` when even that is hidden. */
export const lookAtSocket = async (path: string): Promise<'present' | 'missing' | 'denied'> => {
  try {
    await stat(path);
    return 'present';
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'EACCES' ? 'denied' : 'missing';
  }
};

const withTls = async (target: DockerTarget, folder: string | null): Promise<DockerTarget> => {
  if (target.kind !== 'tcp' || folder === null) return target;
  const [ca, cert, key] = await Promise.all(['ca.pem', 'cert.pem', 'key.pem'].map((name) => readFile(join(folder, name), 'utf8')));
  return { ...target, tls: { ca: ca ?? '', cert: cert ?? '', key: key ?? '' } };
};

const withTimeout = async <T>(work: Promise<T>, address: string): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new SandlotError('timeout', `No answer from ${address} within ${probeTimeoutMs / 1000} seconds.`)),
      probeTimeoutMs,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
};

const dial = async (id: string, candidate: Candidate, target: DockerTarget): Promise<Probed> => {
  const first = createDockerRuntime({ id, kind: candidate.kind, connection: await withTls(target, candidate.tlsFolder) });
  try {
    const info = await withTimeout(first.info(), candidate.address);
    const probe = { ...emptyProbe(id, candidate), ...connectedFields(info) };
    if (info.kind === candidate.kind) return { probe, runtime: first };
    first.close();
    return { probe, runtime: createDockerRuntime({ id, kind: info.kind, connection: await withTls(target, candidate.tlsFolder) }) };
  } catch (thrown) {
    first.close();
    throw thrown;
  }
};

/** Probes one candidate; failing is an answer. */
export const probeCandidate = async (id: string, candidate: Candidate): Promise<Probed> => {
  const empty = emptyProbe(id, candidate);
  if (candidate.problem !== null || candidate.target === null) return { probe: { ...empty, ...candidate.problem }, runtime: null };
  if (candidate.target.kind === 'socket') {
    const seen = await lookAtSocket(candidate.target.socketPath);
    if (seen === 'denied') return { probe: { ...empty, ...denied(candidate) }, runtime: null };
    const message = `There is no socket at ${candidate.address} (from ${candidate.source}).`;
    if (seen === 'missing') return { probe: { ...empty, status: 'absent', message, fix: startCommand(candidate) }, runtime: null };
  }
  try {
    return await dial(id, candidate, candidate.target);
  } catch (thrown) {
    return { probe: { ...empty, ...failedFields(candidate, thrown) }, runtime: null };
  }
};

/** What is shown when no runtime was found anywhere. `podmanProblem`: why a Podman that is installed could not be started. */
export const nothingFound = (tried: Candidate[], podmanProblem: string | null): RuntimeProbe => {
  const podman = podmanProblem === null ? '' : ` Podman is installed, but its service did not start: ${podmanProblem}`;
  const places = tried.map(({ address }) => address).join(', ');
  const first = tried[0];
  const none = {
    kind: 'docker',
    name: 'docker',
    address: '',
    source: 'none found',
    target: null,
    problem: null,
    tlsFolder: null,
    isExplicit: false,
    isChosen: false,
  } as const;
  return {
    ...emptyProbe('docker', first === undefined ? none : { ...first, source: 'default socket' }),
    status: 'absent',
    message: `No container runtime was found. Looked at: ${places}.${podman}`,
    fix: podmanProblem === null ? 'sudo apt-get install -y docker.io' : (explainPodmanTrouble(podmanProblem)?.fix ?? 'podman info'),
  };
};
