// Calls about what was done here.
import { z } from 'zod';
import { auditEntry, auditSubject, environmentId, sessionId } from '../model.ts';

export const auditCalls = {
  /** Newest first; `before` is the `seq` of the last one of the page before. The newest 20,000 are kept. */
  'audit.list': {
    input: z.strictObject({
      before: z.number().int().positive().optional(),
      limit: z.number().int().min(1).max(500).optional(),
      environment_id: environmentId.optional(),
      session_id: sessionId.optional(),
      about: auditSubject.optional(),
      /** A part of the text, in any case. */
      search: z.string().max(300).optional(),
    }),
    output: z.strictObject({ entries: z.array(auditEntry), has_more: z.boolean() }),
  },
} as const;
