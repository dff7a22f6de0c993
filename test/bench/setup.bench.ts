// Setup runs: what the markers cost, how soon the first line is there, how fast a log is paged, what a flood does to the host.
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../sandbox-engine/base/clock.ts';
import type { ContainerRuntime } from '../../sandbox-engine/container/container-runtime.ts';
import { createDockerRuntime } from '../../sandbox-engine/container/docker-runtime.ts';
import type { SetupRun } from '../../sandbox-engine/contract/model.ts';
import { instrument } from '../../sandbox-engine/setup/instrument.ts';
import { runScript } from '../../sandbox-engine/setup/run-script.ts';
import { createLineLog } from '../../sandbox-engine/stream/line-log.ts';
import { createRedactor } from '../../sandbox-engine/stream/redact.ts';
import type { StreamStore } from '../../sandbox-engine/stream/stream.ts';
import { createStreamStore } from '../../sandbox-engine/stream/stream-store.ts';
import { type BenchHost, openBenchHost } from './bench-host.ts';
import { type BenchRuntime, benchDocker, createRaw, removeRaw } from './bench-runtimes.ts';
import { measureInTurns, type Ratio } from './ratio.ts';

const scriptLines = 1_000;
const floodBytes = 200_000_000;
const floodLimitMiB = 60;
const pageLines = 2_000;
const wantedLinesPerSecond = 20_000;

const trueScript = 'true\n'.repeat(scriptLines);

const runOurs = async (runtime: ContainerRuntime, store: StreamStore, containerId: string): Promise<number> => {
  const began = performance.now();
  const redactor = createRedactor([]);
  const log = await createLineLog({ store, id: 'str_setup', redactor, clock: systemClock });
  const run = { runtime, containerId, instrumented: instrument(trueScript, null), log, clock: systemClock };
  const end = await runScript({ ...run, timeoutMs: 60_000, redactor, signal: new AbortController().signal });
  await log.end();
  const took = performance.now() - began;
  if (end.exitCode !== 0 || log.count() !== scriptLines) throw new Error(`${log.count()} markers came, exit code ${end.exitCode}.`);
  await store.remove('str_setup');
  return took;
};

const runPlain = async ({ client }: BenchRuntime, containerId: string): Promise<number> => {
  const began = performance.now();
  const options = { AttachStdin: true, AttachStdout: true, AttachStderr: true, User: 'sandbox', WorkingDir: '/workspace' };
  const exec = await client.getContainer(containerId).exec({ ...options, Cmd: ['bash', '-e'] });
  const socket = await exec.start({ hijack: true, stdin: true });
  socket.end(trueScript);
  socket.resume();
  await once(socket, 'end');
  const { ExitCode } = await exec.inspect();
  if (ExitCode !== 0) throw new Error(`The plain script ended with ${ExitCode}.`);
  return performance.now() - began;
};

const markers = async (docker: BenchRuntime, image: string): Promise<Ratio> => {
  const folder = await mkdtemp(join(tmpdir(), 'sandlot-setup-'));
  const store = createStreamStore({ folder, onGrew: () => undefined });
  const connection = { kind: 'socket', address: `unix://${docker.socket}`, socketPath: docker.socket } as const;
  const runtime = createDockerRuntime({ id: 'docker', kind: 'docker', connection });
  const container = await createRaw(docker, image, null);
  try {
    await container.start();
    const { ours, plain } = await measureInTurns(7, {
      ours: () => runOurs(runtime, store, container.id),
      plain: () => runPlain(docker, container.id),
    });
    return {
      what: `Setup script of ${scriptLines} lines \`true\`, each with its marker in the log`,
      ...{ ours, baseline: plain, against: 'the same script in `bash -e` by dockerode, same container' },
      bound: { kind: 'at most', ratio: 2.5 },
    };
  } finally {
    await removeRaw(container);
    runtime.close();
    await store.close();
    await rm(folder, { recursive: true, force: true });
  }
};

let keys = 0;

const startRun = async (host: BenchHost, environmentId: string): Promise<SetupRun> => {
  keys += 1;
  return await host.call('setup_runs.create', { environment_id: environmentId, idempotency_key: `bench-${keys}` });
};

