// The key of the vault: made at the first use, kept in a file for its owner only, wrapped by the system's keychain where the host has one.
// Knows nothing of what is locked with it.
import { createHash, randomBytes } from 'node:crypto';
import { chmod, readFile } from 'node:fs/promises';
import { SandlotError } from '../base/errors.ts';
import { writeAtomically } from './write-atomically.ts';

/** Wraps the key with something that only this person's login can open, as the keychain of the system does. */
export interface KeyProtector {
  isAvailable: () => boolean;
  protect: (key: Buffer) => Promise<Buffer>;
  /** Throws when the keychain does not open it. */
  unprotect: (wrapped: Buffer) => Promise<Buffer>;
}

/** How the key is kept: as it is, in a file of the owner, or wrapped by the keychain. */
export type KeyProtection = 'key_file' | 'keychain';

export interface VaultKey {
  bytes: Buffer;
  /** Tells one key from another; gives nothing away. */
  id: string;
  protection: KeyProtection;
  /** A vault was written with it: from then on a missing vault is a loss, not a beginning. */
  isUsed: boolean;
}

const format = 'sandlot-vault-key';
const keyBytes = 32;

interface KeyFile {
  format: typeof format;
  version: 1;
  protection: KeyProtection;
  is_used: boolean;
  key: string;
}

/** A refusal that says what is broken and how to go on. */
export const damaged = (file: string, why: string, cause?: unknown): SandlotError =>
  new SandlotError('secrets_damaged', `The secrets cannot be read: ${file} ${why}. Nothing was changed.`, {
    ...(cause === undefined ? {} : { cause }),
    details: { path: file },
    nextAction:
      'Put the file back from a backup, or begin anew (it is kept aside, and each secret has to be set again): sandlot secret reset',
  });

const idOf = (bytes: Buffer): string => createHash('sha256').update('sandlot vault key ').update(bytes).digest('hex').slice(0, 16);

const readKeyFile = (file: string, text: string): KeyFile => {
  let read: Partial<KeyFile>;
  try {
    read = JSON.parse(text) as Partial<KeyFile>;
  } catch (thrown) {
    throw damaged(file, 'is no key file', thrown);
  }
  const isOurs = read.format === format && read.version === 1 && typeof read.key === 'string' && typeof read.is_used === 'boolean';
  if (!isOurs || (read.protection !== 'key_file' && read.protection !== 'keychain')) throw damaged(file, 'is no key file of this Sandlot');
  return read as KeyFile;
};

const openWrapped = async (file: string, wrapped: Buffer, protector: KeyProtector | undefined): Promise<Buffer> => {
  const locked = (why: string, cause?: unknown) =>
    new SandlotError('secrets_locked', `The secrets are locked: their key is in the keychain of this system, ${why}.`, {
      ...(cause === undefined ? {} : { cause }),
      details: { path: file },
      nextAction: 'Open the desktop app and leave it open: the command line and the browser then work through it.',
    });
  if (protector === undefined || !protector.isAvailable()) throw locked('which only the desktop app can open');
  try {
    return await protector.unprotect(wrapped);
  } catch (thrown) {
    throw locked('and the keychain did not open it', thrown);
  }
};

const writeKey = async (file: string, key: VaultKey, wrapped: Buffer): Promise<void> => {
  const contents: KeyFile = { format, version: 1, protection: key.protection, is_used: key.isUsed, key: wrapped.toString('base64') };
  await writeAtomically(file, `${JSON.stringify(contents, null, 2)}\n`);
};

/** Reads the key, or answers null when none was ever made. @throws secrets_damaged @throws secrets_locked */
export const readVaultKey = async (file: string, protector?: KeyProtector): Promise<VaultKey | null> => {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw damaged(file, `cannot be read (${(thrown as Error).message})`, thrown);
  }
  const { protection, is_used, key } = readKeyFile(file, text);
  const kept = Buffer.from(key, 'base64');
  const bytes = protection === 'keychain' ? await openWrapped(file, kept, protector) : kept;
  if (bytes.length !== keyBytes) throw damaged(file, 'holds no whole key');
  // A copy or a careless archive may have opened it to others; a file system without modes refuses, and the folder is private anyway.
  await chmod(file, 0o600).catch(() => undefined);
  return { bytes, id: idOf(bytes), protection, isUsed: is_used };
};

/** Makes a key; the keychain wraps it where there is one. @throws disk_full @throws registry_read_only */
export const makeVaultKey = async (file: string, protector?: KeyProtector): Promise<VaultKey> => {
  const bytes = randomBytes(keyBytes);
  const isWrapped = protector?.isAvailable() === true;
  const key: VaultKey = { bytes, id: idOf(bytes), protection: isWrapped ? 'keychain' : 'key_file', isUsed: false };
  await writeKey(file, key, isWrapped ? await protector.protect(bytes) : bytes);
  return key;
};

/** Remembers that a vault was written with this key. */
export const markKeyUsed = async (file: string, key: VaultKey): Promise<VaultKey> => {
  const { key: kept } = readKeyFile(file, await readFile(file, 'utf8'));
  const used = { ...key, isUsed: true };
  await writeKey(file, used, Buffer.from(kept, 'base64'));
  return used;
};
