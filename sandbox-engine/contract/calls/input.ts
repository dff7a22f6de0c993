// Parts of inputs and answers that several calls share.
import { z } from 'zod';
import { environmentId, sessionId, setupRunId, terminalId } from '../model.ts';

export const empty = z.strictObject({});
export const done = z.strictObject({ ok: z.literal(true) });
export const byEnvironment = z.strictObject({ environment_id: environmentId });
export const bySession = z.strictObject({ session_id: sessionId });
export const byTerminal = z.strictObject({ terminal_id: terminalId });
export const bySetupRun = z.strictObject({ setup_run_id: setupRunId });
export const cursor = z.string().min(1).optional();
export const idempotencyKey = z.string().min(1).max(255).optional();

/** Characters, not UTF-16 units: an emoji counts as one. */
export const name = z
  .string()
  .min(1)
  .refine((text) => Array.from(text).length <= 256, 'must have at most 256 characters');
