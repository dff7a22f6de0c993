// The port to a container runtime, in our own types. Docker and Podman are adapters behind it; nothing else knows dockerode.
// Source: Docker Engine API; only what both Docker 20.10+ and Podman 4.3+ serve.
import type { Readable, Writable } from 'node:stream';
import type { ContainerCounters } from './container-counters.ts';
import type { UsageCalls } from './container-usage.ts';
import type { RuntimeInfo, RuntimeKind } from './runtime-info.ts';

export type { ContainerUsage } from './container-usage.ts';
export type { RuntimeInfo, RuntimeKind } from './runtime-info.ts';

export interface ImageDetails {
  /** `sha256:…`, the config digest. */
  id: string;
  tags: string[];
  /** Manifest digests as `name@sha256:…`; empty for images that were built or imported here. */
  repoDigests: string[];
  architecture: string;
  os: string;
  size: number;
  user: string;
  env: string[];
  entrypoint: string[] | null;
  cmd: string[] | null;
  workdir: string;
  labels: Record<string, string>;
  createdAt: string;
  layers: string[];
}

export interface MountSpec {
  kind: 'volume' | 'bind';
  /** Volume name or absolute host path. */
  source: string;
  target: string;
  readOnly?: boolean;
  /** Labels for a volume that is made on the way. */
  labels?: Record<string, string>;
}

/** A network that Sandlot made, by its name. */
export type OwnNetwork = `sandlot-${string}`;

export interface ContainerSpec {
  name: string;
  image: string;
  /** Replaces the image's entry point and command altogether. */
  command: string[];
  /** `NAME=value`, exactly as given. */
  env: string[];
  labels: Record<string, string>;
  user?: string;
  workdir?: string;
  hostname?: string;
  /** `NAME:ADDRESS` lines of its hosts file, beside the runtime's own; the address `host-gateway` is that of this machine. */
  extraHosts?: string[];
  /** `bridge` is the runtime's ordinary network; `container:ID` joins another's. */
  network: 'none' | 'bridge' | `container:${string}` | OwnNetwork;
  /** With `none`: the runtime need know nothing of its network, and writes no hosts file for those who join it. Saves Docker half of a start. */
  bareNetwork?: boolean;
  mounts?: MountSpec[];
  cpus?: number;
  memoryBytes?: number;
  pidsLimit?: number;
  privileged?: boolean;
  capDrop?: string[];
  capAdd?: string[];
  securityOpt?: string[];
  sysctls?: Record<string, string>;
  readOnlyRoot?: boolean;
  tmpfs?: Record<string, string>;
  gpu?: boolean;
  /** Seconds between the stop signal and the kill. */
  stopTimeoutSeconds?: number;
}

export interface ContainerDetails {
  id: string;
  name: string;
  image: string;
  imageId: string;
  status: 'created' | 'running' | 'paused' | 'restarting' | 'exited' | 'dead' | 'removing' | 'unknown';
  exitCode: number | null;
  oomKilled: boolean;
  pid: number;
  startedAt: string | null;
  labels: Record<string, string>;
  networkMode: string;
  /** Its address on the runtime's ordinary network, and that network's gateway; null without. */
  address: string | null;
  gateway: string | null;
  /** What it was limited to; null: to nothing. */
  cpus: number | null;
  mounts: { type: string; name: string; source: string; target: string }[];
}

export interface ContainerSummary {
  id: string;
  name: string;
  status: ContainerDetails['status'];
  imageId: string;
  labels: Record<string, string>;
  createdAt: string;
}

export interface OutputChunk {
  stream: 'stdout' | 'stderr';
  bytes: Buffer;
}

export interface ExecSpec {
  command: string[];
  env?: string[];
  user?: string;
  workdir?: string;
  /** false: the command's standard input is at end of file. */
  stdin: boolean;
}

/** A running exec. Whoever opens it consumes `output` to its end; reading slowly slows the process down. */
export interface ExecHandle {
  id: string;
  /** Ends when the process and all that hold its output have gone, or on `close`. @throws stream_broken when cut mid-frame. */
  output: AsyncIterable<OutputChunk>;
  /** Instead of reading `output`, where every microsecond counts: hands each piece of the output, both streams alike, over in the turn in
   * which it arrives. A promise that `take` answers holds the process back until it resolves. Resolves at the end. @throws stream_broken */
  each: (take: (bytes: Buffer) => Promise<void> | undefined) => Promise<void>;
  stdin: Writable;
  /** Instead of `stdin`, where every microsecond counts: hands the bytes to the connection at once. What has ended takes them and drops them. */
  type: (bytes: Uint8Array) => Promise<void>;
  /** Waits for the main process only, not for children that keep the output open. null when the runtime cannot tell. */
  exitCode: () => Promise<number | null>;
  /** Whether it still runs, with its process id as the runtime's machine sees it. */
  inspect: () => Promise<{ running: boolean; exitCode: number | null; pid: number }>;
  /** Lets go of the connection; does not kill the process. */
  close: () => void;
}

export type BuildEvent =
  | { kind: 'step'; index: number; total: number | null; text: string; cached: boolean }
  | { kind: 'step_done'; index: number; durationMs: number | null; cached: boolean; failed: boolean }
  /** `isError`: it is known to have come from stderr. Not every builder tells. */
  | { kind: 'log'; index: number | null; bytes: Buffer; isError?: boolean }
  /** The runtime had refused in the middle because another image went: it begins once more, with what it has kept. */
  | { kind: 'again' };

