// The log of a setup run: lines of four streams over one stream of bytes, with an index beside it (`ID.index`) and the texts of markers
// and of Sandlot's own words (`ID.notes`). Masks secrets before anything is stored. Reading is in line-page.ts.
import type { Clock } from '../base/clock.ts';
import type { LogStream } from '../contract/model.ts';
import { recordBytes, writeRecord } from './line-index.ts';
import { createLineSplitter, cutCharacter, type LineSplitter } from './line-splitter.ts';
import type { Redactor, StreamRedactor } from './redact.ts';
import type { StreamStore, StreamWriter } from './stream.ts';

export interface LineLog {
  /** Waits while the disk is slow. @throws disk_full */
  append: (stream: 'stdout' | 'stderr', bytes: Uint8Array) => Promise<void>;
  /** Says that the command on this line of the script begins. */
  mark: (line: number, text: string) => Promise<void>;
  /** A line in Sandlot's own words. */
  system: (text: string) => Promise<void>;
  /** Stores what was held back; no more will come. */
  end: () => Promise<void>;
  truncated: () => boolean;
  /** Lines so far: the `seq` of the newest. */
  count: () => number;
}

interface LineLogOptions {
  store: StreamStore;
  id: string;
  redactor: Redactor;
  clock: Clock;
  /** Of stored text, all four streams together; the beginning is kept. */
  maxBytes?: number;
}

export const defaultLogBytes = 4_194_304;
/** Kept free of output, so that what Sandlot has to say after a flood still fits. */
const reservedForNotes = 16_384;
const longestNote = 4_096;
const mostLines = 2_000_000;
const partialForMs = 1_800;
const LF = Buffer.from('\n');

const cutText = (bytes: Buffer, room: number): Buffer => {
  if (bytes.length <= room) return bytes;
  const head = bytes.subarray(0, Math.max(0, room));
  return head.subarray(0, head.length - cutCharacter(head));
};

interface Files {
  text: StreamWriter;
  index: StreamWriter;
  notes: StreamWriter;
}

const openFiles = async (store: StreamStore, id: string, maxBytes: number): Promise<Files> => {
  const options = { keep: 'head', maxBytes } as const;
  const indexOptions = { keep: 'head', maxBytes: (mostLines + 10_000) * recordBytes } as const;
  const [text, index, notes] = await Promise.all([
    store.create(id, options),
    store.create(`${id}.index`, indexOptions),
    store.create(`${id}.notes`, options),
  ]);
  return { text, index, notes };
};

/** Collects lines and writes them with their records; the text goes before the index, so that a record never points into nothing. */
const createLineWriter = ({ text, index, notes }: Files, clock: Clock, maxBytes: number) => {
  const known = new Map<string, { offset: number; length: number }>();
  let count = 0;
  let truncated = false;
  let texts: Buffer[] = [];
  let textAt = 0;
  let records = Buffer.allocUnsafe(1024 * recordBytes);
  let recordsAt = 0;

  const record = (stream: LogStream, line: number | null, offset: number, length: number): void => {
    if (recordsAt + recordBytes > records.length) records = Buffer.concat([records, Buffer.allocUnsafe(records.length)]);
    writeRecord(records, recordsAt, { stream, at: clock.now(), line, offset, length, truncated });
    recordsAt += recordBytes;
    count += 1;
  };

  const note = (stream: 'marker' | 'system', line: number | null, words: string): void => {
    if (count >= mostLines + 9_999) return;
    const cut = cutText(Buffer.from(words, 'utf8'), longestNote);
    const key = cut.toString('latin1');
    let place = known.get(key);
    if (place === undefined) {
      const bytes = cutText(cut, maxBytes - textAt - notes.size());
      place = { offset: notes.size(), length: bytes.length };
      void notes.append(bytes);
      if (known.size < 10_000 && bytes.length > 0) known.set(key, place);
    }
    record(stream, line, place.offset, place.length);
  };

  return {
    output: (stream: 'stdout' | 'stderr', line: Buffer): void => {
      if (truncated) return;
      const room = maxBytes - reservedForNotes - notes.size() - textAt - 1;
      const isFull = line.length > room || count >= mostLines;
      const kept = isFull ? cutText(line, count >= mostLines ? 0 : room) : line;
      if (kept.length > 0 || !isFull) {
        record(stream, null, textAt, kept.length);
        texts.push(Buffer.from(kept), LF);
        textAt += kept.length + 1;
      }
      if (!isFull) return;
      truncated = true;
      note('system', null, `Output after this is not kept: a log holds ${maxBytes} bytes, and the beginning stays.`);
    },
    note,
    /** Hands all that was collected to the files. */
    write: async (): Promise<void> => {
      if (recordsAt === 0) return;
      const written = text.append(Buffer.concat(texts));
      const indexed = index.append(records.subarray(0, recordsAt));
      texts = [];
      recordsAt = 0;
      await Promise.all([written, indexed]);
    },
    count: () => count,
    truncated: () => truncated,
  };
};

interface Channel {
  redactor: StreamRedactor;
  splitter: LineSplitter;
}

/** Starts a log; its three streams must not be there yet. @throws already_exists */
export const createLineLog = async ({ store, id, redactor, clock, maxBytes = defaultLogBytes }: LineLogOptions): Promise<LineLog> => {
  const files = await openFiles(store, id, maxBytes);
  const lines = createLineWriter(files, clock, maxBytes);
  const channel = (stream: 'stdout' | 'stderr'): Channel => ({
    redactor: redactor.openStream(),
    splitter: createLineSplitter((line) => lines.output(stream, line)),
  });
  const channels = { stdout: channel('stdout'), stderr: channel('stderr') };
  const both = Object.values(channels);
  let timer: NodeJS.Timeout | null = null;

  const showPartials = (isLast: boolean): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    for (const { redactor: mask, splitter } of both) {
      splitter.push(mask.flush());
      if (isLast || !splitter.isRedrawn()) splitter.flush(isLast);
    }
  };
  const isHolding = (): boolean =>
    both.some(({ redactor: mask, splitter }) => mask.isHolding() || (splitter.hasPartial() && !splitter.isRedrawn()));
  const watchPartials = (): void => {
    if (!isHolding()) {
      if (timer !== null) clearTimeout(timer);
      timer = null;
    } else
      timer ??= setTimeout(() => {
        showPartials(false);
        // A full disk is reported to the next append.
        lines.write().catch(() => undefined);
      }, partialForMs);
  };

  return {
    append: (stream, bytes) => {
      const { redactor: mask, splitter } = channels[stream];
      if (lines.truncated()) return Promise.resolve();
      splitter.push(mask.push(bytes));
      watchPartials();
      return lines.write();
    },
    mark: (line, text) => {
      lines.note('marker', line, redactor.redactText(text));
      return lines.write();
    },
    system: (text) => {
      lines.note('system', null, redactor.redactText(text));
      return lines.write();
    },
    end: async () => {
      showPartials(true);
      await lines.write();
      await Promise.all([files.notes.end(), files.index.end()]);
      await files.text.end();
    },
    truncated: lines.truncated,
    count: lines.count,
  };
};
