// What a terminal is told between what its shell prints: that it was opened before its session was whole, and how that went on.
import { setTimeout as delay } from 'node:timers/promises';
import type { Session } from '../contract/model.ts';
import { earlyNote, hasFailedEarly, lateNote } from './early-note.ts';
import { noteLine, type OpenTerminal } from './terminal-connection.ts';
import { resizeFrame } from './terminal-frames.ts';

// Programs that paint the whole screen do so anew when its size has changed, and many only then.
const repaintMs = 150;

/** Makes the screen a row smaller for a moment; the size that it has by then is the one that stays. */
export const repaint = async (open: OpenTerminal): Promise<void> => {
  // Told sooner, both sizes would reach the shell at once, and nothing would be painted.
  await open.joined;
  const { cols, rows } = open.terminal;
  await open.handle.type(resizeFrame(cols, Math.max(1, rows - 1)));
  await delay(repaintMs);
  await open.handle.type(resizeFrame(open.terminal.cols, open.terminal.rows));
};

/** Milliseconds until a terminal is told that its repository is still on its way. */
export const earlyMs = 1_500;

/** Says a sentence between what a shell prints, unless a program covers it; its prompt comes again below. */
const interject = async (open: OpenTerminal, words: string): Promise<void> => {
  if (open.isCovered) return;
  await open.writer.append(noteLine(words));
  await repaint(open);
};

/** Tells a terminal that it was opened too early, where that is still so. */
export const tellEarly = async (open: OpenTerminal, session: Session): Promise<void> => {
  const note = earlyNote(session);
  if (!open.isUntold || note === null) return;
  open.isUntold = false;
  await interject(open, note);
};

/** Tells a terminal that was opened too early that the session is whole now, once. Who was told of nothing hears only what failed. */
export const tellWhole = async (open: OpenTerminal, session: Session): Promise<void> => {
  if (!open.isEarly || earlyNote(session) !== null) return;
  open.isEarly = false;
  if (open.isUntold && !hasFailedEarly(session)) return;
  await interject(open, lateNote(session));
};
