// Keeps what the command that runs now has printed: only that can tell why it failed. What lines before it said, the script lived with.
import type { Redactor } from '../stream/redact.ts';
import { shownText } from './stderr-tail.ts';

const keptBytes = 16_384;

/** The end of what one command printed, masked; each at most 2 KiB. */
export interface LastOutput {
  stderrTail: string;
  stdoutTail: string;
}

/** Makes the keeper for one run. */
export const createLastOutput = ({ redactText }: Pick<Redactor, 'redactText'>) => {
  const kept = { stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) };
  const show = (bytes: Buffer): string => {
    // Cut off within a line, the rest of it may be half of a secret.
    const from = bytes.length < keptBytes ? 0 : bytes.indexOf(10) + 1;
    return shownText(bytes.subarray(from), redactText);
  };
  return {
    /** The next command begins. */
    begin: (): void => {
      kept.stdout = Buffer.alloc(0);
      kept.stderr = Buffer.alloc(0);
    },
    push: (stream: 'stdout' | 'stderr', bytes: Buffer): void => {
      kept[stream] = Buffer.concat([kept[stream], bytes.subarray(-keptBytes)]).subarray(-keptBytes);
    },
    end: (): LastOutput => ({ stderrTail: show(kept.stderr), stdoutTail: show(kept.stdout) }),
  };
};
