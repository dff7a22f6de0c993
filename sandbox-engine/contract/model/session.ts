// Sessions, their terminals and their commands.
import { z } from 'zod';
import { forwardWish } from './activity.ts';
import { workspaceStart } from './changes.ts';
import { environmentId, execId, sessionId, streamId, terminalId } from './id.ts';
import { isoTime, milliseconds } from './time.ts';

/** What happens to running sessions when the app is quit. */
export const quitChoice = z.enum(['ask', 'keep', 'stop']);
export type QuitChoice = z.infer<typeof quitChoice>;

export const sessionStatus = z.enum(['starting', 'running', 'stopped', 'failed', 'ended']);
export const sessionStep = z.strictObject({
  name: z.string(),
  status: z.enum(['running', 'succeeded', 'failed']),
  started_at: isoTime,
  duration_ms: milliseconds.nullable(),
  /** The newest line of a step that takes its time, while it runs; why it failed, when it has. */
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

/** What of a session tells how long it goes on and is kept. Sessions from before have none of it. */
const lifetime = {
  /** Sandlot is stopping it, with what is said of it afterwards; a host that was killed meanwhile ends that when it is there again. */
  stopping: z.strictObject({ message: z.string().nullable() }).nullable().optional(),
  /** It is stopped then, unless something happens in it; told a minute before, else null. */
  idle_stop_at: isoTime.nullable().optional(),
  /** Sandbox and workspace go for good then; null: not by themselves. */
  delete_at: isoTime.nullable().optional(),
  /** It is deleted; until `delete_at` that can be undone. */
  deleted_at: isoTime.nullable().optional(),
  /** It was kept for as long as its environment says: nobody deleted it. */
  deleted_by_itself: z.boolean().optional(),
  /** It is kept until somebody deletes it, whatever its environment says. */
  keep_forever: z.boolean().optional(),
  workspace_bytes: z.number().nonnegative().nullable().optional(),
  workspace_measured_at: isoTime.nullable().optional(),
  /** What its sandbox was made of: a digest for each part of the configuration; `network rules` is `closed` where there is none. */
  config: z.record(z.string(), z.string()).optional(),
} as const;

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
  /** What its changes are counted from; not there until its workspace was filled, or when that could not be written down. */
  workspace_start: workspaceStart.optional(),
  /** Where its terminals and commands begin, if they are there: its repository. Not there without one. */
  workdir: z.string().optional(),
  /** Name of an environment file that its repository brought. */
  offered_file: z.string().optional(),
  image_id: z.string().nullable(),
  image_source: z.enum(['prepared', 'active', 'default']),
  /** Its sandbox was replaced with the workspace as it was: what the setup of its image put into /workspace is not there, unless that was empty. */
  setup_left_out: z.boolean().optional(),
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
  /** Names of those that it has as files, sorted. */
  secret_files: z.array(z.string()),
  steps: z.array(sessionStep),
  start_script: z.strictObject({
    status: z.enum(['none', 'running', 'succeeded', 'failed']),
    exit_code: z.number().int().nullable(),
    stream_id: streamId.nullable(),
  }),
  /** Ports that were asked for on this machine; they come back when it runs again. */
  forwards: z.array(forwardWish).optional(),
  /** Where what happened in it is written down. */
  tape_stream_id: streamId.optional(),
  /** It has a desktop, seen and used by `screen.*`. */
  computer_use: z.boolean().optional(),
  /** Its sandbox stood ready before it was asked for. */
  warm: z.boolean().optional(),
  created_at: isoTime,
  started_at: isoTime.nullable(),
  stopped_at: isoTime.nullable(),
  ended_at: isoTime.nullable(),
  ...lifetime,
});
export type Session = z.infer<typeof session>;

export const terminal = z.strictObject({
  id: terminalId,
  session_id: sessionId,
  title: z.string(),
  status: z.enum(['running', 'exited', 'lost']),
  /** null while it runs, and where its end says nothing about what ran in it. */
  exit_code: z.number().int().nullable(),
  /** Its sandbox was stopped or replaced, and it ended with that. */
  ended_with_session: z.boolean().optional(),
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
  /** What was missing when it began: the repository or the start script was still under way, or a secret is not set any more. */
  note: z.string().optional(),
});
export type Exec = z.infer<typeof exec>;
