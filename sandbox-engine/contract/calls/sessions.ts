// Calls about sessions.
import { z } from 'zod';
import { environmentId, session, stringMap } from '../model.ts';
import { bySession, done } from './input.ts';

export const sessionCalls = {
  'sessions.launch': {
    input: z.strictObject({
      environment_id: environmentId,
      name: z.string().min(1).max(256).optional(),
      /** Secrets for this session alone, by name; they go with it, and stand over those of the environment. */
      secrets: stringMap.optional(),
      /** The same, given as files: /run/secrets/NAME. */
      secret_files: stringMap.optional(),
      /** Lets everything public pass until it is ended, and writes down what is reached. A person has to have agreed. */
      observe: z.boolean().optional(),
    }),
    output: session,
  },
  'sessions.get': { input: bySession, output: session },
  'sessions.list': {
    input: z.strictObject({ environment_id: environmentId.optional() }),
    output: z.strictObject({ sessions: z.array(session) }),
  },
  'sessions.stop': { input: bySession, output: session },
  'sessions.resume': { input: bySession, output: session },
  'sessions.restart': { input: bySession, output: session },
  /** Ends the observation: from now on the environment's rules, as they were when it began, decide; what they do not allow is cut. */
  'sessions.end_observation': { input: bySession, output: session },
  /** For good and at once; with `undo_seconds` it is stopped first, and gone when they are over. */
  /** Runs the steps of `session_start`, as the environment has them now, once more in the background. @throws start_script_running */
  'sessions.retry_start_script': { input: bySession, output: session },
  'sessions.delete': { input: bySession.extend({ undo_seconds: z.number().int().min(0).max(86_400).optional() }), output: done },
} as const;
