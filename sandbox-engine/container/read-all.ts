// Reads a small stream whole.

/** All bytes of a source that is known to be small. */
export const readAll = async (source: AsyncIterable<unknown>): Promise<Buffer> => {
  const pieces: Buffer[] = [];
  for await (const piece of source) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
};
