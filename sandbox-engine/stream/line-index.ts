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

/** Writes one record at `position` of a buffer that has room for it. Written out by hand: it runs once a line. */
export const writeRecord = (buffer: Buffer, position: number, record: Omit<LineRecord, 'at'>, at: number): void => {
  const kind = kinds.indexOf(record.stream) + 1;
  const line = record.line ?? 0;
  buffer[position] = record.truncated ? kind | truncatedBit : kind;
  buffer[position + 1] = line & 0xff;
  buffer[position + 2] = (line >>> 8) & 0xff;
  buffer[position + 3] = (line >>> 16) & 0xff;
  buffer.writeUInt32LE(record.length, position + 4);
  buffer.writeDoubleLE(at, position + 8);
  buffer.writeDoubleLE(record.offset, position + 16);
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
