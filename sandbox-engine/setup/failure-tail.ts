// What a failed run shows of its output: the words of the line that failed. What lines before it said on stderr, the script lived with.
import { scriptPath } from './feeder.ts';
import type { ScriptEnd } from './run-script.ts';

/** Bash says where in the script something failed by the place that it reads the script from, which is nobody's file. */
export const sayLine = (text: string): string => text.replaceAll(`${scriptPath}: line `, 'line ');

/** The end of what the failing line said; of all of stderr where no line failed. */
export const failureTail = ({ failure, lastOutput, stderrTail }: Pick<ScriptEnd, 'failure' | 'lastOutput' | 'stderrTail'>): string =>
  sayLine(failure === null ? stderrTail : lastOutput.stderrTail || lastOutput.stdoutTail);
