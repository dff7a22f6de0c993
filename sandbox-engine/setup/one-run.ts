// One setup run: provision, gpu_check, setup, profile, commit, cleanup. Whatever happens, the container is gone at the end and the record
// says how it ended. Who may run when is decided in run-setup.ts.
import { SandlotError } from '../base/errors.ts';
import { sizeText } from '../base/size-text.ts';
import type { ContainerRuntime, ImageDetails } from '../container/container-runtime.ts';
import type { Environment } from '../contract/model.ts';
import { createLineLog, type LineLog } from '../stream/line-log.ts';
import { commitPrepared } from './commit-prepared.ts';
import { failureTail } from './failure-tail.ts';
import { hintFor } from './hints.ts';
import { instrument } from './instrument.ts';
import { type Phase, phaseWords, type RunBook } from './run-book.ts';
import { runScript, type ScriptEnd } from './run-script.ts';
import { endLeftOvers, endOf, nothingKnown, profileOf, setupContainerSpec } from './setup-container.ts';
import type { SetupPlan, SetupRunsDeps } from './setup-deps.ts';
import { openSetupNetwork, type SetupNetwork } from './setup-network.ts';
import { createBlockedTeller } from './tell-blocked.ts';

interface OneRun {
  deps: SetupRunsDeps;
  environment: Environment;
  book: RunBook;
  signal: AbortSignal;
  keepImage: boolean;
}

interface Stage extends OneRun {
  log: LineLog;
  redactText: (text: string) => string;
}

interface Compute {
  runtime: ContainerRuntime;
  containerId: string;
  image: ImageDetails;
  plan: SetupPlan;
  network: SetupNetwork;
}

/** Undoes one thing that was made for the run. */
type Release = () => Promise<void>;

const stopIfCancelled = (signal: AbortSignal): void => {
  if (signal.aborted) throw new SandlotError('cancelled', 'The setup run was cancelled.');
};

const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

const provision = async ({ deps, environment, book, log, signal }: Stage, taken: (release: Release) => void): Promise<Compute> => {
  const onLine = (line: string) => void log.system(line);
  const plan = await deps.planFor(environment, signal, onLine);
  stopIfCancelled(signal);
  const runtime = await deps.runtimeOf(plan.runtimeId);
  const image = await runtime.inspectImage(plan.imageId);
  if (image === null)
    throw new SandlotError('image_missing', `The image ${plan.imageId} is not in the runtime any more.`, {
      nextAction: 'Build the recipe again.',
    });
  if (environment.mounts.length > 0) await log.system('Folders of this machine are not mounted in a setup run.');
  const { cpus, memoryBytes, runtimeId, imageId } = plan;
  const { id: runId, observed: observe } = book.now();
  const network = await openSetupNetwork(deps.networks, { runtimeId, sandboxId: runId, environment, imageId, observe, signal, onLine });
  taken(network.close);
  stopIfCancelled(signal);
  const made = { runId, environment, image, network: network.join, cpus, memoryBytes, makeLabels: deps.makeLabels };
  const containerId = await runtime.createContainer(setupContainerSpec(made));
  taken(() => runtime.removeContainer(containerId));
  await network.proven;
  stopIfCancelled(signal);
  await runtime.startContainer(containerId);
  stopIfCancelled(signal);
  return { runtime, containerId, image, plan, network };
};

const phase = async <T>({ book, log, signal }: Stage, name: Phase, work: () => Promise<T>): Promise<T> => {
  stopIfCancelled(signal);
  await book.begin(name);
  await log.system(phaseWords[name]);
  const result = await work();
  await book.finish('succeeded');
  return result;
};

const imagePath = (image: ImageDetails, environment: Environment): string | null =>
  environment.env_vars['PATH'] ?? image.env.find((line) => line.startsWith('PATH='))?.slice(5) ?? null;

