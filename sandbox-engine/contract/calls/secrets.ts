// Calls about secrets. A value goes in and never comes out.
import { z } from 'zod';
import { secret, secretList, secretUse, sessionId } from '../model.ts';
import { done, empty } from './input.ts';

export const secretCalls = {
  'secrets.list': { input: empty, output: secretList },
  /** Adds it, or replaces its value. Sessions get the new value in their next terminal, command or launch; nothing is built again. */
  'secrets.set': { input: z.strictObject({ name: z.string(), value: z.string() }), output: secret },
  /** For good. Environments that name it start no session until it is set again or they name it no more. */
  'secrets.delete': { input: z.strictObject({ name: z.string() }), output: done },
  /** Who was given what and when, the newest first. */
  'secrets.ledger': {
    input: z.strictObject({
      name: z.string().optional(),
      session_id: sessionId.optional(),
      limit: z.number().int().min(1).max(500).optional(),
    }),
    output: z.strictObject({ uses: z.array(secretUse) }),
  },
  /** Only when the secrets are damaged: puts the file aside and begins without any. */
  'secrets.reset': { input: empty, output: z.strictObject({ kept_aside: z.string() }) },
} as const;
