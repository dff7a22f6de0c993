// The vault's file: one sealed box with all that is secret. Reads it whole or says what is wrong with it; writes it whole.
// Source: NIST SP 800-38D (GCM): 256-bit key, a fresh 96-bit nonce a write, 128-bit tag; the header is authenticated too.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { lstat, readFile } from 'node:fs/promises';
import { damaged, type VaultKey } from './vault-key.ts';
import { writeAtomically } from './write-atomically.ts';

/** A value under its name; `version` rises with each new value. */
export interface SecretEntry {
  name: string;
  value: string;
  version: number;
  created_at: string;
  updated_at: string;
}

/** A value that was replaced or deleted, but may still be in a sandbox that lives: known only to be masked. */
export interface RetiredValue {
  name: string;
  value: string;
  retired_at: string;
}

/** A value that one session was given at its launch. It goes with the session. */
export interface SessionValue {
  session_id: string;
  name: string;
  value: string;
}

export interface VaultContents {
  secrets: SecretEntry[];
  retired: RetiredValue[];
  of_sessions: SessionValue[];
}

export const emptyVault: VaultContents = { secrets: [], retired: [], of_sessions: [] };

const format = 'sandlot-vault';
const cipher = 'aes-256-gcm';

interface SealedFile {
  format: typeof format;
  version: 1;
  key: string;
  nonce: string;
  tag: string;
  sealed: string;
}

const headerOf = (keyId: string): Buffer => Buffer.from(`${format} 1 ${keyId}`);

const parseSealed = (file: string, text: string): SealedFile => {
  let read: Partial<Record<keyof SealedFile, unknown>>;
  try {
    read = JSON.parse(text) as typeof read;
  } catch (thrown) {
    throw damaged(file, 'is cut off or overwritten', thrown);
  }
  if (read?.format !== format) throw damaged(file, 'is no vault of Sandlot');
  if (read.version !== 1) throw damaged(file, 'was written by a newer Sandlot');
  const texts = [read.key, read.nonce, read.tag, read.sealed];
  if (texts.some((part) => typeof part !== 'string')) throw damaged(file, 'lacks a part');
  return read as SealedFile;
};

const unseal = (file: string, { nonce, tag, sealed }: SealedFile, key: VaultKey): VaultContents => {
  try {
    const open = createDecipheriv(cipher, key.bytes, Buffer.from(nonce, 'base64'), { authTagLength: 16 });
    open.setAAD(headerOf(key.id));
    open.setAuthTag(Buffer.from(tag, 'base64'));
    const plain = Buffer.concat([open.update(Buffer.from(sealed, 'base64')), open.final()]);
    return { ...emptyVault, ...(JSON.parse(plain.toString('utf8')) as Partial<VaultContents>) };
  } catch (thrown) {
    throw damaged(file, 'was changed or is damaged: its seal does not hold', thrown);
  }
};

/** Whether there is something of the vault's name, whatever it is: only nothing at all is a beginning. @throws secrets_damaged */
export const hasVault = async (file: string): Promise<boolean> => {
  try {
    await lstat(file);
    return true;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw damaged(file, `cannot be read (${(thrown as Error).message})`, thrown);
  }
};

/** Reads the vault; null when there is no such file. @throws secrets_damaged */
export const readVault = async (file: string, key: VaultKey): Promise<VaultContents | null> => {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw damaged(file, `cannot be read (${(thrown as Error).message})`, thrown);
  }
  const sealed = parseSealed(file, text);
  if (sealed.key !== key.id) throw damaged(file, 'was locked with another key than the one beside it');
  return unseal(file, sealed, key);
};

/** Seals and writes the vault, whole or not at all. @throws disk_full @throws registry_read_only */
export const writeVault = async (file: string, key: VaultKey, contents: VaultContents): Promise<void> => {
  const nonce = randomBytes(12);
  const seal = createCipheriv(cipher, key.bytes, nonce, { authTagLength: 16 });
  seal.setAAD(headerOf(key.id));
  const sealed = Buffer.concat([seal.update(JSON.stringify(contents), 'utf8'), seal.final()]);
  const written: SealedFile = {
    ...{ format, version: 1, key: key.id, nonce: nonce.toString('base64') },
    ...{ tag: seal.getAuthTag().toString('base64'), sealed: sealed.toString('base64') },
  };
  await writeAtomically(file, `${JSON.stringify(written)}\n`);
};
