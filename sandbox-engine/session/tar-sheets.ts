// Lays the entries of a tar stream into sheets of a size that travels well. A file is read straight into its place, while the caller waits:
// this is work for a thread of its own.
import { readSync } from 'node:fs';
import { blockBytes, createTarHeader, inBlocks, type Owner, type TarEntry } from './tar-header.ts';

export interface TarSheets {
  /** A link or a folder. */
  add: (entry: TarEntry) => void;
  /** An open file, of the size that was measured. Answers how many bytes went along; null when it cannot be read and is not there.
   *  @throws when a large one cannot be read to its end: what was laid before is worth nothing then */
  addFile: (file: number, entry: TarEntry) => number | null;
  /** Nothing comes any more. */
  end: () => void;
}

const sheetBytes = 524_288;
/** A file up to this size is on one sheet, with the size that it has when it is read. */
const smallBytes = 262_144;

/** Reads until the place is full or the file is over. */
const readInto = (file: number, place: Buffer, from: number): number => {
  let found = 0;
  while (found < place.length) {
    const count = readSync(file, place, found, place.length - found, from + found);
    if (count === 0) break;
    found += count;
  }
  return found;
};

const readOrNull = (file: number, place: Buffer): number | null => {
  try {
    return readInto(file, place, 0);
  } catch {
    return null;
  }
};

/** `send` owns each sheet that it is given, and may take its time. */
export const createTarSheets = (owner: Owner, send: (sheet: Buffer) => void): TarSheets => {
  const tarHeader = createTarHeader(owner);
  let sheet = Buffer.allocUnsafeSlow(sheetBytes);
  let length = 0;
  const flush = (): void => {
    if (length === 0) return;
    send(sheet.subarray(0, length));
    sheet = Buffer.allocUnsafeSlow(sheetBytes);
    length = 0;
  };
  const makeRoom = (bytes: number): void => {
    if (length + bytes > sheetBytes) flush();
  };
  const put = (bytes: Buffer): void => {
    makeRoom(bytes.length);
    length += bytes.copy(sheet, length);
  };

  const addSmall = (file: number, entry: TarEntry): number | null => {
    const header = tarHeader(entry);
    makeRoom(header.length + inBlocks(entry.size));
    const at = length + header.length;
    const found = readOrNull(file, sheet.subarray(at, at + entry.size));
    if (found === null) return null;
    (found === entry.size ? header : tarHeader({ ...entry, size: found })).copy(sheet, length);
    length = at + inBlocks(found);
    sheet.fill(0, at + found, length);
    return found;
  };

  /** What grows meanwhile is cut at its size, what shrinks is filled with zeros. */
  const addLarge = (file: number, entry: TarEntry): number => {
    put(tarHeader(entry));
    for (let from = 0; from < entry.size; ) {
      makeRoom(blockBytes);
      const wanted = Math.min(entry.size - from, sheetBytes - length);
      const found = readInto(file, sheet.subarray(length, length + wanted), from);
      sheet.fill(0, length + found, length + inBlocks(wanted));
      length += inBlocks(wanted);
      from += wanted;
    }
    return entry.size;
  };

  return {
    add: (entry) => put(tarHeader(entry)),
    addFile: (file, entry) => (entry.size > smallBytes ? addLarge(file, entry) : addSmall(file, entry)),
    end: () => {
      put(Buffer.alloc(2 * blockBytes));
      flush();
    },
  };
};
