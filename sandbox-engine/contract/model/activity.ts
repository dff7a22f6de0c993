// What goes on in a session: ports that are listened at and their forwards, what it uses of the machine, its tape, what was typed.
import { z } from 'zod';
import { sessionId, terminalId } from './id.ts';
import { isoTime, milliseconds } from './time.ts';

export const portNumber = z.number().int().min(1).max(65_535);
const count = z.number().int().nonnegative();

/** A TCP port that something in a sandbox listens at. What it says of itself is the sandbox's word. */
export const listeningPort = z.strictObject({
  port: portNumber,
  /** `0.0.0.0`, `127.0.0.1`, `::`, ... */
  addresses: z.array(z.string()),
  /** Name of the program; null where it is not known. */
  process: z.string().nullable(),
  command: z.string().nullable(),
});
export type ListeningPort = z.infer<typeof listeningPort>;

/** A port of a session that was asked for on this machine; kept with the session. */
export const forwardWish = z.strictObject({ port: portNumber, local_port: portNumber });
export type ForwardWish = z.infer<typeof forwardWish>;

/** A port of this machine, on 127.0.0.1 alone, that leads to a port of a sandbox. */
export const forward = z.strictObject({
  port: portNumber,
  local_port: portNumber,
  /** `waiting`: it is open again when the session runs. */
  status: z.enum(['open', 'waiting', 'failed']),
  message: z.string().nullable(),
  connections: count,
});
export type Forward = z.infer<typeof forward>;

export const sessionPorts = z.strictObject({
  session_id: sessionId,
  /** By number; null while nobody has looked. */
  listening: z.array(listeningPort).nullable(),
  forwards: z.array(forward),
  /** Why it cannot be said what is listened at. */
  trouble: z.string().nullable(),
});
export type SessionPorts = z.infer<typeof sessionPorts>;

/** What a sandbox used at one moment. null: not known, or not measured then. */
export const usageSample = z.strictObject({
  at: isoTime,
  /** Processors, since the sample before. */
  cpus: z.number().nonnegative().nullable(),
  /** Without what the kernel would give back at once. */
  memory_bytes: count.nullable(),
  processes: count.nullable(),
  /** Bytes a second, since the sample before; from the sandbox's side. */
  received_per_second: z.number().nonnegative().nullable(),
  sent_per_second: z.number().nonnegative().nullable(),
  /** What is in the workspace; measured seldom. */
  workspace_bytes: count.nullable(),
});
export type UsageSample = z.infer<typeof usageSample>;

export const sessionUsage = z.strictObject({
  session_id: sessionId,
  /** Oldest first, at most the last ten minutes, as far as somebody looked. */
  samples: z.array(usageSample),
  /** null: none that is known. */
  cpu_limit: z.number().positive().nullable(),
  memory_limit_bytes: count.nullable(),
  process_limit: count.nullable(),
  /** Why it cannot be measured. */
  trouble: z.string().nullable(),
});
export type SessionUsage = z.infer<typeof sessionUsage>;

/** Something that happened in a session, at its place on the tape. */
export const tapeEvent = z.strictObject({
  at: isoTime,
  kind: z.enum(['session', 'step', 'start_script', 'terminal', 'egress', 'grant']),
  tone: z.enum(['plain', 'ok', 'bad']),
  label: z.string(),
  terminal_id: terminalId.optional(),
});
export type TapeEvent = z.infer<typeof tapeEvent>;

/** What a terminal's stream holds from this offset on was printed for a screen of this size. */
export const screenSize = z.strictObject({ from: count, cols: count, rows: count });
export type ScreenSize = z.infer<typeof screenSize>;

export const tapeTerminal = z.strictObject({
  terminal_id: terminalId,
  title: z.string(),
  /** Its first and last recorded moment. */
  from: isoTime,
  to: isoTime,
  cols: count,
  rows: count,
  /** Recorded output in bytes. */
  size: count,
  /** Older output is no longer kept. */
  is_cut: z.boolean(),
});
export type TapeTerminal = z.infer<typeof tapeTerminal>;

export const tape = z.strictObject({
  session_id: sessionId,
  session_name: z.string(),
  from: isoTime,
  to: isoTime,
  terminals: z.array(tapeTerminal),
  /** Oldest first. */
  events: z.array(tapeEvent),
});
export type Tape = z.infer<typeof tape>;

/** A moment of a terminal: what it printed then, or its new size. */
export const tapeFrame = z.union([
  z.strictObject({ at_ms: milliseconds, kind: z.literal('output'), text: z.string() }),
  z.strictObject({ at_ms: milliseconds, kind: z.literal('size'), cols: count, rows: count }),
]);
export type TapeFrame = z.infer<typeof tapeFrame>;

/** A command that was typed in a session, as its shell wrote it down. */
export const typedCommand = z.strictObject({ at: isoTime.nullable(), command: z.string() });
export type TypedCommand = z.infer<typeof typedCommand>;