const finish = async (host: BenchHost, { id }: SetupRun): Promise<SetupRun> => {
  for (;;) {
    const run = await host.call('setup_runs.get', { setup_run_id: id, wait_seconds: 5 });
    if (run.status === 'failed') throw new Error(`The setup run of the bench failed: ${run.hint ?? run.stderr_tail}`);
    if (run.finished_at !== null) return run;
  }
};

const firstLineOurs = async (host: BenchHost, environmentId: string): Promise<number> => {
  const began = performance.now();
  const run = await startRun(host, environmentId);
  await host.grown(run.stream_id, 0);
  const took = performance.now() - began;
  await finish(host, run);
  return took;
};

const firstLineRaw = async (docker: BenchRuntime, image: string): Promise<number> => {
  const began = performance.now();
  const container = await createRaw(docker, image, null);
  await container.start();
  const options = { AttachStdin: true, AttachStdout: true, AttachStderr: true, User: 'sandbox', WorkingDir: '/workspace' };
  const exec = await container.exec({ ...options, Cmd: ['bash', '-l', '-e'] });
  const socket = await exec.start({ hijack: true, stdin: true });
  socket.end('echo first\n');
  await once(socket, 'data');
  const took = performance.now() - began;
  socket.destroy();
  await removeRaw(container);
  return took;
};

const fixedCost = async (host: BenchHost, docker: BenchRuntime, environmentId: string, image: string): Promise<Ratio> => {
  await host.call('environments.update', { environment_id: environmentId, patch: { setup: { script: 'echo first\n' } } });
  const { ours, raw } = await measureInTurns(9, {
    ours: () => firstLineOurs(host, environmentId),
    raw: () => firstLineRaw(docker, image),
  });
  return {
    what: 'Setup run: `setup_runs.create` until the first line of the script is in the log',
    ...{ ours, baseline: raw, against: 'create, start, exec of `bash -l -e` to its first byte by dockerode; same image' },
    bound: { kind: 'at most', ratio: 1.3 },
  };
};

const residentMiB = async (pid: number): Promise<number> => {
  const found = /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'));
  return Number(found?.[1]) / 1024;
};

const flood = async (host: BenchHost, environmentId: string): Promise<{ grown: number; run: SetupRun }> => {
  const script = `head -c ${floodBytes} <(yes ${'x'.repeat(99)})\n`;
  await host.call('environments.update', { environment_id: environmentId, patch: { setup: { script } } });
  const before = await residentMiB(host.pid);
  let highest = before;
  const timer = setInterval(() => {
    residentMiB(host.pid).then(
      (now) => {
        highest = Math.max(highest, now);
      },
      () => undefined,
    );
  }, 20);
  try {
    const run = await finish(host, await startRun(host, environmentId));
    return { grown: highest - before, run };
  } finally {
    clearInterval(timer);
  }
};

const pageAll = async (host: BenchHost, run: SetupRun): Promise<number> => {
  const began = performance.now();
  let after = 0;
  for (;;) {
    const page = await host.call('setup_runs.logs', { setup_run_id: run.id, after, limit: pageLines });
    if (page.lines.length === 0) break;
    after = page.next_after;
  }
  if (after < 40_000) throw new Error(`Only ${after} lines were kept.`);
  return (after * 1000) / (performance.now() - began);
};

/** Measures on Docker. */
export const bench = async (): Promise<Ratio[]> => {
  const docker = benchDocker();
  const host = await openBenchHost();
  try {
    const { id, image } = await host.pinned(await host.runtimeId(docker), 'base: debian\n');
    const imageId = image.image_id ?? '';
    const ratios = [await markers(docker, imageId), await fixedCost(host, docker, id, imageId)];
    const { grown, run } = await flood(host, id);
    const { paged } = await measureInTurns(5, { paged: () => pageAll(host, run) });
    return [
      ...ratios,
      {
        what: 'A full log of 4 MiB read in pages by a client of the socket, lines a second',
        ...{ ours: paged, baseline: wantedLinesPerSecond, against: `the wanted ${wantedLinesPerSecond} lines a second` },
        bound: { kind: 'at least', ratio: 1 },
      },
      {
        what: 'Growth of the host while a setup script prints 200 MB, the highest seen',
        ...{ ours: grown, baseline: floodLimitMiB, against: `the limit of ${floodLimitMiB} MiB`, bound: { kind: 'at most', ratio: 1 } },
      },
    ];
  } finally {
    await host.close();
  }
};
