// Writes a tape as an asciicast: one JSON value a line, a header first. Output is `o`, a new size `r`, what else happened `m`; input is in none,
// since none is recorded. Pure.
// Source: asciicast file format, version 2.
import type { Tape, TapeEvent, TapeFrame, TapeTerminal } from '../contract/model.ts';

const seconds = (ms: number): number => Math.round(ms * 1_000) / 1_000_000;

/** The first line. */
export const castHeader = (tape: Tape, terminal: TapeTerminal): string =>
  JSON.stringify({
    version: 2,
    width: terminal.cols,
    height: terminal.rows,
    timestamp: Math.floor(Date.parse(terminal.from) / 1_000),
    title: `${tape.session_name} · ${terminal.title}`,
    env: { TERM: 'xterm-256color', SHELL: '/bin/bash' },
  });

const frameLine = (frame: TapeFrame): string =>
  frame.kind === 'output'
    ? JSON.stringify([seconds(frame.at_ms), 'o', frame.text])
    : JSON.stringify([seconds(frame.at_ms), 'r', `${frame.cols}x${frame.rows}`]);

/** What happened while this terminal was there, as milliseconds from its beginning and a label. */
export const marksFor = (events: readonly TapeEvent[], terminal: TapeTerminal): { at_ms: number; label: string }[] => {
  const [from, to] = [Date.parse(terminal.from), Date.parse(terminal.to)];
  return events
    .filter(
      ({ at, terminal_id: of }) => Date.parse(at) >= from && Date.parse(at) <= to && (of ?? terminal.terminal_id) === terminal.terminal_id,
    )
    .map(({ at, label }) => ({ at_ms: Date.parse(at) - from, label }));
};

/** Lines of these frames and marks, in the order of their times. */
export const castLines = (frames: readonly TapeFrame[], marks: readonly { at_ms: number; label: string }[]): string[] => {
  const lines: string[] = [];
  let next = 0;
  const mark = (untilMs: number): void => {
    for (let one = marks[next]; one !== undefined && one.at_ms <= untilMs; one = marks[next]) {
      lines.push(JSON.stringify([seconds(one.at_ms), 'm', one.label]));
      next += 1;
    }
  };
  for (const frame of frames) {
    mark(frame.at_ms);
    lines.push(frameLine(frame));
  }
  mark(Number.POSITIVE_INFINITY);
  return lines;
};