/** The script's own failure, as an end that is expected. */
const recordScriptFailure = async (
  { book, deps, redactText }: Stage,
  end: ScriptEnd,
  { runtime, containerId, plan, network }: Compute,
): Promise<void> => {
  const ended = end.timedOut ? nothingKnown : await endOf(runtime, containerId).catch(() => nothingKnown);
  const failedCommand = end.failure === null ? null : redactText(end.failure.command).slice(0, 4_000);
  const hint = hintFor({
    exitCode: end.exitCode,
    ...end.lastOutput,
    failedCommand,
    phase: 'setup',
    network: network.hasWay ? 'bridge' : 'none',
    ...ended,
    ...{ timedOut: end.timedOut, timeoutSeconds: book.now().timeout_seconds },
    memoryBytes: plan.memoryBytes,
    // What cannot be read explains nothing; the failure itself is known.
    blocked: (await deps.attempts?.blockedAtLine(book.now().id).catch(() => [])) ?? [],
  });
  await book.change({
    status: 'failed',
    failed_line: end.failure?.line ?? null,
    failed_command: failedCommand,
    hint: hint?.hint ?? null,
    hint_code: hint?.code ?? null,
    failure_code: hint?.code === 'egress_blocked' ? 'egress_blocked' : 'environment_setup_failed',
    next_action: hint?.nextAction ?? null,
  });
};

const runSetup = async (stage: Stage, compute: Compute): Promise<boolean> => {
  const { book, log, deps, environment, signal } = stage;
  await book.change({ status: 'running' });
  await book.begin('setup');
  const { runtime, containerId, image, network } = compute;
  const { script, timeout_seconds } = book.now();
  const blocked = createBlockedTeller(network.isWatched ? deps.attempts : undefined, book.now().id);
  const end = await runScript({
    ...{ runtime, containerId, log, blocked, instrumented: instrument(script, imagePath(image, environment)) },
    ...{ clock: deps.clock, redactor: deps.redactor, signal },
    timeoutMs: timeout_seconds * 1000,
    onLine: (line, atMs) => deps.attempts?.lineBegan(book.now().id, line, atMs),
  });
  stopIfCancelled(signal);
  const { rest, destinations: blocked_destinations } = await blocked.end();
  for (const sentence of rest) await log.system(sentence);
  const told = { exit_code: end.exitCode, stderr_tail: failureTail(end), blocked_destinations };
  await book.change({ ...told, line_times: end.lineTimes, truncated: log.truncated() });
  if (end.timedOut) await log.system(`The script was ended after ${timeout_seconds} seconds.`);
  if (end.exitCode !== 0) {
    await recordScriptFailure(stage, end, compute);
    return false;
  }
  for (const left of await endLeftOvers(runtime, containerId))
    await log.system(`Still running when the script ended, and ended now: ${left}`);
  await book.finish('succeeded');
  return true;
};

const failurePerPhase: Record<Phase, string> = {
  provision: 'sandbox_provision_failed',
  gpu_check: 'gpu_unavailable',
  setup: 'setup_interrupted',
  profile: 'setup_interrupted',
  commit: 'prepared_image_failed',
  cleanup: 'cleanup_failed',
};

const failureCode = (thrown: unknown, at: Phase): string => {
  if (!(thrown instanceof SandlotError) || at !== 'provision') return failurePerPhase[at];
  if (thrown.code === 'timeout') return 'sandbox_provision_timeout';
  if (['insufficient_resources', 'disk_full', 'runtime_unavailable'].includes(thrown.code)) return 'sandbox_capacity_unavailable';
  return thrown.code === 'network_policy_not_supported' ? thrown.code : failurePerPhase[at];
};

/** What was not the script's fault: the phase, the reason, what to do. */
const recordBreak = async ({ book, environment, redactText }: Stage, thrown: unknown): Promise<void> => {
  const isGpu = book.now().phase === 'provision' && environment.resources.gpu && /gpu|nvidia|device driver|cdi/i.test(messageOf(thrown));
  const at = isGpu ? 'gpu_check' : book.now().phase;
  const isFull = thrown instanceof SandlotError && thrown.code === 'disk_full';
  const reason = isGpu ? `A GPU was asked for, but the runtime cannot give one: ${messageOf(thrown)}` : messageOf(thrown);
  const said = redactText(isFull ? `The disk is full: ${reason}` : reason);
  const advice = thrown instanceof SandlotError ? thrown.nextAction : null;
  const gpuAdvice = isGpu ? 'Install the NVIDIA driver and container toolkit, or switch the GPU off in the resources.' : null;
  await book.finish('failed');
  await book.change({
    status: 'failed',
    phase: at,
    failure_code: failureCode(thrown, at),
    hint: at === 'commit' ? `Setup passed, but its reusable image failed. ${said}` : said,
    hint_code: isFull ? 'disk_full' : failureCode(thrown, at),
    next_action:
      gpuAdvice ?? (isFull ? 'Remove unused Sandlot images: sandlot prune. Then test setup again.' : (advice ?? 'Test setup again.')),
  });
};

