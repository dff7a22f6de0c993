// When a terminal had printed how much, and in which size it was: records of one length, so that a beginning that is no longer kept can be
// cut off anywhere. Pure.

/** Until this moment that many bytes of the terminal's stream had come; its screen had this size. */
export interface TapeMark {
  /** Milliseconds since 1970. */
  atMs: number;
  size: number;
  cols: number;
  rows: number;
}

/** Bytes of one record: two numbers of 48 bits, two of 16. */
const markBytes = 16;

/** One record. */
export const writeMark = ({ atMs, size, cols, rows }: TapeMark): Buffer => {
  const bytes = Buffer.allocUnsafe(markBytes);
  bytes.writeUIntBE(atMs, 0, 6);
  bytes.writeUIntBE(size, 6, 6);
  bytes.writeUInt16BE(cols, 12);
  bytes.writeUInt16BE(rows, 14);
  return bytes;
};

/** All whole records; one that goes back in time or size, as a killed host could leave it, is left out. */
export const readMarks = (bytes: Buffer): TapeMark[] => {
  const marks: TapeMark[] = [];
  for (let at = 0; at + markBytes <= bytes.length; at += markBytes) {
    const mark = {
      atMs: bytes.readUIntBE(at, 6),
      size: bytes.readUIntBE(at + 6, 6),
      cols: bytes.readUInt16BE(at + 12),
      rows: bytes.readUInt16BE(at + 14),
    };
    const before = marks.at(-1);
    if (before === undefined || (mark.size >= before.size && mark.atMs >= before.atMs)) marks.push(mark);
  }
  return marks;
};
