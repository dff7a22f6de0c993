// Tells whether two requests under one key ask for the same thing.
import { createHash } from 'node:crypto';
import { canonicalJson } from './canonical-json.ts';

/** Hex SHA-256 over the body's canonical JSON: equal for bodies that differ only in the order of keys. */
export const bodyDigest = (body: unknown): string => createHash('sha256').update(canonicalJson(body)).digest('hex');
