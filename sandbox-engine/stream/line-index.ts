// The index of a log's lines: one record of 24 bytes a line, so that line n is found without reading the n-1 before it.
// A pure codec; who writes the records where is line-log.ts.
import type { LogStream } from '../contract/model.ts';

export const recordBytes = 24;

export interface LineRecord {
  stream: LogStream;
  /** Milliseconds since the epoch. */
  at: number;
  /** A marker's line in the script; null for all others. */
  line: number | null;
  offset: number;
  length: number;
  /** Something had been left out of the log when this line was written. */
  truncated: boolean;
}

const kinds = ['stdout', 'stderr', 'marker', 'system'] as const satisfies LogStream[];
const truncatedBit = 0x80;

/** Writes one record at `position` of a view that has room for it. A DataView, because this runs once a line. */
export const writeRecord = (view: DataView, position: number, record: Omit<LineRecord, 'at'>, at: number): void => {
  const kind = kinds.indexOf(record.stream) + 1;
  view.setUint32(position, ((record.line ?? 0) << 8) | (record.truncated ? kind | truncatedBit : kind), true);
  view.setUint32(position + 4, record.length, true);
  view.setFloat64(position + 8, at, true);
  view.setFloat64(position + 16, record.offset, true);
};

/** The same for lines of output that follow each other from `offset` on, a line end after each. */
export const writeLineRecords = (
  view: DataView,
  position: number,
  lines: { stream: LogStream; offset: number; lengths: number[] },
  at: number,
): void => {
  const kind = kinds.indexOf(lines.stream) + 1;
  let place = position;
  let from = lines.offset;
  for (const length of lines.lengths) {
    view.setUint32(place, kind, true);
    view.setUint32(place + 4, length, true);
    view.setFloat64(place + 8, at, true);
    view.setFloat64(place + 16, from, true);
    place += recordBytes;
    from += length + 1;
  }
};

/** Reads the record at `position`; what a killed host left half written reads as an empty system line. */
export const readRecord = (buffer: Buffer, position: number): LineRecord => {
  const first = buffer.readUInt8(position);
  const stream = kinds[(first & ~truncatedBit) - 1];
  const at = buffer.readDoubleLE(position + 8);
  if (stream === undefined || !Number.isFinite(at)) return { stream: 'system', at: 0, line: null, offset: 0, length: 0, truncated: false };
  const line = buffer.readUIntLE(position + 1, 3);
  return {
    stream,
    at,
    line: line === 0 ? null : line,
    length: buffer.readUInt32LE(position + 4),
    offset: buffer.readDoubleLE(position + 16),
    truncated: (first & truncatedBit) !== 0,
  };
};
