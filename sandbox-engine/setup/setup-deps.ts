// What setup runs stand on, as the engine gives it.
import type { Clock } from '../base/clock.ts';
import type { NewId } from '../base/ids.ts';
import type { ContainerRuntime } from '../container/container-runtime.ts';
import type { MakeLabels } from '../container/labels.ts';
import type { SandboxNetworks } from '../container/sandbox-network.ts';
import type { EgressReason, Environment, SetupRun, VerdictKey } from '../contract/model.ts';
import type { EnvironmentStore, SetupRunStore } from '../registry/registry.ts';
import type { Redactor } from '../stream/redact.ts';
import type { StreamStore } from '../stream/stream.ts';

/** What a run starts from and how much it gets. */
export interface SetupPlan {
  runtimeId: string;
  imageId: string;
  cpus: number;
  memoryBytes: number;
}

/** What runs try to reach, as somebody else writes it down. */
export interface RunAttempts {
  /** A line of this run's script began, as the sandbox itself says when. */
  lineBegan: (runId: string, line: number, atMs: number) => void;
  /** What was blocked, and then what was not reached, since the newest line began, the last first. */
  blockedAtLine: (runId: string) => Promise<{ host: string; port: number | null; reason: EgressReason }[]>;
  /** What was blocked in all of the run, in the order of its lines. */
  blockedInRun: (runId: string) => Promise<{ line: number | null; host: string; port: number | null; reason: EgressReason }[]>;
}

export interface SetupRunsDeps {
  store: SetupRunStore;
  /** Where idempotency keys are remembered. */
  registry: { environments: Pick<EnvironmentStore, 'findByIdempotencyKey' | 'rememberIdempotencyKey'> };
  runtimeOf: (id: string) => ContainerRuntime | Promise<ContainerRuntime>;
  streams: StreamStore;
  /** The ways of policies that are not open. */
  networks: SandboxNetworks;
  makeLabels: MakeLabels;
  newId: NewId;
  clock: Clock;
  emit: (run: SetupRun) => void;
  planFor: (environment: Environment, signal: AbortSignal, onLine: (line: string) => void) => Promise<SetupPlan>;
  /** The key of the environment as it is now: the verdict is bound to it. */
  keyFor: (environment: Environment) => Promise<VerdictKey>;
  /** Nobody looks when it is missing. */
  attempts?: RunAttempts;
  /** The mask before logs and results; setup runs themselves get no secret. */
  redactor: Redactor;
}
