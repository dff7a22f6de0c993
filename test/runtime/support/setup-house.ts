// What setup runs need around them in a runtime test: a real runtime, real streams, stores in memory.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../sandbox-engine/base/clock.ts';
import { createIds } from '../../../sandbox-engine/base/ids.ts';
import type { ContainerRuntime } from '../../../sandbox-engine/container/container-runtime.ts';
import { createDockerRuntime } from '../../../sandbox-engine/container/docker-runtime.ts';
import { createLabels } from '../../../sandbox-engine/container/labels.ts';
import type { Environment, LogLine, SetupRun } from '../../../sandbox-engine/contract/model.ts';
import { createSetupRuns, type SetupRunsDeps } from '../../../sandbox-engine/setup/run-setup.ts';
import { verdictKey } from '../../../sandbox-engine/setup/verdict.ts';
import { createRedactor } from '../../../sandbox-engine/stream/redact.ts';
import { createStreamStore } from '../../../sandbox-engine/stream/stream-store.ts';
import { noGates } from './no-gates.ts';
import { ensureTestImage, testRuntimes } from './test-image.ts';

export { testRuntimes } from './test-image.ts';

const newId = createIds(Date.now);

/** An environment as the registry would hold it; `part` replaces fields. */
export const environmentWith = (script: string | null, part: Partial<Environment> = {}): Environment => ({
  ...{ id: newId('env'), slug: 'setup-test', name: 'Setup test', description: '', metadata: {}, repo: null, runtime: 'docker' },
  ...{
    recipe_yaml: '',
    recipe: { base: '', env: {}, packages: { apt: [], cargo: [], gem: [], go: [], npm: [], pip: [] }, initialize: [] },
  },
  ...{ session_start: [], knowledge: [], setup: script === null ? null : { script, timeout_seconds: 60 }, setup_warnings: [] },
  ...{ runbook: '', skills: [], env_vars: {}, secrets: [], secret_files: [], mcp_servers: {}, mounts: [] },
  ...{ network_policy: { version: 'v1', rules: [] }, privileged: false, computer_use: false },
  ...{ resources: { size: 'custom', cpus: 1, memory_gib: 0.5, gpu: false }, disk_gib: 20, idle_stop_seconds: 0, retention_seconds: 0 },
  ...{
    live: false,
    warm: false,
    revision: 1,
    recipe_digest: 'none',
    created_at: systemClock.iso(),
    updated_at: systemClock.iso(),
    archived_at: null,
  },
  ...part,
});

const memoryStore = (): SetupRunsDeps['store'] & { runs: Map<string, SetupRun> } => {
  const runs = new Map<string, SetupRun>();
  const all = (): SetupRun[] => [...runs.values()].reverse();
  const isOpen = ({ status }: SetupRun): boolean => ['queued', 'provisioning', 'running'].includes(status);
  return {
    runs,
    save: async (run) => void runs.set(run.id, run),
    find: async (id) => runs.get(id) ?? null,
    listByEnvironment: async (id, limit) =>
      all()
        .filter((run) => run.environment_id === id)
        .slice(0, limit),
    listUnfinished: async () => all().filter(isOpen),
    verdictRuns: async (id) => {
      const mine = all().filter((run) => run.environment_id === id && run.kind !== 'session');
      return {
        newestFinished: mine.find(({ status }) => status === 'succeeded' || status === 'failed') ?? null,
        inFlight: mine.find(isOpen) ?? null,
        interrupted: null,
      };
    },
    preparedImageIds: async () => all().flatMap(({ prepared_image_id }) => prepared_image_id ?? []),
    preparedImages: async () => [],
  };
};

const memoryKeys = (): SetupRunsDeps['registry'] => {
  const keys = new Map<string, string>();
  return {
    environments: {
      findByIdempotencyKey: async (scope, key) => keys.get(`${scope} ${key}`) ?? null,
      rememberIdempotencyKey: async (scope, key, _digest, id) => void keys.set(`${scope} ${key}`, id),
    },
  };
};

/** The adapter of one of the test machine's runtimes. */
export const openTestRuntime = ({ kind, socket }: (typeof testRuntimes)[number]) =>
  createDockerRuntime({ id: kind, kind, connection: { kind: 'socket', address: `unix://${socket}`, socketPath: socket } });

/** Setup runs over real runtimes; `change` wraps the runtime for faults that a healthy one will not produce, `ensureImage` makes what
 * they run in. */
export const openSetupHouse = async (
  change: (runtime: ContainerRuntime) => ContainerRuntime = (runtime) => runtime,
  ensureImage: (socket: string) => Promise<string> = ensureTestImage,
) => {
  // Its own mark, so that two test processes on one daemon leave each other's containers alone.
  const home = newId('req');
  const folder = await mkdtemp(join(tmpdir(), 'sandlot-setup-'));
  const streams = createStreamStore({ folder, onGrew: () => undefined });
  const real = new Map(testRuntimes.map((one) => [one.kind as string, openTestRuntime(one)]));
  const runtimeOf = (id: string): ContainerRuntime => change(real.get(id) as ContainerRuntime);
  const images = new Map<string, string>();
  for (const { kind, socket } of testRuntimes) images.set(kind, await ensureImage(socket));
  const store = memoryStore();
  const told: SetupRun[] = [];
  const redactor = createRedactor();
  const deps: SetupRunsDeps = {
    ...{ store, registry: memoryKeys(), runtimeOf, streams, newId, clock: systemClock },
    makeLabels: createLabels(home, '1:1'),
    emit: (run) => void told.push(run),
    planFor: async ({ runtime, resources }) => ({
      runtimeId: runtime,
      imageId: images.get(runtime) ?? '',
      cpus: resources.cpus ?? 1,
      memoryBytes: (resources.memory_gib ?? 1) * 1024 ** 3,
    }),
    keyFor: async (environment) => verdictKey(environment, { imageId: 'default', runtimeLayer: '1' }),
    redactor,
    networks: noGates,
  };
  const runs = createSetupRuns(deps);
  const linesOf = async (id: string): Promise<LogLine[]> => {
    const lines: LogLine[] = [];
    for (let after = 0; ; ) {
      const page = await runs.logs(id, { after, limit: 2000, waitSeconds: 0 });
      if (page.lines.length === 0) return lines;
      lines.push(...page.lines);
      after = page.nextAfter;
    }
  };
  const runToEnd = async (environment: Environment): Promise<SetupRun> =>
    await runs.waitFor((await runs.start(environment, { kind: 'manual', idempotencyKey: newId('req') })).id);
  const close = async (): Promise<void> => {
    await runs.close();
    for (const [kind, runtime] of real) {
      for (const run of store.runs.values())
        if (run.runtime === kind) await runtime.removeImage(`sandlot/prepared:${run.id}`, { force: true });
      for (const { id } of await runtime.listContainers({ 'dev.sandlot.home': home })) await runtime.removeContainer(id);
      runtime.close();
    }
    await streams.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { home, runs, store, told, redactor, deps, linesOf, runToEnd, runtimeOf, close };
};
