// An environment file as the command line reads it, and the mark by which the environment that was made of it is found again.
import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { refused } from './command-failed.ts';
import { readStdin } from './read-stdin.ts';

/** Which file an environment was made of, and what the file held then; both stand in its metadata. */
export const [fileKey, digestKey] = ['sandlot.file', 'sandlot.file_digest'] as const;

/** Reads a file, `-` is standard input. @throws invalid_request */
export const readInput = async (path: string): Promise<string> => {
  try {
    return path === '-' ? await readStdin() : await readFile(path, 'utf8');
  } catch (thrown) {
    throw refused(
      'invalid_request',
      `Cannot read ${path}: ${(thrown as Error).message}`,
      'Give the path of an environment file, or - for standard input.',
    );
  }
};

/** A file with the folder that it is in, which tells what it is about where its own name does not: `shop/.sandlot.yml`. */
export const placeOf = (path: string): string => join(basename(dirname(resolve(path))), basename(path));

/** The metadata of an environment that is made of this file. */
export const markOf = (path: string, contents: string): { [fileKey]: string; [digestKey]: string } => ({
  [fileKey]: realpathSync(path),
  [digestKey]: createHash('sha256').update(contents).digest('hex').slice(0, 32),
});