export interface BuildRequest {
  /** A tar stream with the Dockerfile and all that it copies. */
  context: Readable;
  dockerfile: string;
  tag: string;
  labels: Record<string, string>;
  buildArgs?: Record<string, string>;
  noCache?: boolean;
  /** Dockerfile step count, when the caller knows it. */
  onEvent: (event: BuildEvent) => void;
  signal: AbortSignal;
}

export interface PullRequest {
  reference: string;
  /** `linux/amd64`. */
  platform?: string;
  auth?: { username: string; password: string; serverAddress: string };
  onProgress: (line: string) => void;
  signal: AbortSignal;
}

export interface CommitRequest {
  containerId: string;
  tag: string;
  /** Dockerfile instructions applied to the config: `USER sandbox`, `ENV A=1`, `LABEL …`, `CMD …`. */
  changes: string[];
  /** When given, the image's whole `Env`; variables of the container that are not named here do not get in. */
  env?: string[];
  labels?: Record<string, string>;
  pause?: boolean;
  signal?: AbortSignal;
}

export interface RuntimeEvent {
  type: 'container' | 'image' | 'volume' | 'network' | 'other';
  action: string;
  id: string;
  labels: Record<string, string>;
}

/** One runtime. Every method throws SandlotError: `runtime_unavailable` when the daemon is gone, `runtime_error` with the
 * daemon's own message when it refused, `disk_full` when it said so, `cancelled` when the signal fired. */
export interface ContainerRuntime extends UsageCalls {
  id: string;
  kind: RuntimeKind;
  address: string;
  ping: () => Promise<void>;
  info: () => Promise<RuntimeInfo>;

  /** null when there is no such image. */
  inspectImage: (reference: string) => Promise<ImageDetails | null>;
  listImages: (labels: Record<string, string>) => Promise<ImageDetails[]>;
  pullImage: (request: PullRequest) => Promise<ImageDetails>;
  /** Makes an image of one layer from a root file system tar. Answers its id. */
  importImage: (tar: Readable, reference: string, changes: string[], signal: AbortSignal) => Promise<string>;
  /** Answers the id of the image that carries the tag afterwards, by inspecting it. @throws build_failed */
  buildImage: (request: BuildRequest) => Promise<string>;
  tagImage: (idOrReference: string, tag: string) => Promise<void>;
  /** Succeeds when it is already gone. */
  removeImage: (idOrReference: string, options?: { force?: boolean }) => Promise<void>;
  commitContainer: (request: CommitRequest) => Promise<string>;
  saveImage: (reference: string) => Promise<Readable>;
  loadImage: (tar: Readable, signal: AbortSignal) => Promise<void>;

  createContainer: (spec: ContainerSpec) => Promise<string>;
  /** Succeeds when it already runs. */
  startContainer: (id: string) => Promise<void>;
  /** Succeeds when it is already stopped. */
  stopContainer: (id: string, timeoutSeconds: number) => Promise<void>;
  killContainer: (id: string, signalName?: string) => Promise<void>;
  pauseContainer: (id: string) => Promise<void>;
  unpauseContainer: (id: string) => Promise<void>;
  /** Forced; anonymous volumes go with it; succeeds when it is already gone; returns when it is really gone. */
  removeContainer: (id: string) => Promise<void>;
  /** null when there is no such container. */
  inspectContainer: (id: string) => Promise<ContainerDetails | null>;
  /** One look, answered at once. null when there is no such container, or it does not run. */
  readCounters: (id: string) => Promise<ContainerCounters | null>;
  /** Running or not; all labels must match, a value of '' matches any value. */
  listContainers: (labels: Record<string, string>) => Promise<ContainerSummary[]>;
  /** Resolves with the exit code when it ends. */
  waitContainer: (id: string, signal: AbortSignal) => Promise<number>;
  /** Writes files from a tar stream below `path`, which is there. A stream that fails ends it with its error. */
  putArchive: (containerId: string, path: string, tar: Readable) => Promise<void>;
  /** Reads `path` as a tar stream. */
  getArchive: (containerId: string, path: string) => Promise<Readable>;
  exec: (containerId: string, spec: ExecSpec) => Promise<ExecHandle>;

  createVolume: (name: string, labels: Record<string, string>) => Promise<void>;
  /** Succeeds when it is already gone. */
  removeVolume: (name: string) => Promise<void>;
  listVolumes: (labels: Record<string, string>) => Promise<{ name: string; labels: Record<string, string>; createdAt: string | null }[]>;
  listNetworks: (labels: Record<string, string>) => Promise<{ id: string; name: string; labels: Record<string, string> }[]>;
  /** Makes a network whose containers cannot reach each other; safe to repeat. */
  createNetwork: (name: OwnNetwork, labels: Record<string, string>) => Promise<void>;
  removeNetwork: (id: string) => Promise<void>;

  /** Follows the daemon's events until the signal fires; ends quietly when the daemon closes them: the caller reconnects.
   * `onOpen` tells that from now on no event is missed. */
  events: (onEvent: (event: RuntimeEvent) => void, signal: AbortSignal, onOpen?: () => void) => Promise<void>;
}
