// Where the lines of a log go: their text, a record each, and the words of markers and notes, within what a log may hold.
// What a line is, and what of it may be seen, is line-log.ts's business.
import type { Clock } from '../base/clock.ts';
import type { LogStream } from '../contract/model.ts';
import { type LineRecord, recordBytes, writeLineRecords, writeRecord } from './line-index.ts';
import { cutCharacter, longestPiece } from './line-splitter.ts';
import type { StreamStore, StreamWriter } from './stream.ts';

/** Kept free of output, so that what Sandlot has to say after a flood still fits. */
const reservedForNotes = 16_384;
const longestNote = 4_096;
const mostLines = 2_000_000;
const LF = 0x0a;

const cutText = (bytes: Buffer, room: number): Buffer => {
  if (bytes.length <= room) return bytes;
  const head = bytes.subarray(0, Math.max(0, room));
  return head.subarray(0, head.length - cutCharacter(head));
};

/** The three streams of one log. */
export interface LineFiles {
  text: StreamWriter;
  index: StreamWriter;
  notes: StreamWriter;
}

/** Makes the streams `ID`, `ID.index` and `ID.notes`. @throws already_exists */
export const openLineFiles = async (store: StreamStore, id: string, maxBytes: number): Promise<LineFiles> => {
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
    /** Lines that bring their line ends along. */
    addBlock: (block: Buffer): void => {
      if (at + block.length > buffer.length) buffer = Buffer.concat([buffer.subarray(0, at)], (at + block.length) * 2);
      buffer.set(block, at);
      at += block.length;
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
  let view = new DataView(buffer.buffer, buffer.byteOffset, buffer.length);
  let at = 0;
  let now = 0;
  const makeRoom = (records: number): void => {
    if (at === 0) now = clock.now();
    const wanted = at + records * recordBytes;
    if (wanted <= buffer.length) return;
    buffer = Buffer.concat([buffer.subarray(0, at)], wanted * 2);
    view = new DataView(buffer.buffer, buffer.byteOffset, buffer.length);
  };
  return {
    count: () => count,
    add: (record: Omit<LineRecord, 'at'>): void => {
      makeRoom(1);
      writeRecord(view, at, record, now);
      at += recordBytes;
      count += 1;
    },
    addLines: (stream: LogStream, offset: number, lengths: number[]): void => {
      makeRoom(lengths.length);
      writeLineRecords(view, at, { stream, offset, lengths }, now);
      at += lengths.length * recordBytes;
      count += lengths.length;
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

/** How long each line of a block is; null when one is longer than a piece may be. */
const lengthsOfLines = (block: Buffer): number[] | null => {
  const lengths: number[] = [];
  for (let at = 0; at < block.length; ) {
    const length = block.indexOf(LF, at) - at;
    if (length >= longestPiece) return null;
    lengths.push(length);
    at += length + 1;
  }
  return lengths;
};

/** Collects lines and writes them with their records. */
export const createLineWriter = ({ text, index, notes }: LineFiles, clock: Clock, maxBytes: number) => {
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

  const roomLeft = (): number => maxBytes - reservedForNotes - notes.size() - textAt;

  return {
    /** Whole lines at once; false when one of them would not fit as it is. */
    block: (stream: 'stdout' | 'stderr', block: Buffer): boolean => {
      if (truncated) return true;
      const lengths = lengthsOfLines(block);
      if (lengths === null || block.length > roomLeft() || records.count() + lengths.length > mostLines) return false;
      texts.addBlock(block);
      records.addLines(stream, textAt, lengths);
      textAt += block.length;
      return true;
    },
    output: (stream: 'stdout' | 'stderr', line: Buffer): void => {
      if (truncated) return;
      const room = records.count() >= mostLines ? 0 : roomLeft() - 1;
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
