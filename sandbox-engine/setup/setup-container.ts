// The container of a setup run: like that of a session, but without a volume, so that the prepared image holds /workspace too.
import { setTimeout as delay } from 'node:timers/promises';
import { SandlotError } from '../base/errors.ts';
import { sizeText } from '../base/size-text.ts';
import type { ContainerRuntime, ContainerSpec, ImageDetails } from '../container/container-runtime.ts';
import type { MakeLabels } from '../container/labels.ts';
import { readExec } from '../container/read-exec.ts';
import type { SandboxNetwork } from '../container/sandbox-network.ts';
import { sandboxSpec, workspace } from '../container/sandbox-spec.ts';
import type { Environment } from '../contract/model.ts';

export interface SetupContainer {
  runId: string;
  environment: Environment;
  image: ImageDetails;
  network: SandboxNetwork;
  cpus: number;
  memoryBytes: number;
  makeLabels: MakeLabels;
}

/** Describes the container. */
export const setupContainerSpec = ({
  runId,
  environment,
  image,
  network,
  cpus,
  memoryBytes,
  makeLabels,
}: SetupContainer): ContainerSpec => ({
  ...sandboxSpec({
    id: runId,
    image,
    envVars: environment.env_vars,
    network,
    cpus,
    memoryBytes,
    privileged: environment.privileged,
    gpu: environment.resources.gpu,
  }),
  labels: makeLabels('setup-run', { environment: environment.id, environmentName: environment.name, setupRun: runId }),
});

/** A script can leave any program in the place of the shell; a large workspace takes long to measure. */
const askLimitMs = 600_000;

/** Runs a small shell script as root and answers what it printed. */
const askInside = (runtime: ContainerRuntime, containerId: string, script: string): Promise<string> => {
  const exec = { command: ['/bin/sh', '-c', script], user: '0', workdir: '/', stdin: false };
  return readExec(runtime, containerId, exec, { signal: AbortSignal.timeout(askLimitMs) });
};

const endAll = `for round in 1 2 3; do
  for d in /proc/[0-9]*; do
    p=\${d#/proc/}; [ "$p" = 1 ] && continue; [ "$p" = $$ ] && continue
    c=$(tr '\\0' ' ' 2>/dev/null <"$d/cmdline") || continue
    case "$c" in ''|sandlot-setup*) continue ;; esac
    kill -9 "$p" 2>/dev/null && echo "$p $c"
  done
done`;

/** Ends what the script left running, but not the container, and names it: `PID COMMAND`. */
export const endLeftOvers = async (runtime: ContainerRuntime, containerId: string): Promise<string[]> => {
  const told = await askInside(runtime, containerId, endAll);
  return [...new Set(told.split('\n').map((line) => line.trim().slice(0, 200)))].filter((line) => /^\d+ /.test(line));
};

const oomCounts = `cat /sys/fs/cgroup/memory.events /sys/fs/cgroup/memory/memory.oom_control 2>/dev/null; echo here`;
const endKnownWithinMs = 3_000;

/** Of a container that cannot be asked. */
export const nothingKnown = { oomKilled: false, isGone: false } as const;

/**
 * What became of the container: whether the kernel killed anything in it for want of memory, and whether it is there no more.
 * A runtime may call a container running for a moment after its processes have died, and Podman refuses to speak of one that it is just
 * removing: what does not answer is looked at again. @throws runtime_error when it cannot be told in time
 */
export const endOf = async (runtime: ContainerRuntime, containerId: string): Promise<{ oomKilled: boolean; isGone: boolean }> => {
  const lookUntil = Date.now() + endKnownWithinMs;
  for (;;) {
    const details = await runtime.inspectContainer(containerId).catch(async (thrown: unknown) => {
      if (Date.now() > lookUntil) throw thrown;
      await delay(100);
      return undefined;
    });
    if (details === undefined) continue;
    if (details === null || details.status !== 'running') return { oomKilled: details?.oomKilled ?? false, isGone: true };
    const said = await askInside(runtime, containerId, oomCounts).catch(() => '');
    if (details.oomKilled || said.includes('here') || Date.now() > lookUntil) {
      return { oomKilled: details.oomKilled || /^oom_kill [1-9]/m.test(said), isGone: false };
    }
    await delay(100);
  }
};

/** One sentence on the compute as the script saw it. @throws runtime_error when the script took away what every session needs */
export const profileOf = async (runtime: ContainerRuntime, containerId: string): Promise<string> => {
  const script = `[ -x /bin/bash ] && [ -d ${workspace} ] && echo "$(nproc) CPUs, $(du -sm /workspace 2>/dev/null | cut -f1) MiB in /workspace, $(dpkg-query -f '.' -W 2>/dev/null | wc -c) Debian packages, $(df -Pm / | tail -n 1 | tr -s ' ' | cut -d' ' -f4)"`;
  const said = (await askInside(runtime, containerId, script)).trim();
  const inWords = (_: string, mebibytes: string): string => `, ${sizeText(Number(mebibytes) * 2 ** 20)} of disk free`;
  if (/^\d+ CPUs, /.test(said)) return said.replace(/, (\d+)$/, inWords);
  throw new SandlotError('runtime_error', 'Setup passed, but no session could start from what it left: bash or /workspace is gone.', {
    nextAction: 'Find the line of the script that removes it, and test setup again.',
  });
};
