// Secrets as clients see them: never with their values.
import { z } from 'zod';
import { environmentId, sessionId } from './id.ts';
import { isoTime } from './time.ts';

const userOfSecret = z.strictObject({ id: environmentId, name: z.string() });

export const secret = z.strictObject({
  name: z.string(),
  /** Rises by one with each new value. */
  version: z.number().int().positive(),
  created_at: isoTime,
  updated_at: isoTime,
  /** When a session was last given it. */
  last_used_at: isoTime.nullable(),
  /** Environments whose sessions get it. */
  environments: z.array(userOfSecret),
  /** Masked in all that is stored. False for a value of fewer than 4 characters, which would hit every second word. */
  is_masked: z.boolean(),
  /** Searched for in images before they are pinned. False for a value of fewer than 8 characters, which turns up by chance. */
  is_searched: z.boolean(),
});
export type Secret = z.infer<typeof secret>;

export const secretList = z.strictObject({
  secrets: z.array(secret),
  /** Named by environments, but never set or deleted: their sessions are refused until they are. */
  missing: z.array(z.strictObject({ name: z.string(), environments: z.array(userOfSecret) })),
  /** How the key to them is kept on this machine; null before the first use. */
  key: z.enum(['key_file', 'keychain']).nullable(),
});
export type SecretList = z.infer<typeof secretList>;

/** One secret and one session that was given it: a line of the ledger. It stays when secret, session and environment are gone. */
export const secretUse = z.strictObject({
  name: z.string(),
  /** Which value of the stored secret; null for a value that was given for this session alone. */
  version: z.number().int().positive().nullable(),
  session_id: sessionId,
  session_name: z.string(),
  environment_id: environmentId,
  environment_name: z.string(),
  first_at: isoTime,
  last_at: isoTime,
  /** To how many terminals, commands and scripts of the session. */
  times: z.number().int().positive(),
});
export type SecretUse = z.infer<typeof secretUse>;
