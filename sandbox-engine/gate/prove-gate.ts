// Runs the self-test inside a gate and says, in words, why a sandbox may not join it.
import { SandlotError } from '../base/errors.ts';
import type { ContainerRuntime } from '../container/container-runtime.ts';
import { readExec } from '../container/read-exec.ts';
import { startFailures } from './capture-files.ts';
import { selfTestExec } from './gate-container.ts';
import { gateChecks, noAnswer, readSelfTest, type SelfTest } from './self-test.ts';
import type { ToldTest } from './told-test.ts';

const advice: Record<(typeof gateChecks)[number], string> = {
  route: 'Look whether this runtime lets a container have NET_ADMIN: sandlot doctor',
  interfaces: 'Something joined the gate to a network outside Sandlot. Delete the session and launch it again.',
  ipv6: 'Switch IPv6 off for containers without a network, or use another runtime.',
  seccomp: 'The runtime must support seccomp profiles: docker info (or podman info) lists it under security options.',
  rights: 'Report this: the gate must not keep rights.',
  socket: 'Launch it again: where a runtime cannot see the sockets of this machine, Sandlot then takes TCP.',
  redirect: 'Try again; if it stays so, look whether the kernel of the runtime has nftables.',
  dns: 'Try again; if it stays so, restart Sandlot.',
};

/** Why a sandbox is not started. */
export const refused = (reasons: string, details: Record<string, unknown>, nextAction: string, cause?: unknown): SandlotError =>
  new SandlotError('gate_failed', `The network of this sandbox could not be closed, so the sandbox is not started. ${reasons}.`, {
    details,
    nextAction,
    ...(cause === undefined ? {} : { cause }),
  });

/** How long a gate that says nothing may take to end. */
const endMs = 1_000;

/** Why a gate that should run does not. */
const whyEnded = async (runtime: ContainerRuntime, gateId: string, cause: unknown): Promise<SandlotError> => {
  await runtime.waitContainer(gateId, AbortSignal.timeout(endMs)).catch(() => null);
  const found = await runtime.inspectContainer(gateId).catch(() => null);
  if (found?.status === 'running') throw cause;
  const known = startFailures[found?.exitCode ?? -1];
  const said = known ?? (found === null ? 'it is gone' : `it ended with exit code ${found.exitCode ?? 'unknown'}`);
  return refused(`The gate did not start: ${said}`, { exit_code: found?.exitCode ?? null }, 'Try again, or: sandlot doctor', cause);
};

/** Asks the gate; one that ends meanwhile answers nothing. @throws gate_failed when it does not run */
export const testGate = async (runtime: ContainerRuntime, gateId: string): Promise<SelfTest> => {
  try {
    const said = await readExec(runtime, gateId, selfTestExec);
    const test = readSelfTest(said);
    // A runtime that could not run it any more may have said so in its own words.
    if (test.checks.every(({ message }) => message === noAnswer))
      throw new SandlotError('gate_failed', 'The gate said nothing when it was asked.');
    return test;
  } catch (thrown) {
    if (!(thrown instanceof SandlotError) || thrown.code === 'runtime_unavailable') throw thrown;
    throw await whyEnded(runtime, gateId, thrown);
  }
};

/** How long a gate that was started may take to tell its test by itself before it is asked. */
const toldMs = 1_000;

const isWhole = ({ checks }: SelfTest): boolean => checks.every(({ message }) => message !== noAnswer);

const toldOrAsked = async (runtime: ContainerRuntime, gateId: string, told: ToldTest | null): Promise<SelfTest> => {
  const said = await told?.within(toldMs);
  const test = readSelfTest(said ?? '');
  return isWhole(test) ? test : await testGate(runtime, gateId);
};

/**
 * The test of a gate that has started, for who may go on only when all is proven: what it told by itself, else what it answers.
 * @throws gate_failed naming each check that did not pass
 */
export const proveGate = async (runtime: ContainerRuntime, gateId: string, told: ToldTest | null = null): Promise<SelfTest> => {
  const test = await toldOrAsked(runtime, gateId, told);
  const failed = test.checks.filter((check) => !check.passed);
  if (failed.length === 0) return test;
  const nextAction = advice[gateChecks.find((name) => name === failed[0]?.name) ?? 'rights'];
  throw refused(failed.map(({ name, message }) => `${name}: ${message}`).join('; '), { checks: test.checks }, nextAction);
};
