// What the host says to a terminal's holder: a kind, a length of 16 bits, and that many bytes. Knows no connection.

const kinds = { type: 0, resize: 1 } as const;
const mostInOne = 65_535;

const frame = (kind: keyof typeof kinds, bytes: Uint8Array): Buffer => {
  const whole = Buffer.allocUnsafe(3 + bytes.length);
  whole[0] = kinds[kind];
  whole.writeUInt16BE(bytes.length, 1);
  whole.set(bytes, 3);
  return whole;
};

/** What is typed, however much, as it goes to the holder. */
export const typeFrames = (bytes: Uint8Array): Buffer => {
  if (bytes.length <= mostInOne) return frame('type', bytes);
  const frames: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += mostInOne) frames.push(frame('type', bytes.subarray(at, at + mostInOne)));
  return Buffer.concat(frames);
};

/** The size of the screen, in characters. */
export const resizeFrame = (cols: number, rows: number): Buffer => {
  const size = Buffer.allocUnsafe(4);
  size.writeUInt16BE(cols, 0);
  size.writeUInt16BE(rows, 2);
  return frame('resize', size);
};
