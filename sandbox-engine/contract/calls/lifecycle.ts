// Calls about how long sessions go on and are kept, and about moving one to another configuration.
// Source: SPEC.md 7 (idle stop, retention, replace, live).
import { z } from 'zod';
import { environmentId, isoTime, portNumber, quitChoice, session, terminalId } from '../model.ts';
import { bySession, empty } from './input.ts';

const toEnvironment = bySession.extend({
  /** Left out: its own environment, as that is now. */
  environment_id: environmentId.optional(),
});

export const lifecycleCalls = {
  /** Takes a deletion back while that is possible; the session is stopped then. @throws not_found */
  'sessions.undelete': { input: bySession, output: session },
  /** Gives it another name. */
  'sessions.rename': { input: bySession.extend({ name: z.string().min(1).max(256) }), output: session },
  /** Keeps a stopped session until somebody deletes it, or as long as its environment says again. */
  'sessions.keep': { input: bySession.extend({ forever: z.boolean() }), output: session },
  /** Somebody is at work in it: it is not stopped for being idle now. */
  'sessions.keep_running': { input: bySession, output: session },
  /** Measures its workspace. */
  'sessions.measure': { input: bySession, output: session },
  /** In which parts its environment is another one now, and what it takes to bring them in. */
  'sessions.drift': {
    input: bySession,
    output: z.strictObject({
      session_revision: z.number().int(),
      /** null when the environment is deleted. */
      environment_revision: z.number().int().nullable(),
      live: z.boolean(),
      /** Parts that a running sandbox can be given: network, secrets, files. */
      to_apply: z.array(z.string()),
      /** Parts that need another sandbox: image, variables, resources, mounts, privileges, network. */
      to_replace: z.array(z.string()),
      /** Why a new sandbox could not be started now. */
      problem: z.string().nullable(),
    }),
  },
  /** Gives a running sandbox what it can be given of its environment as that is now. @throws session_not_running @throws replace_needed */
  'sessions.apply': { input: bySession, output: session },
  /** What replacing would keep and what would be lost; changes nothing. */
  'sessions.replacement': {
    input: toEnvironment,
    output: z.strictObject({
      from: z.string(),
      to: z.string(),
      /** Why it cannot be done now; null when it can. */
      problem: z.string().nullable(),
      problem_code: z.string().nullable(),
      next_action: z.string().nullable(),
      terminals: z.array(z.strictObject({ id: terminalId, title: z.string() })),
      /** Commands that run now. */
      commands: z.number().int(),
      /** What listens now; null where that is not known. */
      listening: z.array(z.strictObject({ port: portNumber, process: z.string().nullable() })).nullable(),
      /** Ports that are forwarded, and are again afterwards. */
      forwarded: z.array(portNumber),
      /** What the session has otherwise then, a sentence each: image, network, secrets. */
      changes: z.array(z.string()),
      /** Files outside of /workspace that are not as in the image; null when the runtime did not tell in time. */
      changed_files: z.number().int().nullable(),
      /** Some of them. */
      changed_examples: z.array(z.string()),
      workspace_bytes: z.number().nullable(),
      /** The workspace stays as it is, without what the setup of the new image put into /workspace, unless it is empty. */
      setup_left_out: z.boolean(),
    }),
  },
  /** Moves a session to another environment, or to its own as that is now: the workspace stays, all else in the sandbox is gone. The old
   * sandbox stays when the new one cannot start. @throws environment_not_verified @throws runtime_differs @throws session_not_running */
  'sessions.replace': { input: toEnvironment, output: session },

  'settings.get': { input: empty, output: z.strictObject({ on_quit: quitChoice }) },
  'settings.update': { input: z.strictObject({ on_quit: quitChoice }), output: z.strictObject({ on_quit: quitChoice }) },
} as const;

const bytes = z.number().nonnegative();

export const diskCalls = {
  /** What Sandlot has on disk: measured now with `refresh`, else as last measured; null before the first time. */
  'disk.usage': {
    input: z.strictObject({ refresh: z.boolean().optional() }),
    output: z.strictObject({
      measured_at: isoTime.nullable(),
      /** No image was made since, and nothing is gone. */
      is_current: z.boolean(),
      runtimes: z.array(
        z.strictObject({
          runtime: z.string(),
          /** Of the disk that the runtime is on; null where this machine cannot see it. */
          free_bytes: bytes.nullable(),
          /** Of Sandlot's images, each layer counted once. */
          images_bytes: bytes,
          workspaces_bytes: bytes,
          /** Written by sandboxes outside of their workspaces. */
          containers_bytes: bytes,
          /** Of everybody who builds with this runtime; null where it does not tell. */
          build_cache_bytes: bytes.nullable(),
        }),
      ),
      environments: z.array(
        z.strictObject({
          environment_id: environmentId,
          name: z.string(),
          /** Only sessions of it are left. */
          is_deleted: z.boolean(),
          /** In images that no other environment uses. */
          images_bytes: bytes,
          prepared_bytes: bytes,
          /** In layers that other environments use as well. */
          shared_bytes: bytes,
          workspaces_bytes: bytes,
          containers_bytes: bytes,
          /** Logs and terminals' output. */
          streams_bytes: bytes,
          disk_gib: z.number().nullable(),
          sessions: z.array(
            z.strictObject({ session_id: z.string(), name: z.string(), workspace_bytes: bytes.nullable(), is_over: z.boolean() }),
          ),
        }),
      ),
      host: z.strictObject({ registry_bytes: bytes, streams_bytes: bytes, cache_bytes: bytes, logs_bytes: bytes }),
    }),
  },
} as const;
