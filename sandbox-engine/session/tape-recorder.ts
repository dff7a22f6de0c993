// Records when terminals print: hears that their streams grew, after everybody was told, and notes time and size. It keeps no bytes: those
// are in the terminal's own stream, masked, and what is typed is in none. Notes are written once a second, off the way of a key.
import type { Clock } from '../base/clock.ts';
import type { Terminal } from '../contract/model.ts';
import type { StreamStore, StreamWriter } from '../stream/stream.ts';
import { type TapeMark, writeMark } from './tape-index.ts';

export interface TapeRecorder {
  /** A terminal that runs already when the recorder begins, with what its stream holds. */
  begin: (terminal: Terminal, size: number) => void;
  /** A terminal as it is now: its size on the screen is noted when it is another one. */
  terminal: (terminal: Terminal) => void;
  grew: (streamId: string, size: number) => void;
  /** The session is gone, and what is not written yet with it. */
  forget: (sessionId: string) => void;
  /** Resolves when all that was heard is written. */
  settled: () => Promise<void>;
}

/** A quarter of a million moments; the newest are kept, as of the output itself. */
const indexOptions = { keep: 'tail', maxBytes: 4_194_304, plain: true } as const;
const writeEveryMs = 1_000;
/** What comes closer together than this is one moment. */
const momentMs = 25;

/** The stream beside a terminal's own that says when it printed what. */
export const indexOf = (streamId: string): string => `${streamId}.tape`;

interface Recorded {
  sessionId: string;
  streamId: string;
  cols: number;
  rows: number;
  size: number;
  waiting: TapeMark[];
  writer: Promise<StreamWriter> | null;
  isOver: boolean;
  isForgotten: boolean;
}

const openIndex = async (streams: StreamStore, streamId: string): Promise<StreamWriter> => {
  const id = indexOf(streamId);
  return await streams.create(id, indexOptions).catch(() => streams.reopen(id, indexOptions));
};

/** Adds a mark; one that comes right after the last is the same moment. */
const addMark = ({ waiting, size, cols, rows }: Recorded, atMs: number): void => {
  const last = waiting.at(-1);
  if (last?.cols === cols && last.rows === rows && atMs - last.atMs < momentMs) last.size = size;
  else waiting.push({ atMs, size, cols, rows });
};

const flush = async (streams: StreamStore, one: Recorded): Promise<void> => {
  const marks = one.waiting;
  one.waiting = [];
  if (one.isForgotten) return;
  if (marks.length > 0) {
    one.writer ??= openIndex(streams, one.streamId);
    await (await one.writer).append(Buffer.concat(marks.map(writeMark)));
  }
  if (one.isOver) await (await one.writer)?.end();
};

/** Makes the recorder of one host; what cannot be written is not recorded, and nothing else suffers. */
export const createTapeRecorder = (streams: StreamStore, clock: Clock): TapeRecorder => {
  const recorded = new Map<string, Recorded>();
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<unknown> = Promise.resolve();

  const writeAll = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    for (const [id, one] of recorded) {
      if (one.waiting.length === 0 && !one.isOver) continue;
      if (one.isOver) recorded.delete(id);
      writing = writing.then(() => flush(streams, one)).catch(() => undefined);
    }
  };
  const note = (one: Recorded): void => {
    addMark(one, clock.now());
    timer ??= setTimeout(writeAll, writeEveryMs).unref();
  };
  const begin = ({ session_id: sessionId, stream_id: streamId, cols, rows }: Terminal, size: number): void => {
    const one: Recorded = { sessionId, streamId, cols, rows, size, waiting: [], writer: null, isOver: false, isForgotten: false };
    recorded.set(streamId, one);
    note(one);
  };

  return {
    begin,
    terminal: (terminal) => {
      const one = recorded.get(terminal.stream_id);
      if (one === undefined) return void (terminal.status === 'running' && begin(terminal, 0));
      one.isOver = terminal.status !== 'running';
      if (one.isOver || one.cols !== terminal.cols || one.rows !== terminal.rows) {
        Object.assign(one, { cols: terminal.cols, rows: terminal.rows });
        note(one);
      }
    },
    grew: (streamId, size) => {
      const one = recorded.get(streamId);
      if (one === undefined || size <= one.size) return;
      one.size = size;
      note(one);
    },
    forget: (sessionId) => {
      for (const [id, one] of recorded) {
        if (one.sessionId !== sessionId) continue;
        one.isForgotten = true;
        recorded.delete(id);
      }
    },
    settled: async () => {
      writeAll();
      await writing;
    },
  };
};
