// Names one failed request, so that what a person saw can be found in the log.
import { randomBytes } from 'node:crypto';

/** A new id, `req_` and 26 hex digits. */
export const newRequestId = (): string => `req_${randomBytes(13).toString('hex')}`;
