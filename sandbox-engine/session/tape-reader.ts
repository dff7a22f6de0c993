// Reads a terminal's tape: its kept output, cut at the moments at which it came. Pieces end between characters, so that each is text.
import type { ScreenSize, TapeFrame, TapeTerminal, Terminal } from '../contract/model.ts';
import type { StreamStore } from '../stream/stream.ts';
import { readMarks, type TapeMark } from './tape-index.ts';
import { indexOf } from './tape-recorder.ts';

const pageBytes = 262_144;
const mostIndex = 8_388_608;

/** How long the character is that begins with this byte; 1 for what begins none. */
const characterBytes = (byte: number): number => {
  if (byte >= 0xf0) return 4;
  if (byte >= 0xe0) return 3;
  return byte >= 0xc0 ? 2 : 1;
};

/** Bytes at the end that are the beginning of a character. Pure. */
export const unfinishedBytes = (bytes: Buffer): number => {
  const tail = bytes.subarray(-3);
  const first = tail.findLastIndex((byte) => byte < 0x80 || byte >= 0xc0);
  const held = tail.length - first;
  return first >= 0 && characterBytes(tail[first] ?? 0) > held ? held : 0;
};

const readWhole = async (streams: StreamStore, id: string): Promise<Buffer> => {
  const parts: Buffer[] = [];
  for (let from = 0; from < mostIndex; ) {
    const { bytes, next, size } = await streams.read(id, from, 1_048_576);
    parts.push(bytes);
    from = next;
    if (next >= size) break;
  }
  return Buffer.concat(parts);
};

/** The moments of a terminal; one from before there were tapes has a single one. */
const marksOf = async (streams: StreamStore, terminal: Terminal): Promise<TapeMark[]> => {
  const bytes = await readWhole(streams, indexOf(terminal.stream_id)).catch(() => Buffer.alloc(0));
  const marks = readMarks(bytes);
  if (marks.length > 0) return marks;
  return [{ atMs: Date.parse(terminal.created_at), size: 0, cols: terminal.cols, rows: terminal.rows }];
};

/** What there is of a terminal; null when its output is gone. */
export const describeTape = async (streams: StreamStore, terminal: Terminal): Promise<TapeTerminal | null> => {
  const stream = await streams.read(terminal.stream_id, Number.MAX_SAFE_INTEGER, 1).catch(() => null);
  if (stream === null) return null;
  const marks = await marksOf(streams, terminal);
  const first = marks.find(({ size }) => size > stream.start) ?? marks[0];
  const last = marks.at(-1);
  if (first === undefined || last === undefined) return null;
  const isCut = stream.start > 0;
  const from = isCut ? first.atMs : (marks[0]?.atMs ?? first.atMs);
  return {
    terminal_id: terminal.id,
    title: terminal.title,
    from: new Date(from).toISOString(),
    to: new Date(Math.max(from, last.atMs)).toISOString(),
    cols: first.cols,
    rows: first.rows,
    size: stream.size - stream.start,
    is_cut: isCut,
  };
};

/** The sizes that a screen has had, as its moments tell: each until as much had come as its moment says. Pure. */
export const sizesOf = (marks: readonly TapeMark[]): ScreenSize[] => {
  const sizes: ScreenSize[] = [];
  let from = 0;
  for (const { size, cols, rows } of marks) {
    // Nothing was printed for the one before.
    if (sizes.at(-1)?.from === from) sizes.pop();
    const last = sizes.at(-1);
    if (last?.cols !== cols || last.rows !== rows) sizes.push({ from, cols, rows });
    from = size;
  }
  return sizes;
};

/** The sizes that a terminal's screen has had, up to what its stream holds now; a stream that is gone holds nothing. */
export const readSizes = async (streams: StreamStore, terminal: Terminal): Promise<{ sizes: ScreenSize[]; size: number }> => {
  const stream = await streams.read(terminal.stream_id, Number.MAX_SAFE_INTEGER, 1).catch(() => null);
  return { sizes: sizesOf(await marksOf(streams, terminal)), size: stream?.size ?? 0 };
};

interface Page {
  frames: TapeFrame[];
  nextCursor: string | null;
}

const sizeFrame = ({ cols, rows }: TapeMark, atMs: number): TapeFrame => ({ at_ms: atMs, kind: 'size', cols, rows });

/** Cuts bytes that begin at `from` into frames; answers how many bytes they hold. Pure. */
export const cutFrames = (bytes: Buffer, from: number, marks: readonly TapeMark[], beginMs: number) => {
  const frames: TapeFrame[] = [];
  const end = from + bytes.length;
  let at = from;
  const say = (mark: TapeMark, until: number): void => {
    const piece = bytes.subarray(at - from, Math.max(at, until) - from);
    const whole = piece.subarray(0, piece.length - unfinishedBytes(piece));
    if (whole.length === 0) return;
    frames.push({ at_ms: Math.max(0, mark.atMs - beginMs), kind: 'output', text: whole.toString('utf8') });
    at += whole.length;
  };
  // What stands at the very beginning of a later part was told at the end of the part before.
  const coming = marks.filter(({ size }) => size > from || (from === 0 && size === 0));
  let screen = marks.findLast(({ size }) => size <= from) ?? marks[0];
  for (const mark of coming) {
    if (screen?.cols !== mark.cols || screen.rows !== mark.rows) frames.push(sizeFrame(mark, Math.max(0, mark.atMs - beginMs)));
    screen = mark;
    say(mark, Math.min(mark.size, end));
    if (mark.size > end) break;
  }
  const last = marks.at(-1);
  // Printed since the newest moment was written down.
  if (last !== undefined && last.size < end) say(last, end);
  return { frames, used: at - from };
};

/** A part of a terminal's tape. @throws not_found */
export const readFrames = async (streams: StreamStore, terminal: Terminal, cursor: string | undefined): Promise<Page> => {
  const wanted = /^\d{1,15}$/.test(cursor ?? '') ? Number(cursor) : 0;
  const { bytes, from, next, size } = await streams.read(terminal.stream_id, wanted, pageBytes);
  const marks = await marksOf(streams, terminal);
  const tape = await describeTape(streams, terminal);
  const beginMs = tape === null ? 0 : Date.parse(tape.from);
  const { frames, used } = cutFrames(bytes, from, marks, beginMs);
  // A character that never ends must not hold the reader for ever.
  const reached = used === 0 && bytes.length > 0 ? next : from + used;
  return { frames, nextCursor: reached >= size || bytes.length === 0 ? null : String(reached) };
};
