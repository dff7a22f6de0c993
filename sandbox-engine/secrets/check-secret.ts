// What a secret may be called and what it may hold: it becomes an environment variable as it is.
import { SandlotError } from '../base/errors.ts';

/** UTF-8 bytes. */
const largestSecret = 65_536;
const longestName = 128;

/** The session itself needs these; a secret in their place would break its shells. */
const taken = new Set(['PATH', 'HOME', 'USER', 'SHELL', 'TERM', 'PWD', 'IFS', 'BASH_ENV', 'ENV', 'LD_PRELOAD', 'LD_LIBRARY_PATH']);

/** Bash keeps these for itself: a program started by it would never see the secret, or bash would obey it. */
const ownOfBash = new Set([
  '_',
  'UID',
  'EUID',
  'PPID',
  'SHELLOPTS',
  'BASHOPTS',
  'SHLVL',
  'OLDPWD',
  'RANDOM',
  'SECONDS',
  'LINENO',
  'GROUPS',
]);

const refuse = (path: string, message: string, nextAction: string): never => {
  throw new SandlotError('invalid_request', message, { details: { path }, nextAction });
};

/** @throws invalid_request for a name that can be no variable, or that the sandbox needs for itself */
export const checkSecretName = (name: string): void => {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || name.length > longestName) {
    refuse(
      '/name',
      `"${name.slice(0, 60)}" is no name of a secret.`,
      `Use letters, digits and _, at most ${longestName}, and begin with a letter or _.`,
    );
  }
  if (taken.has(name) || ownOfBash.has(name) || name.startsWith('SANDLOT_')) {
    refuse('/name', `A secret cannot be called ${name}: the sandbox needs that variable for itself.`, 'Choose another name.');
  }
};

/** Says nothing of the value itself. @throws invalid_request @throws too_large over 64 KiB */
export const checkSecretValue = (name: string, value: string): void => {
  if (value.trim() === '') refuse('/value', `The value of ${name} is empty.`, 'Give a value, or delete the secret.');
  if (value.includes('\0')) {
    refuse('/value', `The value of ${name} has a NUL character, which no variable can hold.`, 'Encode it, for example as base64.');
  }
  const bytes = Buffer.byteLength(value);
  if (bytes <= largestSecret) return;
  throw new SandlotError('too_large', `The value of ${name} has ${bytes} bytes; a secret may have ${largestSecret}.`, {
    details: { path: '/value', max_bytes: largestSecret },
    nextAction: 'Keep large files where the session can fetch them, and make the key to them the secret.',
  });
};
