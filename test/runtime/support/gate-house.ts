// Real gates on one real runtime, with the stand-in host of host-sockets.ts behind them and real sandboxes before them.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createIds } from '../../../sandbox-engine/base/ids.ts';
import { processIdentity } from '../../../sandbox-engine/base/process-identity.ts';
import { createDockerRuntime } from '../../../sandbox-engine/container/docker-runtime.ts';
import { createLabels, labelKeys } from '../../../sandbox-engine/container/labels.ts';
import type { SandboxNetwork } from '../../../sandbox-engine/container/sandbox-network.ts';
import { sandboxSpec } from '../../../sandbox-engine/container/sandbox-spec.ts';
import { createGateImages } from '../../../sandbox-engine/gate/gate-image.ts';
import { createGatePlaces } from '../../../sandbox-engine/gate/gate-place.ts';
import type { GateWay } from '../../../sandbox-engine/gate/gate-ways.ts';
import { createGates } from '../../../sandbox-engine/gate/gates.ts';
import type { GateRequest } from '../../../sandbox-engine/gate/open-gate.ts';
import { type HostSockets, openHostSockets } from './host-sockets.ts';
import { ensureTestImage } from './test-image.ts';

const newId = createIds(Date.now);

export interface Said {
  code: number | null;
  text: string;
}

interface GateHouseOptions {
  kind: 'docker' | 'podman';
  socket: string;
  home?: string;
  owner?: string;
  /** Has the gates reach the host over TCP, as where the runtime is in a virtual machine. */
  forcedWay?: GateWay;
  /** What sandboxes boot from; the plain test image when absent. */
  image?: string;
}

export const openGateHouse = async ({ kind, socket, home = randomUUID(), owner, image: given, forcedWay }: GateHouseOptions) => {
  const folder = await mkdtemp(join(tmpdir(), 'sandlot-gates-'));
  const target = { kind: 'socket', address: `unix://${socket}`, socketPath: socket } as const;
  const runtime = createDockerRuntime({ id: 'test', kind, connection: target });
  const makeLabels = createLabels(home, owner ?? (await processIdentity()));
  const runtimeOf = () => runtime;
  const images = createGateImages({ runtimeOf, makeLabels, baseFor: async () => 'docker.io/library/debian:bookworm-slim' });
  const places = createGatePlaces({ folder: join(folder, 'gates'), shortFolder: join(folder, 'short') });
  const gates = createGates({ runtimeOf, makeLabels, images, places, ...(forcedWay === undefined ? {} : { forcedWay }) });
  const image = given ?? (await ensureTestImage(socket));
  const hosts = new Map<string, HostSockets>();

  /** Has a host listen; one that listens already goes on. */
  const listenFor =
    (sandboxId: string, given: { takesSockets?: boolean } = {}) =>
    async (socketFolder: string) => {
      if (!hosts.has(sandboxId)) hosts.set(sandboxId, await openHostSockets(socketFolder, given));
    };
  const request = (sandboxId: string, over: Partial<GateRequest> = {}): GateRequest => ({
    ...{ runtimeId: 'test', sandboxId, kind: 'session', ports: [] },
    ...{ listen: listenFor(sandboxId), signal: new AbortController().signal, onLine: () => undefined },
    ...over,
  });
  const createSandbox = async (sandboxId: string, network: SandboxNetwork): Promise<string> => {
    const spec = sandboxSpec({
      ...{ id: sandboxId, image: { id: image, env: [] }, envVars: {}, network, cpus: 1, memoryBytes: 1024 ** 3 },
      ...{ privileged: false, gpu: false },
    });
    return await runtime.createContainer({ ...spec, labels: makeLabels('session', { session: sandboxId }) });
  };
  /** Runs a command in a sandbox to its end. */
  const run = async (containerId: string, command: string[], user = 'sandbox'): Promise<Said> => {
    const handle = await runtime.exec(containerId, { command, user, workdir: '/', stdin: false });
    const parts: Buffer[] = [];
    for await (const { bytes } of handle.output) parts.push(bytes);
    return { text: Buffer.concat(parts).toString('utf8').trim(), code: await handle.exitCode() };
  };

  /** A gate with a sandbox behind it, started the way the product starts them. */
  const openBehind = async (over: Partial<GateRequest> = {}, id = newId('ses')) => {
    const gate = await gates.open(request(id, over));
    const containerId = await createSandbox(id, gate.join);
    await gate.proven;
    await runtime.startContainer(containerId);
    return { id, containerId, gateId: gate.gateId };
  };

  return {
    ...{ folder, home, runtime, gates, images, places, hosts, run, makeLabels, request, createSandbox, listenFor },
    newSandboxId: () => newId('ses'),
    openBehind,
    /** The same with the stand-in host. */
    openSandbox: async (over: Partial<GateRequest> = {}) => {
      const one = await openBehind(over);
      const host = hosts.get(one.id);
      if (host === undefined) throw new Error('nobody listens');
      return { ...one, host };
    },
    removeAll: async () => {
      const ours = { [labelKeys.managed]: 'true', [labelKeys.home]: home };
      const found = await runtime.listContainers(ours);
      // Podman wants what joined another's network to go first.
      const turn = ({ name }: { name: string }) => ['stand-in', 'ses', 'gate'].findIndex((part) => name.startsWith(`sandlot-${part}`));
      for (const { id } of found.sort((a, b) => turn(a) - turn(b))) await runtime.removeContainer(id);
      for (const { name } of await runtime.listVolumes(ours)) await runtime.removeVolume(name);
      for (const one of await runtime.listNetworks(ours)) await runtime.removeNetwork(one.id);
      for (const host of hosts.values()) await host.close();
      runtime.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
