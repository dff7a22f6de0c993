// Calls about what goes on in a session: ports, use of the machine, tape, commands that were typed, editors.
import { z } from 'zod';
import {
  environmentId,
  forward,
  portNumber,
  screenSize,
  sessionId,
  sessionPorts,
  sessionUsage,
  tape,
  tapeFrame,
  terminalId,
  typedCommand,
} from '../model.ts';
import { bySession, done } from './input.ts';

const byPort = z.strictObject({ session_id: sessionId, port: portNumber });

export const activityCalls = {
  /** Looks once. @throws session_not_running */
  'ports.list': { input: bySession, output: sessionPorts },
  /** Holds for 20 seconds: until then `ports.changed` tells what changes. Ask again in time to go on looking. */
  'ports.watch': { input: bySession, output: sessionPorts },
  /** Opens 127.0.0.1 at `local_port` (the same number, or a free one, unless given). It ends with the session and comes back with it. */
  'ports.forward': { input: byPort.extend({ local_port: portNumber.optional() }), output: forward },
  'ports.stop': { input: byPort, output: done },
  /** The address for a browser; whether it is http or https is found out by asking. */
  'ports.url': { input: byPort, output: z.strictObject({ url: z.string() }) },

  /** Holds for 20 seconds: until then `usage.measured` tells each new sample. Sessions that do not run have only what was measured before. */
  'usage.watch': {
    input: z.strictObject({
      session_ids: z.array(sessionId).min(1).max(50),
      /** For a list: a second sample after a second, then one every ten seconds, and the workspace is not measured. */
      calm: z.boolean().optional(),
    }),
    output: z.strictObject({ sessions: z.array(sessionUsage) }),
  },

  /** What there is to replay, and what happened on the same timeline. */
  'tape.get': { input: bySession, output: tape },
  /** A part of a terminal's tape, from `cursor` on; times count from the terminal's `from`. */
  'tape.frames': {
    input: z.strictObject({ session_id: sessionId, terminal_id: terminalId, cursor: z.string().max(40).optional() }),
    output: z.strictObject({ frames: z.array(tapeFrame), next_cursor: z.string().nullable() }),
  },
  /** The sizes that a terminal's screen has had up to now, where its stream has `size` bytes. */
  'tape.sizes': {
    input: bySession.extend({ terminal_id: terminalId }),
    output: z.strictObject({ sizes: z.array(screenSize), size: z.number().int().nonnegative() }),
  },

  /** The same as text of an asciicast (version 2), part by part; what happened besides is a marker in it. */
  'tape.cast': {
    input: z.strictObject({ session_id: sessionId, terminal_id: terminalId, cursor: z.string().max(40).optional() }),
    output: z.strictObject({ text: z.string(), next_cursor: z.string().nullable() }),
  },

  /** Commands that were typed into the terminals of a session, the newest last, as the shell inside wrote them down. */
  'promote.history': { input: bySession, output: z.strictObject({ commands: z.array(typedCommand), is_cut: z.boolean() }) },
  /** What the session's environment would become with these commands in it; nothing is changed. `patch` goes to `environments.update`. */
  'promote.preview': {
    input: z.strictObject({
      session_id: sessionId,
      commands: z.array(z.string().min(1).max(65_536)).min(1).max(200),
      into: z.enum(['initialize', 'setup', 'session_start']),
      name: z.string().min(1).max(200).optional(),
    }),
    output: z.strictObject({
      environment_id: environmentId,
      environment_name: z.string(),
      revision: z.number().int(),
      /** The text that changes: the recipe, or the setup script. */
      before: z.string(),
      after: z.string(),
      patch: z.strictObject({
        recipe_yaml: z.string().optional(),
        setup: z.strictObject({ script: z.string(), timeout_seconds: z.number().int() }).optional(),
      }),
      /** What saving it will do. */
      effect: z.string(),
    }),
  },

  /** Ways of an editor into a running session. @throws session_not_running */
  'editors.get': {
    input: bySession,
    output: z.strictObject({
      /** Opens it in VS Code, over the runtime. */
      vscode_url: z.string(),
      /** What VS Code has to be told first; null: nothing. */
      vscode_note: z.string().nullable(),
      ssh: z.strictObject({
        is_ready: z.boolean(),
        /** What to do when it is not ready. */
        message: z.string().nullable(),
        host: z.string(),
        /** Lines for `~/.ssh/config`. */
        config: z.string(),
        /** Where a client's bytes go; its own user alone can open it. */
        socket_path: z.string(),
      }),
    }),
  },
} as const;
