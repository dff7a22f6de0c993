// The log of a setup run: lines of four streams over one stream of bytes, with an index beside it (`ID.index`) and the texts of markers
// and of Sandlot's own words (`ID.notes`). Masks secrets before anything is stored. Reading is in line-page.ts.
import type { Clock } from '../base/clock.ts';
import { type LineRecord, recordBytes, writeRecord } from './line-index.ts';
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

const defaultLogBytes = 4_194_304;
/** Kept free of output, so that what Sandlot has to say after a flood still fits. */
const reservedForNotes = 16_384;
const longestNote = 4_096;
const mostLines = 2_000_000;
const partialForMs = 1_800;
const LF = 0x0a;

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
  // Masked before: what is stored here are whole lines and records.
  const options = { keep: 'head', maxBytes, plain: true } as const;
  const indexOptions = { ...options, maxBytes: (mostLines + 10_000) * recordBytes } as const;
  const [text, index, notes] = await Promise.all([
    store.create(id, options),
    store.create(`${id}.index`, indexOptions),
    store.create(`${id}.notes`, options),
  ]);
  return { text, index, notes };
};

/** Gathers the bytes of many lines in one buffer until they are written. */
const createTexts = (text: StreamWriter) => {
  let buffer = Buffer.allocUnsafe(131_072);
  let at = 0;
  return {
    add: (line: Buffer): void => {
      if (at + line.length + 1 > buffer.length) buffer = Buffer.concat([buffer.subarray(0, at)], (at + line.length + 1) * 2);
      buffer.set(line, at);
      buffer[at + line.length] = LF;
      at += line.length + 1;
    },
    write: (): Promise<void> => {
      if (at === 0) return Promise.resolve();
      const isSmall = at < 16_384;
      const taken = isSmall ? Buffer.from(buffer.subarray(0, at)) : buffer.subarray(0, at);
      if (!isSmall) buffer = Buffer.allocUnsafe(131_072);
      at = 0;
      return text.append(taken);
    },
  };
};

/** Gathers records until they are written; lines that come in one go share one time. */
const createRecords = (index: StreamWriter, clock: Clock) => {
  let count = 0;
  let buffer = Buffer.allocUnsafe(1024 * recordBytes);
  let at = 0;
  let now = 0;
  return {
    count: () => count,
    add: (record: Omit<LineRecord, 'at'>): void => {
      if (at + recordBytes > buffer.length) buffer = Buffer.concat([buffer, Buffer.allocUnsafe(buffer.length)]);
      if (at === 0) now = clock.now();
      writeRecord(buffer, at, record, now);
      at += recordBytes;
      count += 1;
    },
    write: (): Promise<void> => {
      // A copy: on a full disk the stream takes it in later than now.
      const taken = Buffer.from(buffer.subarray(0, at));
      at = 0;
      return taken.length === 0 ? Promise.resolve() : index.append(taken);
    },
  };
};

/** Stores the words of markers and notes; the same words are stored once, so that a loop of markers stays small. */
const createNotes = (notes: StreamWriter) => {
  const known = new Map<string, { offset: number; length: number }>();
  return (words: string, room: number): { offset: number; length: number } => {
    const cut = cutText(Buffer.from(words, 'utf8'), longestNote);
    const key = cut.toString('latin1');
    const before = known.get(key);
    if (before !== undefined) return before;
    const bytes = cutText(cut, room);
    const place = { offset: notes.size(), length: bytes.length };
    void notes.append(bytes);
    if (known.size < 10_000 && bytes.length > 0) known.set(key, place);
    return place;
  };
};

/** Collects lines and writes them with their records. */
const createLineWriter = ({ text, index, notes }: Files, clock: Clock, maxBytes: number) => {
  const records = createRecords(index, clock);
  const placeOf = createNotes(notes);
  let truncated = false;
  const texts = createTexts(text);
  let textAt = 0;

  const note = (stream: 'marker' | 'system', line: number | null, words: string): void => {
    if (records.count() >= mostLines + 9_999) return;
    records.add({ stream, line, ...placeOf(words, maxBytes - textAt - notes.size()), truncated });
  };
  const keep = (stream: 'stdout' | 'stderr', line: Buffer): void => {
    records.add({ stream, line: null, offset: textAt, length: line.length, truncated });
    texts.add(line);
    textAt += line.length + 1;
  };

  return {
    output: (stream: 'stdout' | 'stderr', line: Buffer): void => {
      if (truncated) return;
      const room = records.count() >= mostLines ? 0 : maxBytes - reservedForNotes - notes.size() - textAt - 1;
      if (line.length <= room) {
        keep(stream, line);
        return;
      }
      const head = cutText(line, room);
      if (head.length > 0) keep(stream, head);
      truncated = true;
      note('system', null, `Output after this is not kept: a log holds ${maxBytes} bytes, and the beginning stays.`);
    },
    note,
    /** Hands all that was collected to the files. */
    write: async (): Promise<void> => {
      await Promise.all([texts.write(), records.write()]);
    },
    count: records.count,
    truncated: () => truncated,
  };
};

interface Channel {
  redactor: StreamRedactor;
  splitter: LineSplitter;
}

/** Shows what is held back when it has waited long enough: the rest of a line, and what may be the beginning of a secret. */
const createPartials = (channels: Channel[], write: () => Promise<void>) => {
  let timer: NodeJS.Timeout | null = null;
  const isHolding = ({ redactor, splitter }: Channel): boolean => redactor.held() > 0 || (splitter.hasPartial() && !splitter.isRedrawn());
  const forget = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  };
  const show = (isLast: boolean): void => {
    forget();
    for (const { redactor, splitter } of channels) {
      splitter.push(isLast ? redactor.flush() : redactor.release());
      if (isLast || !splitter.isRedrawn()) splitter.flush(isLast);
    }
  };
  const showLate = (): void => {
    show(false);
    // A full disk is reported to the next append.
    write().catch(() => undefined);
  };
  return {
    show,
    watch: (): void => {
      if (!channels.some(isHolding)) forget();
      else timer ??= setTimeout(showLate, partialForMs);
    },
  };
};

/** Starts a log; its three streams must not be there yet. @throws already_exists */
export const createLineLog = async ({ store, id, redactor, clock, maxBytes = defaultLogBytes }: LineLogOptions): Promise<LineLog> => {
  const files = await openFiles(store, id, maxBytes);
  const lines = createLineWriter(files, clock, maxBytes);
  const channel = (stream: 'stdout' | 'stderr'): Channel => ({
    redactor: redactor.openStream(),
    splitter: createLineSplitter((line) => lines.output(stream, line)),
  });
  const channels = { stdout: channel('stdout'), stderr: channel('stderr') };
  const partials = createPartials([channels.stdout, channels.stderr], lines.write);
  const note = (stream: 'marker' | 'system', line: number | null, text: string): Promise<void> => {
    lines.note(stream, line, redactor.redactText(text));
    return lines.write();
  };

  return {
    append: (stream, bytes) => {
      if (lines.truncated()) return Promise.resolve();
      const { redactor: mask, splitter } = channels[stream];
      splitter.push(mask.push(bytes));
      partials.watch();
      return lines.write();
    },
    mark: (line, text) => note('marker', line, text),
    system: (text) => note('system', null, text),
    end: async () => {
      partials.show(true);
      await lines.write();
      await Promise.all([files.notes.end(), files.index.end()]);
      await files.text.end();
    },
    truncated: lines.truncated,
    count: lines.count,
  };
};
