// Turns what SQLite or the file system threw into a SandlotError that says what to do. Knows codes, not tables.
// Source: sqlite.org/rescode.html; errno(3).
import { SandlotError } from '../base/errors.ts';
import type { ErrorCode } from '../contract/errors.ts';

type RegistryCode = Extract<ErrorCode, 'registry_locked' | 'registry_damaged' | 'registry_read_only' | 'disk_full'>;

const codeOf: Record<string, RegistryCode> = {
  SQLITE_BUSY: 'registry_locked',
  SQLITE_LOCKED: 'registry_locked',
  SQLITE_CORRUPT: 'registry_damaged',
  SQLITE_NOTADB: 'registry_damaged',
  SQLITE_READONLY: 'registry_read_only',
  SQLITE_PERM: 'registry_read_only',
  EROFS: 'registry_read_only',
  EACCES: 'registry_read_only',
  EPERM: 'registry_read_only',
  SQLITE_FULL: 'disk_full',
  ENOSPC: 'disk_full',
  EDQUOT: 'disk_full',
};

const wordsOf = (code: RegistryCode, file: string): { message: string; nextAction: string } => {
  switch (code) {
    case 'registry_locked':
      return {
        message: `The registry ${file} is in use by another program, so nothing was saved.`,
        nextAction: 'Close the other program that has this file open, then save again.',
      };
    case 'registry_damaged':
      return {
        message: `The registry ${file} is damaged.`,
        nextAction: 'Start Sandlot again: it keeps the damaged file aside and offers the backups.',
      };
    case 'registry_read_only':
      return {
        message: `The registry ${file} cannot be written, so nothing was saved.`,
        nextAction: 'Make the data folder and the files in it writable for you, then start Sandlot again.',
      };
    case 'disk_full':
      return {
        message: `The disk that holds the registry ${file} is full, so nothing was saved.`,
        nextAction: 'Free some space (`sandlot prune` removes what Sandlot no longer needs), then save again.',
      };
  }
};

const thrownCode = (thrown: unknown): string =>
  typeof thrown === 'object' && thrown !== null && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : '';

/** True when another connection held a lock that this one needed: waiting may help. */
export const isLockConflict = (thrown: unknown): boolean => codeOf[thrownCode(thrown)] === 'registry_locked';

/** The SandlotError for anything thrown while the registry file was used; a SandlotError stays as it is. */
export const toRegistryError = (thrown: unknown, file: string): SandlotError => {
  if (thrown instanceof SandlotError) return thrown;
  const code = codeOf[thrownCode(thrown)];
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  if (code === undefined) return new SandlotError('internal', `The registry ${file} failed: ${text}`, { cause: thrown });
  const { message, nextAction } = wordsOf(code, file);
  return new SandlotError(code, `${message} ${nextAction}`, { cause: thrown, nextAction, details: { path: file, reason: text } });
};