const checkGpu = async (stage: Stage): Promise<void> => {
  if (!stage.environment.resources.gpu) return stage.book.skip('gpu_check');
  // The container started with its GPU: the runtime found driver and toolkit.
  return await phase(stage, 'gpu_check', () => stage.log.system('The runtime gave the sandbox a GPU.'));
};

const commit = async (stage: Stage, { runtime, containerId, image }: Compute): Promise<void> => {
  const { book, deps, environment, signal, log, keepImage } = stage;
  const request = { runtime, containerId, image, runId: book.now().id, environmentId: environment.id, makeLabels: deps.makeLabels, signal };
  const saved = await commitPrepared(request);
  await log.system(`The prepared image has ${sizeText(saved.size)}.`);
  await book.change({ prepared_image_id: keepImage ? saved.id : null, prepared_image_size: saved.size });
  if (!keepImage) await runtime.removeImage(`sandlot/prepared:${book.now().id}`, { force: true });
};

const runPhases = async (stage: Stage, taken: (release: Release) => void): Promise<void> => {
  const { log } = stage;
  const compute = await phase(stage, 'provision', () => provision(stage, taken));
  await checkGpu(stage);
  if (!(await runSetup(stage, compute))) return;
  await phase(stage, 'profile', async () => log.system(`Compute: ${await profileOf(compute.runtime, compute.containerId)}`));
  // Sessions would start from what was made beyond the rules.
  await (stage.book.now().observed ? stage.book.skip('commit') : phase(stage, 'commit', () => commit(stage, compute)));
};

/** Removes what was made; the phase that a run ended in stays the one that is shown, unless it passed. */
const cleanUp = async ({ book, log, deps }: Stage, releases: Release[]): Promise<void> => {
  const { status, phase: endedIn } = book.now();
  const isBad = status === 'failed' || status === 'cancelled';
  await book.finish(status === 'cancelled' ? 'cancelled' : 'failed');
  await book.begin('cleanup');
  const troubles: string[] = [];
  // In reverse order: who has joined a network goes before it.
  for (const release of releases.reverse()) await release().catch((thrown: unknown) => troubles.push(messageOf(thrown)));
  for (const trouble of troubles) await log.system(`Not everything could be removed: ${trouble}`);
  await book.finish(troubles.length > 0 ? 'failed' : 'succeeded');
  await log.end().catch(() => undefined);
  await book.change({
    ...(isBad ? { phase: endedIn } : { status: 'succeeded' as const }),
    truncated: log.truncated(),
    finished_at: deps.clock.iso(),
  });
};

/** Runs all phases; resolves when the record has its end. Never throws for what the run itself met. */
export const runOnce = async (run: OneRun): Promise<void> => {
  const { deps, book, signal } = run;
  const { redactor } = deps;
  const log = await createLineLog({ store: deps.streams, id: book.now().stream_id, redactor, clock: deps.clock });
  const stage: Stage = { ...run, log, redactText: redactor.redactText };
  const releases: Release[] = [];
  await book.change({ status: 'provisioning', started_at: deps.clock.iso() });
  try {
    await runPhases(stage, (release) => releases.push(release));
  } catch (thrown) {
    if (signal.aborted) {
      await log.system('The run was cancelled.').catch(() => undefined);
      await book.finish('cancelled');
      await book.change({ status: 'cancelled', prepared_image_id: null, prepared_image_size: null });
    } else {
      await log.system(messageOf(thrown)).catch(() => undefined);
      await recordBreak(stage, thrown);
    }
  } finally {
    await cleanUp(stage, releases);
  }
};
