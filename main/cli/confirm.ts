// Asks the person at the terminal, where there is one.
import { createInterface } from 'node:readline/promises';

const isAtTerminal = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;

/** Waits for a line; null where nobody can be asked. The question goes to stderr, so that stdout stays the result. */
export const askOnTerminal = async (question: string): Promise<string | null> => {
  if (!isAtTerminal()) return null;
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await lines.question(`${question} `)).trim().toLowerCase();
  } finally {
    lines.close();
  }
};

/** False only when somebody was asked and did not say yes: where nobody can be, the command itself is the answer. */
export const confirmOnTerminal = async (question: string): Promise<boolean> => {
  const answer = await askOnTerminal(`${question} [y/N]`);
  return answer === null || ['y', 'yes'].includes(answer);
};
