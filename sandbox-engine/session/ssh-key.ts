// The key with which this machine's SSH client shows itself inside sandboxes: one for the data folder, made when it is first needed. It opens
// nothing by itself: the way to a sandbox leads over a socket that only this user can open.
// Source: RFC 5656 3.1 (the form of an ECDSA public key); RFC 5915 (of the private one, which every OpenSSH reads).
import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface SshKey {
  /** The private key's file, for its owner only. */
  path: string;
  /** A line for `authorized_keys`. */
  publicLine: string;
}

const sized = (bytes: Buffer): Buffer => {
  const length = Buffer.allocUnsafe(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
};

/** The public half of a private key, as a line of text. */
export const publicLineOf = (privatePem: string): string => {
  const { x = '', y = '' } = createPublicKey(createPrivateKey(privatePem)).export({ format: 'jwk' });
  const point = Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
  const parts = [Buffer.from('ecdsa-sha2-nistp256'), Buffer.from('nistp256'), point];
  return `ecdsa-sha2-nistp256 ${Buffer.concat(parts.map(sized)).toString('base64')} sandlot`;
};

/** Reads the key of this data folder, or makes it. */
export const readSshKey = async (dataFolder: string): Promise<SshKey> => {
  const folder = join(dataFolder, 'ssh');
  const path = join(folder, 'id_ecdsa');
  const known = await readFile(path, 'utf8').catch(() => null);
  if (known !== null) return { path, publicLine: publicLineOf(known) };
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const pem = privateKey.export({ type: 'sec1', format: 'pem' }).toString();
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(`${path}.part`, pem, { mode: 0o600 });
  await rename(`${path}.part`, path);
  return { path, publicLine: publicLineOf(pem) };
};
