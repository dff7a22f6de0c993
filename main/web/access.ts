// Keeps the three things that open the web door: one-time tokens (in memory), session cookies (signed, nothing kept),
// and the bearer token for programs (a file that only the owner can read).
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const tokenLifeMs = 12 * 3_600_000;
const maxOpenTokens = 32;
const sessionLifeMs = 30 * 24 * 3_600_000;

export interface Access {
  /** A new token that opens one browser session, for twelve hours or until it is used. */
  newOneTimeToken: () => string;
  /** The value of a session cookie, or null when the token is not, or no longer, good. */
  exchange: (oneTimeToken: string) => string | null;
  isSession: (cookieValue: string | undefined) => boolean;
  /** Takes the whole `Authorization` header. */
  isBearer: (authorization: string | undefined) => boolean;
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
const same = (left: string, right: string): boolean => timingSafeEqual(Buffer.from(hash(left)), Buffer.from(hash(right)));

/** Where programs of the same user find their bearer token. */
const apiTokenPath = (dataFolder: string): string => join(dataFolder, 'api-token');

const readOrMakeApiToken = async (dataFolder: string): Promise<string> => {
  const path = apiTokenPath(dataFolder);
  try {
    await writeFile(path, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw thrown;
  }
  return (await readFile(path, 'utf8')).trim();
};

const createOneTimeTokens = (now: () => number) => {
  const open = new Map<string, number>();
  return {
    make: (): string => {
      const token = randomBytes(24).toString('base64url');
      open.set(hash(token), now() + tokenLifeMs);
      const oldest = open.keys().next().value;
      if (open.size > maxOpenTokens && oldest !== undefined) open.delete(oldest);
      return token;
    },
    use: (token: string): boolean => {
      const endsAt = open.get(hash(token));
      open.delete(hash(token));
      return endsAt !== undefined && endsAt > now();
    },
  };
};

/** Opens the door's keys of one data folder; makes the bearer token where there is none yet. */
export const openAccess = async (dataFolder: string, now: () => number = Date.now): Promise<Access> => {
  const apiToken = await readOrMakeApiToken(dataFolder);
  const oneTime = createOneTimeTokens(now);
  // Signed with the bearer token: a session outlives a restart of the host, and ends when the token file is removed.
  const sign = (payload: string): string => createHmac('sha256', apiToken).update(`session ${payload}`).digest('base64url');
  return {
    newOneTimeToken: oneTime.make,
    exchange: (token) => {
      if (!oneTime.use(token)) return null;
      const payload = `${now() + sessionLifeMs}.${randomBytes(9).toString('base64url')}`;
      return `${payload}.${sign(payload)}`;
    },
    isSession: (value) => {
      const [endsAt, nonce, signature, ...rest] = (value ?? '').split('.');
      if (endsAt === undefined || nonce === undefined || signature === undefined || rest.length > 0) return false;
      return same(signature, sign(`${endsAt}.${nonce}`)) && Number(endsAt) > now();
    },
    isBearer: (authorization) => {
      const given = /^Bearer ([\x21-\x7e]+)$/i.exec(authorization ?? '')?.[1];
      return given !== undefined && apiToken !== '' && same(given, apiToken);
    },
  };
};
