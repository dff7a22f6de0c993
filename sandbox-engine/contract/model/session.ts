// Sessions, their terminals and their commands.
import { z } from 'zod';
import { environmentId, execId, sessionId, streamId, terminalId } from './id.ts';
import { isoTime, milliseconds } from './time.ts';

export const sessionStatus = z.enum(['starting', 'running', 'stopped', 'failed', 'ended']);
export const sessionStep = z.strictObject({
  name: z.string(),
  status: z.enum(['running', 'succeeded', 'failed']),
  started_at: isoTime,
  duration_ms: milliseconds.nullable(),
  /** The newest line of a step that takes its time, while it runs. */
  message: z.string().optional(),
});
/** What the canary found when a sandbox started: fixed probes of ways out that must all be closed. */
export const seal = z.strictObject({
  at: isoTime,
  /** Probes that are proven to be sealed. */
  passed: z.number().int().nonnegative(),
  total: z.number().int().positive(),
  probes: z.array(z.strictObject({ name: z.string(), result: z.enum(['sealed', 'open', 'unproven']), message: z.string() })),
});
export type Seal = z.infer<typeof seal>;

export const session = z.strictObject({
  id: sessionId,
  environment_id: environmentId,
  environment_name: z.string(),
  environment_revision: z.number().int(),
  name: z.string(),
  status: sessionStatus,
  /** Why it is stopped, failed or ended when that was not asked for; shown as it is. */
  message: z.string().nullable(),
  runtime: z.string(),
  container_id: z.string().nullable(),
  volume: z.string(),
  image_id: z.string().nullable(),
  image_source: z.enum(['prepared', 'active', 'default']),
  /** A sentence when the session runs on the default base although a recipe is there; the app shows it as a banner. */
  fallback: z.string().nullable(),
  /** `gate`: what the policy allows passes; `none`: nothing does, and nobody sees what is tried. */
  network: z.enum(['unrestricted', 'gate', 'none']),
  /** Over which way its gate reaches this host: a mounted socket, or TCP where the runtime is in a virtual machine. Not there without a gate. */
  gate_over: z.enum(['socket', 'tcp']).optional(),
  /** Everything public passes, so that it can be seen what is reached; ends when a person says so. */
  observed: z.boolean(),
  /** null without a gate, and until the canary has been. */
  seal: seal.nullable(),
  /** Names of the secrets that its terminals, commands and start script get, sorted. */
  secrets: z.array(z.string()),
  steps: z.array(sessionStep),
  start_script: z.strictObject({
    status: z.enum(['none', 'running', 'succeeded', 'failed']),
    exit_code: z.number().int().nullable(),
    stream_id: streamId.nullable(),
  }),
  created_at: isoTime,
  started_at: isoTime.nullable(),
  stopped_at: isoTime.nullable(),
  ended_at: isoTime.nullable(),
});
export type Session = z.infer<typeof session>;

export const terminal = z.strictObject({
  id: terminalId,
  session_id: sessionId,
  title: z.string(),
  status: z.enum(['running', 'exited', 'lost']),
  exit_code: z.number().int().nullable(),
  cols: z.number().int().positive(),
  rows: z.number().int().positive(),
  stream_id: streamId,
  created_at: isoTime,
  ended_at: isoTime.nullable(),
});
export type Terminal = z.infer<typeof terminal>;

/** A command run without a terminal; its two streams are pulled like any other. */
export const exec = z.strictObject({
  id: execId,
  session_id: sessionId,
  command: z.array(z.string()),
  status: z.enum(['running', 'exited', 'lost']),
  exit_code: z.number().int().nullable(),
  stdout_stream_id: streamId,
  stderr_stream_id: streamId,
});
export type Exec = z.infer<typeof exec>;
