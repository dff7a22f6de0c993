// How setup runs and verdicts are called on the page, and the one thing to do next that can be pressed.
import type { EnvironmentView, SetupRun, SetupVerification } from '../../../sandbox-engine/contract/model.ts';
import { totalMs } from '../ui/format.ts';
import type { Tone } from '../ui/Status.tsx';
import type { ShownStep } from '../ui/StepList.tsx';

/** Whether the run has not ended. */
export const isInFlight = (run: SetupRun): boolean => run.status === 'queued' || run.status === 'provisioning' || run.status === 'running';

export const runTones: Record<SetupRun['status'], Tone> = {
  queued: 'run',
  provisioning: 'run',
  running: 'run',
  succeeded: 'ok',
  failed: 'bad',
  cancelled: 'plain',
};

/** `running` as `Running`. */
export const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** How a run is, for people: one that was observed is no success, whatever its script ended with. */
export const runState = (run: Pick<SetupRun, 'status' | 'observed'>): { tone: Tone; label: string } =>
  run.observed && run.status === 'succeeded'
    ? { tone: 'plain', label: 'Observed' }
    : { tone: runTones[run.status], label: capital(run.status) };

/** What a run was made for; one of kind `session` without a session belongs to a comparison of runtimes. */
export const kindWord = ({ kind, session_id, observed }: Pick<SetupRun, 'kind' | 'session_id' | 'observed'>): string => {
  if (observed) return 'Observed';
  if (kind === 'manual') return 'Test';
  if (kind === 'refresh') return 'Image refresh';
  return session_id === null ? 'Comparison of runtimes' : 'At session start';
};

/** The run to look at first: the newest one that counts for the verdict. Runs come newest first. */
export const firstShown = (runs: readonly SetupRun[]): SetupRun | null => runs.find((run) => run.kind !== 'session') ?? runs[0] ?? null;

const phaseWords: Record<SetupRun['phase'], string> = {
  provision: 'Make the sandbox',
  gpu_check: 'Check the GPU',
  setup: 'Run the script',
  profile: 'Look at the result',
  commit: 'Save the image',
  cleanup: 'Clean up',
};

const phaseOrder = Object.keys(phaseWords) as SetupRun['phase'][];

/** The phase in plain words. */
export const phaseWord = (phase: SetupRun['phase']): string => phaseWords[phase];

/** The phase that failed; the last one when none says so. The run itself has moved on to clean up. */
export const failedPhase = (run: SetupRun): SetupRun['phase'] => run.phases.find(({ status }) => status === 'failed')?.phase ?? run.phase;

/** The phases of a run as steps; those that have not begun are waiting, or left out when the run is over. */
export const runSteps = (run: SetupRun): ShownStep[] => {
  const known = new Map(run.phases.map((phase) => [phase.phase, phase]));
  return phaseOrder.flatMap((phase): ShownStep[] => {
    const at = known.get(phase);
    // Most environments have no GPU, and need not hear of it.
    if (phase === 'gpu_check' && (at === undefined || at.status === 'skipped')) return [];
    if (at) return [{ name: phaseWords[phase], status: at.status, startedAt: at.started_at, durationMs: at.duration_ms }];
    return isInFlight(run) ? [{ name: phaseWords[phase], status: 'waiting', startedAt: null, durationMs: null }] : [];
  });
};

/** Milliseconds from start to end; null while it runs or when it never started. */
export const runDurationMs = (run: SetupRun): number | null => (run.started_at && run.finished_at ? totalMs(run.phases) : null);

/** The times of a run's lines, the slowest first. */
export const slowestFirst = (run: SetupRun): SetupRun['line_times'] => [...run.line_times].sort((a, b) => b.duration_ms - a.duration_ms);

/** The text of a line of the script as it was run. */
export const scriptLine = (run: SetupRun, line: number): string => (run.script.split('\n')[line - 1] ?? '').trim();

/** What to do about a verdict, as a sentence. */
export const verdictNext = ({ label, stale, last_run }: SetupVerification): string => {
  if (label === 'Ready') return 'Write a script only if sessions need more than the recipe installs.';
  if (label === 'Verified') return 'Sessions start from the prepared image; nothing is installed again.';
  if (label === 'Re-testing') return 'Sessions still start from the image of the last run.';
  if (label === 'Running') return 'Sessions can start when it has passed.';
  if (stale) return 'Sessions can start when it has passed.';
  if (label === 'Never') return 'Test setup, so that sessions can start.';
  if (label === 'Image failed') return last_run?.next_action ?? 'Test setup again; the script itself is good.';
  return last_run?.hint ?? 'See below what failed, mend it, and test again.';
};

/** Whether a setup test is what the environment waits for: before that comes a build, after it a session. */
export const isTestNext = ({ image, setup_verification: { can_start_sessions: canStart, label } }: EnvironmentView): boolean =>
  image.state === 'active' && !canStart && label !== 'Running';

/** Something that can be pressed or copied to mend a failed run. */
export type NextStep =
  | { kind: 'tab'; tab: string; label: string }
  | { kind: 'timeout'; seconds: number }
  | { kind: 'package'; manager: string; name: string }
  | { kind: 'command'; command: string };

const tabSteps: Record<string, NextStep> = {
  egress_blocked: { kind: 'tab', tab: 'network', label: 'Open Network' },
  out_of_memory: { kind: 'tab', tab: 'resources', label: 'Choose a larger size' },
  killed: { kind: 'tab', tab: 'resources', label: 'Choose a larger size' },
  disk_full: { kind: 'tab', tab: 'resources', label: 'Open Resources' },
  unbound_variable: { kind: 'tab', tab: 'variables', label: 'Open Variables' },
};

/** Seconds that a script may take at most. Source: SPEC.md 5. */
export const maxTimeoutSeconds = 3600;

/** The next action of a failed run as something to press, or null when it is only a sentence. */
export const nextStep = (run: Pick<SetupRun, 'hint_code' | 'next_action' | 'timeout_seconds'>): NextStep | null => {
  const step = tabSteps[run.hint_code ?? ''];
  if (step) return step;
  if (run.hint_code === 'timeout') {
    const seconds = Math.min(maxTimeoutSeconds, run.timeout_seconds * 2);
    return seconds > run.timeout_seconds ? { kind: 'timeout', seconds } : null;
  }
  const [, name, manager] = /^Add "([^"]+)" to the recipe's (\w+) packages: /.exec(run.next_action ?? '') ?? [];
  if (name !== undefined && manager !== undefined) return { kind: 'package', manager, name };
  const command = /: ((?:sudo|sed|python3|ssh-keyscan|npm|git|pip) .+)$/.exec(run.next_action ?? '')?.[1];
  return command && !command.includes('…') ? { kind: 'command', command } : null;
};
