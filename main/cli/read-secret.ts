// Takes the value of a secret from where no one else sees it: standard input, a file, or keys that are not shown.
import { readFile } from 'node:fs/promises';
import { refused } from './command-failed.ts';
import { readStdin } from './read-stdin.ts';

/** As `$(command)` does: the end of the last line is not part of the value. */
const withoutLineEnd = (text: string): string => text.replace(/\r?\n$/, '');

const readFrom = async (path: string): Promise<string> => {
  try {
    return withoutLineEnd(await readFile(path, 'utf8'));
  } catch (thrown) {
    throw refused('invalid_request', `Cannot read ${path}: ${(thrown as Error).message}`, 'Give the path of a file that you can read.');
  }
};

type Typed = { state: 'more'; text: string } | { state: 'done'; text: string } | { state: 'interrupted' } | { state: 'lines' };

/** What a person has typed after one more piece of keys: backspace takes one back, Return or the end of input ends it. Pure. */
export const takeKeys = (before: string, piece: string): Typed => {
  if (piece.includes('\u0003')) return { state: 'interrupted' };
  const end = piece.search(/[\r\n\u0004]/);
  const typed = Array.from(before);
  for (const key of end < 0 ? piece : piece.slice(0, end)) {
    if (/[\u007f\b]/.test(key)) typed.pop();
    else typed.push(key);
  }
  const text = typed.join('');
  if (end < 0) return { state: 'more', text };
  // More than a line end behind the first line was pasted: the rest would go to the shell as commands.
  return piece.slice(end + 1).trim() === '' ? { state: 'done', text } : { state: 'lines' };
};

/** Asks on the terminal and shows nothing of what is typed. */
const askHidden = async (question: string): Promise<string> => {
  const { stdin, stderr } = process;
  stderr.write(question);
  stdin.setRawMode(true);
  try {
    let text = '';
    for await (const piece of stdin.setEncoding('utf8')) {
      const typed = takeKeys(text, String(piece));
      if (typed.state === 'interrupted') throw refused('cancelled', 'Nothing was set.');
      if (typed.state === 'lines')
        throw refused('invalid_request', 'Several lines were given; nothing was set.', 'Give them by --file FILE.');
      text = typed.text;
      if (typed.state === 'done') break;
    }
    return text;
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
    stderr.write('\n');
  }
};

export interface SecretSource {
  value: string | undefined;
  file: string | undefined;
}

/** The value of a secret. @throws invalid_request @throws cancelled */
export const readSecret = async (name: string, { value, file }: SecretSource): Promise<string> => {
  if (value !== undefined && file !== undefined)
    throw refused('invalid_request', 'Two values were given.', 'Give --value or --file, not both.');
  if (value !== undefined) return value;
  if (file !== undefined && file !== '-') return await readFrom(file);
  return process.stdin.isTTY === true ? await askHidden(`Value of ${name} (it is not shown): `) : withoutLineEnd(await readStdin());
};

/** `NAME=value` as given, or `NAME` from our own variables. @throws invalid_request */
export const parseSecrets = (given: readonly string[], env: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(
    given.map((one) => {
      const at = one.indexOf('=');
      const name = at < 0 ? one : one.slice(0, at);
      const value = at < 0 ? env[name] : one.slice(at + 1);
      if (name !== '' && value !== undefined) return [name, value];
      throw refused(
        'invalid_request',
        name === '' ? 'A secret without a name was given.' : `There is no variable ${name} here to take the secret from.`,
        'Write --secret NAME=value, or set the variable and write --secret NAME.',
      );
    }),
  );

/** The values that `NAME=path` names, read here. @throws invalid_request */
export const readSecretFiles = async (given: readonly string[]): Promise<Record<string, string>> => {
  const read = given.map(async (one): Promise<[string, string]> => {
    const [name, path] = [one.slice(0, Math.max(0, one.indexOf('='))), one.slice(one.indexOf('=') + 1)];
    if (name === '' || path === '')
      throw refused('invalid_request', `"${one}" names no secret and file.`, 'Write --secret-file NAME=path.');
    return [name, await readFrom(path)];
  });
  return Object.fromEntries(await Promise.all(read));
};
