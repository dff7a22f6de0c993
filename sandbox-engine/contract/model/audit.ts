// What was done here, by people and by Sandlot itself: one line each, in words. No value of a secret is ever in one.
import { z } from 'zod';
import { environmentId, sessionId } from './id.ts';
import { isoTime } from './time.ts';

export const auditSubject = z.enum(['environments', 'builds', 'setup', 'sessions', 'network', 'secrets', 'agents', 'images', 'settings']);
export type AuditSubject = z.infer<typeof auditSubject>;

export const auditEntry = z.strictObject({
  /** Rises with each entry. */
  seq: z.number().int().positive(),
  at: isoTime,
  /** The call that did it, as `environments.update`; or what came by itself, as `session.stopped`. */
  action: z.string(),
  about: auditSubject,
  text: z.string(),
  /** `asked`: somebody did it. `ok` and `failed`: how something ended that went on by itself. */
  kind: z.enum(['asked', 'ok', 'failed']),
  /** What it was about; the noun may be gone by now. */
  environment_id: environmentId.nullable(),
  session_id: sessionId.nullable(),
});
export type AuditEntry = z.infer<typeof auditEntry>;
