// Opens one gate: makes its container, has the host listen for it, and says what a sandbox needs to stand behind it. A gate that stands ready
// is adopted instead.
import { SandlotError } from '../base/errors.ts';
import type { ContainerRuntime } from '../container/container-runtime.ts';
import type { MakeLabels } from '../container/labels.ts';
import type { NetworkOwner, SandboxNetwork } from '../container/sandbox-network.ts';
import { sandboxHostname } from '../container/sandbox-spec.ts';
import type { CarriedPlace } from '../egress/carried-door.ts';
import { behindGate } from './gate-container.ts';
import type { GateImages } from './gate-image.ts';
import type { GatePlaces } from './gate-place.ts';
import { type GateWay, type GateWays, volumeFor } from './gate-ways.ts';
import { isUsable, type ReadyGate } from './ready-gates.ts';
import type { SelfTest } from './self-test.ts';
import type { StartGate } from './start-gate.ts';

/** What a gate is opened with. */
export interface OpeningDeps {
  runtimeOf: (id: string) => ContainerRuntime;
  makeLabels: MakeLabels;
  images: GateImages;
  places: GatePlaces;
  ways: GateWays;
  startGate: StartGate;
}

/** A gate, and how to have the host listen for it: called before the gate is asked anything. */
export interface KnownGate extends NetworkOwner {
  listen: (socketFolder: string, carried?: CarriedPlace) => Promise<void>;
}

export interface GateRequest extends KnownGate {
  /** Ports that the policy names, for kernels that cannot catch all. */
  ports: number[];
  signal: AbortSignal;
  onLine: (line: string) => void;
  /** As where addresses cannot be translated. */
  capture?: 'all' | 'ports';
}

export interface OpenGate {
  gateId: string;
  /** Over which way it reaches the host. */
  way: GateWay;
  /** What the sandbox's container needs. */
  join: SandboxNetwork;
  /** Resolves when the gate has proven itself: no sandbox may be started before. @throws gate_failed */
  proven: Promise<SelfTest>;
}

const openOnce = async (deps: OpeningDeps, request: GateRequest): Promise<OpenGate> => {
  const { runtimeId, sandboxId, signal, ports, capture = 'all' } = request;
  const runtime = deps.runtimeOf(runtimeId);
  const image = deps.images.ensure(runtimeId, signal, request.onLine);
  const [imageId, place, way] = await Promise.all([image, deps.places.make(sandboxId), deps.ways.of(runtimeId)]);
  if (way === 'tcp') request.onLine('This runtime cannot see the sockets of this computer: the gate reaches it over TCP');
  await deps.ways.listen({ ...request, way, imageId }, place.socketFolder);
  signal.throwIfAborted();
  const { gateId, proven } = await deps.startGate(runtime, {
    ...{ owner: request, imageId, runtimeKind: runtime.kind, place, makeLabels: deps.makeLabels },
    ...{ hostname: sandboxHostname(sandboxId), ports, capture, ...volumeFor(way, sandboxId) },
  });
  // Whoever waits for it hears of it; nobody else need.
  proven.catch((thrown: unknown) => deps.ways.note(runtimeId, thrown));
  return { gateId, way, join: behindGate(gateId, place, runtime.kind), proven };
};

/** Opens a new one. @throws gate_failed @throws build_failed @throws cancelled */
export const open = async (deps: OpeningDeps, request: GateRequest): Promise<OpenGate> => {
  try {
    return await openOnce(deps, request);
  } catch (thrown) {
    if (!(thrown instanceof SandlotError) || thrown.code !== 'image_missing') throw thrown;
    // It was there when it was last looked for.
    deps.images.forget(request.runtimeId);
    return await openOnce(deps, request);
  }
};

/** Gives the sandbox the gate that stands ready for it, under its own policy; null when that one is no longer what was proven. */
export const adopt = async (deps: OpeningDeps, request: GateRequest, ready: ReadyGate): Promise<OpenGate | null> => {
  const runtime = deps.runtimeOf(request.runtimeId);
  const place = deps.places.of(request.sandboxId);
  const { gateId, way, imageId } = ready;
  const listening = deps.ways.listen({ ...request, way, imageId }, place.socketFolder);
  const [usable] = await Promise.all([isUsable(runtime, ready, request.ports), listening]);
  if (!usable) return null;
  return { gateId, way, join: behindGate(gateId, place, runtime.kind), proven: Promise.resolve(ready.test) };
};
