// The Podman service of our own: started when it is wanted, again when it ended by itself, and not too often where it will not start.
import type { Candidate } from './discover.ts';
import type { PodmanService } from './podman-service.ts';
import { startPodmanService } from './podman-service.ts';

export interface OwnPodman {
  /** Where it listens; null where there is no Podman or it does not start. */
  place: () => Promise<Candidate | null>;
  /** Why a Podman that is installed did not start, in its own words. */
  problem: () => string | null;
  stop: () => Promise<void>;
}

// Trying takes a process and up to ten seconds: not with every look.
const retryMs = 60_000;

const candidateAt = (socketPath: string): Candidate => {
  const address = `unix://${socketPath}`;
  const target = { kind: 'socket', address, socketPath } as const;
  const source = 'started by Sandlot';
  return { kind: 'podman', name: 'podman', address, source, target, problem: null, tlsFolder: null, isExplicit: false, isChosen: false };
};

/** Nothing is started before the first `place`. */
export const createOwnPodman = (env: Record<string, string | undefined>, runFolder: string): OwnPodman => {
  let service: PodmanService | null = null;
  let problem: string | null = null;
  let failedAt = Number.NEGATIVE_INFINITY;

  const start = async (): Promise<void> => {
    const started = await startPodmanService(env, runFolder);
    problem = started !== null && 'problem' in started ? started.problem : null;
    service = started === null || 'problem' in started ? null : started;
    // That there is no Podman is found out at once, and it may be installed in a moment.
    if (problem !== null) failedAt = performance.now();
  };
  return {
    place: async () => {
      if (service?.hasEnded() === true) service = null;
      if (service === null && performance.now() - failedAt > retryMs) await start();
      return service === null ? null : candidateAt(service.socketPath);
    },
    problem: () => problem,
    stop: async () => service?.stop(),
  };
};
