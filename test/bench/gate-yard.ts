// Real gates on one runtime with our policy proxy, compiled, behind them; and containers on the plain bridge to compare with. Only the public
// network is not real: its addresses lead where the bench says. Takes away all that it made.
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createIds } from '../../sandbox-engine/base/ids.ts';
import { processIdentity } from '../../sandbox-engine/base/process-identity.ts';
import type { ContainerRuntime, MountSpec } from '../../sandbox-engine/container/container-runtime.ts';
import { createDockerRuntime } from '../../sandbox-engine/container/docker-runtime.ts';
import { createLabels, labelKeys } from '../../sandbox-engine/container/labels.ts';
import { openNetwork, type SandboxNetwork } from '../../sandbox-engine/container/sandbox-network.ts';
import { sandboxSpec } from '../../sandbox-engine/container/sandbox-spec.ts';
import type { NetworkPolicy } from '../../sandbox-engine/contract/model.ts';
import type { createPolicyProxy as Create } from '../../sandbox-engine/egress/policy-proxy.ts';
import type { RouteEntry } from '../../sandbox-engine/egress/worker-messages.ts';
import { createGateImages } from '../../sandbox-engine/gate/gate-image.ts';
import { createGatePlaces } from '../../sandbox-engine/gate/gate-place.ts';
import { createGates } from '../../sandbox-engine/gate/gates.ts';
import type { GateRequest } from '../../sandbox-engine/gate/open-gate.ts';
import { ensureTestImage } from '../runtime/support/test-image.ts';
import type { BenchRuntime } from './bench-runtimes.ts';

/** A network of names: where each leads, and what a sandbox may reach of it. */
export interface YardNetwork {
  policy: NetworkPolicy;
  /** The address of each name. */
  names: Record<string, string>;
  routes: RouteEntry[];
}

export interface YardContainer {
  id: string;
  /** Runs a command to its end and answers what it printed. */
  run: (command: string[], user?: string) => Promise<string>;
  /** Starts a command, resolves at its first output, and answers how to let go of it. */
  start: (command: string[]) => Promise<{ said: string; letGo: () => void }>;
}

const builtProxy = join(import.meta.dirname, '../../dist/sandbox-engine/egress/policy-proxy.js');

const containerOf = (runtime: ContainerRuntime, id: string): YardContainer => ({
  id,
  run: async (command, user = 'sandbox') => {
    const handle = await runtime.exec(id, { command, user, workdir: '/', stdin: false });
    const parts: Buffer[] = [];
    for await (const { bytes } of handle.output) parts.push(bytes);
    const text = Buffer.concat(parts).toString('utf8');
    const code = await handle.exitCode();
    if (code !== 0) throw new Error(`${command.slice(0, 3).join(' ')} ended with ${code}: ${text.slice(-400)}`);
    return text;
  },
  start: async (command) => {
    const handle = await runtime.exec(id, { command, user: 'sandbox', workdir: '/', stdin: false });
    for await (const { bytes } of handle.output) return { said: bytes.toString('utf8'), letGo: handle.close };
    throw new Error(`${command.slice(0, 3).join(' ')} ended without a word.`);
  },
});

/** Opens it with a network in which there is nothing; makes the gate's image where it is missing. */
export const openYard = async ({ kind, socket }: BenchRuntime) => {
  let network: YardNetwork = { policy: { version: 'v1', rules: [] }, names: {}, routes: [] };
  const folder = mkdtempSync(join(tmpdir(), 'sandlot-bench-gates-'));
  chmodSync(folder, 0o755);
  const connection = { kind: 'socket', address: `unix://${socket}`, socketPath: socket } as const;
  const runtime = createDockerRuntime({ id: 'bench', kind, connection });
  const runtimeOf = () => runtime;
  const home = randomUUID();
  const makeLabels = createLabels(home, await processIdentity());
  const images = createGateImages({ runtimeOf, makeLabels, baseFor: async () => 'docker.io/library/debian:bookworm-slim' });
  const places = createGatePlaces({ folder: join(folder, 'gates'), shortFolder: join(folder, 'short') });
  const gates = createGates({ runtimeOf, makeLabels, images, places });
  const { createPolicyProxy } = (await import(builtProxy)) as { createPolicyProxy: typeof Create };
  const resolve = async (name: string) => ({ ok: true as const, addresses: [network.names[name] ?? []].flat(), ttlSeconds: 60 });
  const proxy = createPolicyProxy({
    ...{ onAttempts: () => undefined, own: { interfaces: [], gateways: [], ownPorts: [] }, upstream: { resolve, routes: [] } },
  });
  const image = await ensureTestImage(socket);
  const newId = createIds(Date.now);
  await gates.ensureImage('bench', new AbortController().signal, () => undefined);

  const request = (sandboxId: string): GateRequest => ({
    ...{ runtimeId: 'bench', sandboxId, kind: 'session', ports: [], signal: new AbortController().signal, onLine: () => undefined },
    listen: (socketFolder) => proxy.open({ sandboxId, socketFolder, policy: network.policy, presets: {}, revision: 1 }),
  });
  const create = (id: string, network: SandboxNetwork, mounts: MountSpec[], cpus: number): Promise<string> => {
    const given = { id, image: { id: image, env: [] }, envVars: {}, network, cpus, memoryBytes: 2 * 1024 ** 3 };
    const spec = sandboxSpec({ ...given, privileged: false, gpu: false });
    return runtime.createContainer({ ...spec, mounts: [...spec.mounts, ...mounts], labels: makeLabels('session', { session: id }) });
  };
  const behind = async (id: string, mounts: MountSpec[] = [], cpus = 1): Promise<YardContainer> => {
    const gate = await gates.open(request(id));
    const containerId = await create(id, gate.join, mounts, cpus);
    await gate.proven;
    await runtime.startContainer(containerId);
    return containerOf(runtime, containerId);
  };

  return {
    folder,
    /** Holds for sandboxes that are opened afterwards. */
    setNetwork: (next: YardNetwork) => {
      network = next;
      proxy.setRoutes(next.routes);
    },
    newId: () => newId('ses'),
    /** A sandbox behind a gate, started the way the product starts it. */
    openBehind: behind,
    /** The same on the plain bridge, without a gate. */
    openOnBridge: async (mounts: MountSpec[] = [], cpus = 1): Promise<YardContainer> => {
      const containerId = await create(newId('ses'), openNetwork, mounts, cpus);
      await runtime.startContainer(containerId);
      return containerOf(runtime, containerId);
    },
    /** Has a gate stand ready; answers the id of the sandbox that gets it. */
    prepare: async (): Promise<string> => {
      const id = newId('ses');
      await gates.prepare(request(id));
      return id;
    },
    remove: async ({ id }: YardContainer) => runtime.removeContainer(id),
    closeGate: async (sandboxId: string) => {
      await proxy.close(sandboxId);
      await gates.close({ runtimeId: 'bench', sandboxId, kind: 'session' });
    },
    close: async () => {
      const found = await runtime.listContainers({ [labelKeys.managed]: 'true', [labelKeys.home]: home });
      // Podman wants what joined another's network to go first.
      const isGate = ({ name }: { name: string }) => Number(name.startsWith('sandlot-gate'));
      for (const { id } of found.sort((a, b) => isGate(a) - isGate(b))) await runtime.removeContainer(id);
      await proxy.stop();
      runtime.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

export type Yard = Awaited<ReturnType<typeof openYard>>;
