// Calls about sessions.
import { z } from 'zod';
import { environmentId, session, stringMap } from '../model.ts';
import { bySession, cursor, done } from './input.ts';

export const sessionCalls = {
  'sessions.launch': {
    input: z.strictObject({
      environment_id: environmentId,
      /** That of its environment unless given, with a number where another session has it. */
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
  /** Newest first; all of them unless a limit is given. */
  'sessions.list': {
    input: z.strictObject({
      environment_id: environmentId.optional(),
      limit: z.number().int().min(1).max(200).optional(),
      cursor,
    }),
    output: z.strictObject({ sessions: z.array(session), next_cursor: z.string().nullable() }),
  },
  'sessions.stop': { input: bySession, output: session },
  'sessions.resume': { input: bySession, output: session },
  'sessions.restart': { input: bySession, output: session },
  /** Ends the observation: from now on the environment's rules, as they were when it began, decide; what they do not allow is cut. */
  'sessions.end_observation': { input: bySession, output: session },
  /** Runs the steps of `session_start`, as the environment has them now, once more in the background. @throws start_script_running */
  'sessions.retry_start_script': { input: bySession, output: session },
  /** For good and at once; with `undo_seconds` it is stopped first, and gone when they are over. */
  'sessions.delete': { input: bySession.extend({ undo_seconds: z.number().int().min(0).max(86_400).optional() }), output: done },
} as const;
