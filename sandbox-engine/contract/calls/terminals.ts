// Calls about what runs in a session: terminals, commands, and the bytes of any stream.
import { z } from 'zod';
import { exec, execId, sessionId, streamId, terminal, terminalId } from '../model.ts';
import { bySession, byTerminal, done } from './input.ts';

const size = z.strictObject({ cols: z.number().int().min(1).max(1000), rows: z.number().int().min(1).max(1000) });

export const terminalCalls = {
  'terminals.open': {
    input: z.strictObject({ session_id: sessionId, cols: size.shape.cols, rows: size.shape.rows, title: z.string().max(200).optional() }),
    output: terminal,
  },
  /** `data` is base64. */
  'terminals.write': { input: z.strictObject({ terminal_id: terminalId, data: z.string() }), output: done },
  'terminals.resize': { input: byTerminal.extend(size.shape), output: done },
  'terminals.close': { input: byTerminal, output: done },
  'terminals.list': { input: bySession, output: z.strictObject({ terminals: z.array(terminal) }) },
  /** Runs in the session's repository, or in /workspace where there is none, unless told where. */
  'execs.start': {
    input: z.strictObject({ session_id: sessionId, command: z.array(z.string()).min(1), workdir: z.string().optional() }),
    output: exec,
  },
  'execs.get': { input: z.strictObject({ exec_id: execId, wait_seconds: z.number().min(0).optional() }), output: exec },
  'execs.kill': { input: z.strictObject({ exec_id: execId }), output: done },

  /** `data` is base64 of the bytes from `from` on, at most `max_bytes`; `start` is the oldest offset still kept. */
  'stream.read': {
    input: z.strictObject({
      stream_id: streamId,
      from: z.number().int().nonnegative(),
      max_bytes: z.number().int().min(1).max(4_194_304).optional(),
    }),
    output: z.strictObject({
      data: z.string(),
      from: z.number().int(),
      next: z.number().int(),
      start: z.number().int(),
      size: z.number().int(),
      ended: z.boolean(),
    }),
  },
} as const;
