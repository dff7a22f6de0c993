// Reads a log's lines by number, while it is written and long after: the n-th record of the index says where line n stands.
// A page holds at most about a MiB of text, so that a log of long lines is paged as safely as one of short ones.
import type { LogLine } from '../contract/model.ts';
import { type LineRecord, readRecord, recordBytes } from './line-index.ts';
import type { StreamStore } from './stream.ts';

export interface LogPage {
  lines: LogLine[];
  nextAfter: number;
  truncated: boolean;
}

const mostText = 1_048_576;

const readAll = async (store: StreamStore, id: string, from: number, to: number): Promise<Buffer> => {
  const parts: Buffer[] = [];
  for (let at = from; at < to; ) {
    const { bytes } = await store.read(id, at, to - at);
    if (bytes.length === 0) break;
    parts.push(bytes);
    at += bytes.length;
  }
  return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
};

const readRecords = async (store: StreamStore, id: string, after: number, limit: number): Promise<LineRecord[]> => {
  const bytes = await readAll(store, `${id}.index`, after * recordBytes, (after + limit) * recordBytes);
  const records: LineRecord[] = [];
  let text = 0;
  for (let at = 0; at + recordBytes <= bytes.length; at += recordBytes) {
    const record = readRecord(bytes, at);
    text += record.length;
    if (records.length > 0 && text > mostText) break;
    records.push(record);
  }
  return records;
};

const isNote = ({ stream }: LineRecord): boolean => stream === 'marker' || stream === 'system';

/** The part of a text stream that some records point into. */
const readTexts = async (store: StreamStore, id: string, records: LineRecord[]): Promise<(record: LineRecord) => string> => {
  if (records.length === 0) return () => '';
  let [from, to] = [Number.POSITIVE_INFINITY, 0];
  for (const { offset, length } of records) {
    from = Math.min(from, offset);
    to = Math.max(to, offset + length);
  }
  const bytes = await readAll(store, id, from, to);
  return ({ offset, length }) => bytes.toString('utf8', offset - from, offset - from + length);
};

const isTruncated = async (store: StreamStore, id: string): Promise<boolean> => {
  const { size } = await store.read(`${id}.index`, 0, 1);
  const last = Math.floor(size / recordBytes) - 1;
  if (last < 0) return false;
  const bytes = await readAll(store, `${id}.index`, last * recordBytes, (last + 1) * recordBytes);
  return bytes.length === recordBytes && readRecord(bytes, 0).truncated;
};

/** The lines after line number `after`, at most `limit`; the same page is the same whenever it is asked for. @throws not_found */
export const readLinePage = async (
  store: StreamStore,
  id: string,
  { after, limit }: { after: number; limit: number },
): Promise<LogPage> => {
  const records = await readRecords(store, id, after, limit);
  const [output, notes, truncated] = await Promise.all([
    readTexts(
      store,
      id,
      records.filter((record) => !isNote(record)),
    ),
    readTexts(store, `${id}.notes`, records.filter(isNote)),
    isTruncated(store, id),
  ]);
  const lines = records.map(
    (record, index): LogLine => ({
      seq: after + index + 1,
      at: new Date(record.at).toISOString(),
      stream: record.stream,
      text: isNote(record) ? notes(record) : output(record),
      line: record.line,
    }),
  );
  return { lines, nextAfter: after + lines.length, truncated };
};

/** Waits until there is a line after line number `after`, the log has ended, or the time is over. @throws not_found */
export const waitForLines = (store: StreamStore, id: string, after: number, timeoutMs: number): Promise<void> =>
  store.waitForGrowth(`${id}.index`, after * recordBytes + recordBytes - 1, timeoutMs);
