// A real registry, real streams and one real runtime with sessions over them: what engine.ts wires, for one test.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, systemClock } from '../../../sandbox-engine/base/clock.ts';
import { createIds } from '../../../sandbox-engine/base/ids.ts';
import { processIdentity } from '../../../sandbox-engine/base/process-identity.ts';
import { createDockerRuntime } from '../../../sandbox-engine/container/docker-runtime.ts';
import { createLabels } from '../../../sandbox-engine/container/labels.ts';
import type { Environment } from '../../../sandbox-engine/contract/model.ts';
import { createSecretKeeper } from '../../../sandbox-engine/engine/secret-keeper.ts';
import { openRegistry } from '../../../sandbox-engine/registry/open-registry.ts';
import { createVault } from '../../../sandbox-engine/secrets/vault.ts';
import type { LaunchPlan, SessionDeps } from '../../../sandbox-engine/session/session-parts.ts';
import { createSessions } from '../../../sandbox-engine/session/sessions.ts';
import { createRedactor } from '../../../sandbox-engine/stream/redact.ts';
import { createStreamStore } from '../../../sandbox-engine/stream/stream-store.ts';
import { noGates } from './no-gates.ts';

const newId = createIds(Date.now);

/** An environment with nothing in it, and what the test says. */
export const anEnvironment = (over: Partial<Environment> = {}): Environment => ({
  ...{
    id: newId('env'),
    slug: 'test',
    name: 'test',
    description: '',
    metadata: {},
    repo: null,
    runtime: 'test',
    recipe_yaml: 'base: debian\n',
  },
  recipe: { base: 'debian', env: {}, packages: { apt: [], cargo: [], gem: [], go: [], npm: [], pip: [] }, initialize: [] },
  ...{
    session_start: [],
    knowledge: [],
    setup: null,
    setup_warnings: [],
    runbook: '',
    skills: [],
    env_vars: {},
    secrets: [],
    secret_files: [],
    mcp_servers: {},
  },
  ...{ mounts: [], network_policy: {}, privileged: false, computer_use: false, disk_gib: 10, idle_stop_seconds: 0, retention_seconds: 0 },
  resources: { size: 'small', cpus: null, memory_gib: null, gpu: false },
  ...{
    live: false,
    warm: false,
    revision: 1,
    recipe_digest: 'x',
    created_at: systemClock.iso(),
    updated_at: systemClock.iso(),
    archived_at: null,
  },
  ...over,
});

export const aPlan = (environment: Environment, image: string, over: Partial<LaunchPlan> = {}): LaunchPlan => ({
  ...{ environment, image, imageSource: 'active', fallback: null, runtimeId: 'test', ownFolder: '/nonexistent/sandlot' },
  ...{ cpus: 1, memoryBytes: 1024 ** 3, envVars: environment.env_vars },
  ...over,
});

interface HouseOptions {
  kind: 'docker' | 'podman';
  socket: string;
  folder?: string;
  home?: string;
  owner?: string;
  clock?: Clock;
  lifetimes?: SessionDeps['lifetimes'];
  environmentOf?: SessionDeps['environmentOf'];
}

export const openSessionHouse = async (options: HouseOptions) => {
  const { kind, socket, folder: given, home = randomUUID(), owner, clock = systemClock, lifetimes, environmentOf } = options;
  const folder = given ?? (await mkdtemp(join(tmpdir(), 'sandlot-sessions-')));
  const runtime = createDockerRuntime({
    id: 'test',
    kind,
    connection: { kind: 'socket', address: `unix://${socket}`, socketPath: socket },
  });
  const registry = await openRegistry({ folder, clock: systemClock });
  const redactor = createRedactor();
  const vault = createVault({ folder, clock: systemClock });
  const secrets = createSecretKeeper({ vault, redactor, registry, clock: systemClock, knowsAllSessions: () => true });
  await secrets.changed();
  const streams = createStreamStore({ folder: join(folder, 'streams'), redactor, onGrew: () => undefined });
  const makeLabels = createLabels(home, owner ?? (await processIdentity()));
  const nothing = () => undefined;
  const emit = { session: nothing, terminal: nothing, exec: nothing, sessionRemoved: nothing };
  const sessions = createSessions({
    sessionStore: registry.sessions,
    runtimeOf: () => runtime,
    streams,
    secrets,
    networks: noGates,
    makeLabels,
    newId,
    clock,
    ...(lifetimes === undefined ? {} : { lifetimes }),
    ...(environmentOf === undefined ? {} : { environmentOf }),
    emit,
  });

  const textOf = async (streamId: string, from = 0): Promise<string> => {
    const parts: Buffer[] = [];
    for (let at = from; ; ) {
      const { bytes, next, size } = await streams.read(streamId, at, 1_048_576);
      parts.push(bytes);
      at = next;
      if (next >= size) return Buffer.concat(parts).toString('utf8');
    }
  };
  return {
    ...{ folder, home, runtime, registry, streams, secrets, sessions, makeLabels, textOf },
    /** Reads on until the text matches. */
    until: async (streamId: string, wanted: RegExp, timeoutMs = 15_000): Promise<string> => {
      for (const deadline = Date.now() + timeoutMs; ; ) {
        const { start, size } = await streams.read(streamId, Number.MAX_SAFE_INTEGER, 1);
        const text = await textOf(streamId, Math.max(start, size - 65_536));
        if (wanted.test(text)) return text;
        if (Date.now() > deadline) throw new Error(`${wanted} was not seen in: ${text.slice(-500)}`);
        await streams.waitForGrowth(streamId, size, 200);
      }
    },
    /** Closes without removing anything, as a host that ends. */
    close: async () => {
      await sessions.close({ stop: false });
      await streams.close();
      await registry.close();
      runtime.close();
    },
    removeAll: async () => {
      for (const { id } of await sessions.list()) await sessions.remove(id);
      await sessions.close({ stop: false });
      await streams.close();
      await registry.close();
      runtime.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
