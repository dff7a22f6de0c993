// Turns how a setup run ended into one sentence of advice: what happened and what to do next. Pure.
// The first rule that fits wins; the more certain ones stand first. What no rule knows is said to be unknown.
import type { EgressReason } from '../contract/model.ts';
import { hintRules } from './hint-rules.ts';

export interface HintInput {
  exitCode: number | null;
  /** The end of what was printed to stderr since the failing line began, without escape bytes; at most 2 KiB. */
  stderrTail: string;
  /** The same of stdout: for scripts that send stderr there. */
  stdoutTail?: string;
  /** The end of all stderr. */
  runTail?: string;
  failedCommand: string | null;
  phase: string;
  network: 'none' | 'bridge';
  oomKilled: boolean;
  /** Somebody stopped or removed the container. */
  isGone?: boolean;
  timedOut: boolean;
  timeoutSeconds: number;
  memoryBytes?: number;
  /** Destinations that were blocked, or let through and not reached, while the failing line ran, the last first. */
  blocked?: readonly { host: string; port: number | null; reason: EgressReason }[];
}

export interface Hint {
  /** Stable, for programs. */
  code: string;
  hint: string;
  nextAction: string;
}

/** What tells nothing of why a command failed: sudo that cannot look up its own host name, traces of `set -x`, plain warnings. */
const besides =
  /^(?:sudo: unable to resolve host |shell-init: |job-working-directory: |\++ |(?:\S+ )?(?:\S+: )?(?:line \d+: )?warning: |npm (?:warn|WARN) ).*\n?/gm;

/** apt goes on without lists that it could not fetch, and misses a package only at a later line. */
const isForWantOfLists = (said: string, before: string): boolean =>
  /E: Unable to locate package|has no installation candidate/.test(said) && /W: Some index files failed to download/.test(before);

const saidOf = ({ stderrTail, stdoutTail = '', runTail = '' }: HintInput): string => {
  if (isForWantOfLists(stderrTail, runTail)) return runTail.replace(besides, '');
  const said = stderrTail.replace(besides, '');
  return said.trim() === '' ? stdoutTail.replace(besides, '') : said;
};

/** The advice on a failed run; null when nothing failed. */
export const hintFor = (given: HintInput): Hint | null => {
  const input = { ...given, stderrTail: saidOf(given) };
  if (input.exitCode === 0 && input.phase === 'setup') return null;
  for (const rule of hintRules) {
    const hint = rule(input);
    if (hint !== null) return hint;
  }
  return {
    code: 'unknown',
    hint: `Sandlot does not know this failure${input.exitCode === null ? '' : ` (exit code ${input.exitCode})`}. Read the failing line and the end of stderr.`,
    nextAction: 'Open the log at the failing line, change the script, and test setup again.',
  };
};
