// What hint rules are made of, and the kinds that the run itself decides: its time, its memory, its exit code.
import type { Hint, HintInput } from './hints.ts';

export type HintRule = (input: HintInput) => Hint | null;

const again = 'Change the script, then test setup again.';

/** A rule from a pattern over stderr; `$1` to `$9` in hint and next action are the pattern's groups, empty where one took no part. */
export const when =
  (code: string, pattern: RegExp, hint: string, nextAction: string = again): HintRule =>
  ({ stderrTail }) => {
    const found = pattern.exec(stderrTail);
    if (found === null) return null;
    const fill = (text: string): string => text.replace(/\$([1-9])/g, (_, group: string) => found[Number(group)] ?? '');
    return { code, hint: fill(hint), nextAction: fill(nextAction) };
  };

/** A rule from the exit code alone. */
export const byCode =
  (code: string, exitCode: number, hint: string, nextAction: string = again): HintRule =>
  (input) =>
    input.exitCode === exitCode ? { code, hint, nextAction } : null;

/** A rule from what the failed command looks like and the code it ended with; for tools that say on stdout, or nowhere, what was wrong. */
export const byCommand =
  (code: string, command: RegExp, exitCode: number, hint: string, nextAction: string = again): HintRule =>
  (input) =>
    input.exitCode === exitCode && command.test(input.failedCommand ?? '') ? { code, hint, nextAction } : null;

/** The script took longer than it may. */
export const timedOut: HintRule = ({ timedOut: isOver, timeoutSeconds }) =>
  isOver
    ? {
        code: 'timeout',
        hint: `The script took longer than its ${timeoutSeconds} seconds and was ended.`,
        nextAction: 'Raise timeout_seconds (at most 3600), or move slow installs into the recipe.',
      }
    : null;

/** Somebody took the container away. */
export const takenAway: HintRule = ({ isGone, oomKilled }) =>
  isGone === true && !oomKilled
    ? {
        code: 'killed',
        hint: 'The sandbox was stopped or removed from outside while the script ran.',
        nextAction: 'Test setup again, and leave its container alone meanwhile.',
      }
    : null;

/** The kernel or the program ran out of memory. */
export const outOfMemory: HintRule = ({ exitCode, oomKilled, stderrTail, failedCommand, memoryBytes }) => {
  const said = /Cannot allocate memory|MemoryError|\bout of memory(?! \w)|std::bad_alloc/i.test(stderrTail);
  const isOwnTimeout = /\btimeout\b[^|;&]*(?:KILL|-k|\b9\b)/.test(failedCommand ?? '');
  if (!oomKilled && (exitCode !== 137 || isOwnTimeout) && !said) return null;
  const had = memoryBytes === undefined ? '' : ` It had ${(memoryBytes / 1024 ** 3).toFixed(1)} GiB.`;
  const nextAction = 'Choose a larger size for the environment, or do less at once.';
  if (oomKilled || said) return { code: 'out_of_memory', hint: `The sandbox ran out of memory.${had}`, nextAction };
  return { code: 'killed', hint: `A command was killed (exit code 137), most often for want of memory.${had}`, nextAction };
};

const signals: Record<number, string> = { 129: 'HUP', 130: 'INT', 143: 'TERM' };

/** A command that something else ended. */
export const ended: HintRule = ({ exitCode }) => {
  const signal = signals[exitCode ?? 0];
  if (signal === undefined) return null;
  return {
    code: 'killed',
    hint: `A command was ended from outside, by the signal ${signal} (exit code ${exitCode}).`,
    nextAction: 'Look for what ends it: a `kill`, a `wait` for something that was killed, or a tool that stops what it started.',
  };
};

const crashes: Record<number, string> = {
  132: 'used an instruction that this processor does not have',
  134: 'gave up on itself (abort)',
  135: 'touched memory that was not there (bus error)',
  136: 'computed what cannot be computed (arithmetic error)',
  139: 'touched memory that is not its own (segmentation fault)',
};

/** A program that the processor or itself ended. */
export const crashed: HintRule = ({ exitCode }) => {
  const how = crashes[exitCode ?? 0];
  if (how === undefined) return null;
  return {
    code: 'crashed',
    hint: `A program crashed: it ${how} (exit code ${exitCode}).`,
    nextAction: 'Try another version of the program, or the build made for this processor (uname -m) and this Debian.',
  };
};
