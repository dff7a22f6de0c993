// Plays a terminal's tape in this terminal: its output at the times at which it came, pauses cut, faster if wanted.
import { setTimeout as delay } from 'node:timers/promises';
import type { CallInput, CallOutput } from '../../sandbox-engine/contract/calls.ts';
import type { Tape, TapeFrame, TapeTerminal } from '../../sandbox-engine/contract/model.ts';
import type { CommandContext } from './command-context.ts';
import { writeAll } from './follow-stream.ts';

export interface PlayOptions {
  /** 2 is twice as fast. */
  speed: number;
  /** A pause on the tape is not longer than this. */
  idleMs: number;
}

/** How long to wait before a frame. Pure. */
export const pauseBefore = (frame: TapeFrame, beforeMs: number, { speed, idleMs }: PlayOptions): number =>
  Math.min(idleMs, Math.max(0, frame.at_ms - beforeMs)) / speed;

/** Puts back what a program that was cut off may have left: colours, the other screen, a hidden cursor. */
const leave = '\u001b[0m\u001b[?1049l\u001b[?25h\u001b[?1000l\u001b[?2004l\r\n';

/** All frames, page by page. */
async function* framesOf(context: CommandContext, { session_id }: Tape, { terminal_id }: TapeTerminal): AsyncGenerator<TapeFrame> {
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const asked: CallInput<'tape.frames'> = { session_id, terminal_id, ...(cursor === undefined ? {} : { cursor }) };
    const page: CallOutput<'tape.frames'> = await context.ask('tape.frames', asked);
    yield* page.frames;
    cursor = page.next_cursor;
  }
}

const noteSize = ({ print }: CommandContext, { cols, rows }: TapeTerminal): void => {
  const { isTTY, columns, rows: height } = process.stdout;
  if (isTTY && (columns < cols || height < rows))
    print.note(`It was recorded in ${cols} x ${rows}; this terminal has ${columns} x ${height}.`);
};

/** Plays it to its end. */
export const playTape = async (context: CommandContext, tape: Tape, terminal: TapeTerminal, options: PlayOptions): Promise<void> => {
  noteSize(context, terminal);
  const interrupt = (): void => {
    process.stdout.write(leave);
    process.exit(130);
  };
  process.once('SIGINT', interrupt);
  let atMs = 0;
  for await (const frame of framesOf(context, tape, terminal)) {
    const pause = pauseBefore(frame, atMs, options);
    if (pause > 0) await delay(pause);
    atMs = frame.at_ms;
    if (frame.kind === 'output') await writeAll(process.stdout, Buffer.from(frame.text));
  }
  process.off('SIGINT', interrupt);
  process.stdout.write(leave);
};
