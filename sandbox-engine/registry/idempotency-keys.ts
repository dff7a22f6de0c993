// Remembers for a day which answer a client's key got, so that a repeated request is answered again instead of done again.
import type { Clock } from '../base/clock.ts';
import { SandlotError } from '../base/errors.ts';
import type { Reader, Transaction } from './database.ts';

export interface IdempotencyKey {
  scope: string;
  key: string;
  bodyDigest: string;
}

const keptMs = 24 * 60 * 60 * 1000;

/** The remembered resource id, or null. @throws idempotency_mismatch when the key was used with another body. */
export const findKey = async (reader: Reader, clock: Clock, { scope, key, bodyDigest }: IdempotencyKey): Promise<string | null> => {
  const row = await reader.get<{ body_digest: string; resource_id: string }>(
    'SELECT body_digest, resource_id FROM idempotency WHERE scope = ? AND key = ? AND created_ms > ?',
    [scope, key, clock.now() - keptMs],
  );
  if (row === undefined) return null;
  if (row.body_digest !== bodyDigest) {
    throw new SandlotError(
      'idempotency_mismatch',
      `The idempotency key "${key}" was already used with another body. Send the same body again, or use a new key.`,
      { details: { idempotency_key: key, resource_id: row.resource_id } },
    );
  }
  return row.resource_id;
};

/** Remembers the first answer; a second one under the same key and body changes nothing. @throws idempotency_mismatch */
export const rememberKey = async (transaction: Transaction, clock: Clock, used: IdempotencyKey, resourceId: string): Promise<void> => {
  if ((await findKey(transaction, clock, used)) !== null) return;
  await transaction.run('DELETE FROM idempotency WHERE created_ms <= ?', [clock.now() - keptMs]);
  await transaction.run('INSERT INTO idempotency (scope, key, body_digest, resource_id, created_ms) VALUES (?, ?, ?, ?, ?)', [
    used.scope,
    used.key,
    used.bodyDigest,
    resourceId,
    clock.now(),
  ]);
};
