// Asks the person at the terminal, where there is one, and before what nothing brings back.
import { createInterface } from 'node:readline/promises';
import { refused } from './command-failed.ts';
import { plainText } from './print.ts';

const isAtTerminal = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;

/** Waits for a line; null where nobody can be asked. The question goes to stderr, so that stdout stays the result. Ctrl-D answers nothing. */
export const askOnTerminal = async (question: string): Promise<string | null> => {
  if (!isAtTerminal()) return null;
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const noAnswer = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
  // Otherwise it would only close these lines.
  lines.once('SIGINT', () => {
    lines.close();
    process.stderr.write('\n');
    process.kill(process.pid, 'SIGINT');
  });
  try {
    return (await Promise.race([lines.question(`${plainText(question)} `), noAnswer])).trim();
  } finally {
    lines.close();
  }
};

/** What a command is about to do for good. */
export interface FinalDeed {
  /** `Delete the agent "builder" for good?` */
  question: string;
  /** What has to be typed, for what would be missed most; else a yes is enough. */
  word?: string;
  /** The command with which it was agreed to beforehand. */
  agreed: string;
}

/** The option of each command that does something for good. */
export const yesOption: [flags: string, meaning: string] = ['-y, --yes', 'do not ask; needed where there is no terminal'];

const isYes = (answer: string): boolean => ['y', 'yes'].includes(answer.toLowerCase());

/** Goes on only when it was agreed to: by `--yes`, or at the terminal, as the app asks. @throws invalid_request */
export const agreeToFinal = async (options: Record<string, unknown>, { question, word, agreed }: FinalDeed): Promise<void> => {
  if (options['yes'] === true) return;
  const answer = await askOnTerminal(word === undefined ? `${question} [y/N]` : `${question} Type "${word}" to go on:`);
  if (answer === null) throw refused('invalid_request', 'Nothing was done: there is no terminal to ask at.', `To agree: ${agreed}`);
  if (word === undefined ? isYes(answer) : answer === word) return;
  const because = word === undefined || answer === '' ? 'Nothing was done.' : `Nothing was done: that is not "${word}".`;
  throw refused('invalid_request', because, `To agree without being asked: ${agreed}`);
};
