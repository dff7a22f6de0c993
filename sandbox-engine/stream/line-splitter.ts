// Cuts the bytes of one output stream into lines. Bytes are kept as they are, so that a character cut in two by a frame is whole again
// in its line; a line that was redrawn by carriage returns is kept in its last state; what has no end is cut into pieces.

export interface LineSplitter {
  /** Hands over each line that ended, without its line end. */
  push: (bytes: Buffer) => void;
  /** Hands over the line that has no end yet, if there is one; half a character waits for its other half unless `isLast`. */
  flush: (isLast: boolean) => void;
  hasPartial: () => boolean;
  /** The partial line was redrawn: it is worth showing only in its last state. */
  isRedrawn: () => boolean;
}

/** A line that reaches this length is cut into pieces. */
export const longestPiece = 65_536;

const LF = 0x0a;
const CR = 0x0d;

/** Length of the character that begins with this byte; 1 for what begins none. Source: RFC 3629. */
const characterLength = (first: number): number => {
  if (first >= 0xf0) return 4;
  if (first >= 0xe0) return 3;
  return first >= 0xc0 ? 2 : 1;
};

/** How many bytes at the end belong to a character that has not come whole. */
export const cutCharacter = (bytes: Buffer): number => {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] as number;
    if ((byte & 0xc0) === 0x80) continue;
    return characterLength(byte) > back ? back : 0;
  }
  return 0;
};

/** The last state of a redrawn line: what stands after its last carriage return, those at the very end aside. */
const lastState = (line: Buffer): Buffer => {
  let end = line.length;
  while (end > 0 && line[end - 1] === CR) end -= 1;
  const from = end === 0 ? -1 : line.lastIndexOf(CR, end - 1);
  return line.subarray(from + 1, end);
};

/** Drops the states that were drawn over but keeps the carriage returns at the end: the next byte decides what they mean. */
const withoutOldStates = (partial: Buffer): Buffer => {
  let end = partial.length;
  while (end > 0 && partial[end - 1] === CR) end -= 1;
  const from = end === 0 ? -1 : partial.lastIndexOf(CR, end - 1);
  return from < 0 ? partial : partial.subarray(from + 1);
};

/** Hands over what is too long for one piece and answers what is left. */
const cutPieces = (long: Buffer, onLine: (line: Buffer) => void): Buffer => {
  let rest = long;
  while (rest.length >= longestPiece) {
    const end = longestPiece - cutCharacter(rest.subarray(0, longestPiece));
    onLine(lastState(rest.subarray(0, end)));
    rest = rest.subarray(end);
  }
  return Buffer.from(rest);
};

/** The bytes of a line that has no end yet. */
const createPartial = (onLine: (line: Buffer) => void) => {
  let parts: Buffer[] = [];
  let length = 0;
  let redrawn = false;

  const take = (): Buffer => {
    const whole = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
    parts = [];
    length = 0;
    redrawn = false;
    return whole;
  };
  const put = (bytes: Buffer): void => {
    parts = bytes.length === 0 ? [] : [bytes];
    length = bytes.length;
  };

  return {
    length: () => length,
    isRedrawn: () => redrawn,
    take,
    keep: (bytes: Buffer): void => {
      if (bytes.length === 0) return;
      parts.push(Buffer.from(bytes));
      length += bytes.length;
      if (bytes.includes(CR)) {
        put(withoutOldStates(take()));
        redrawn = true;
      }
      if (length >= longestPiece) put(cutPieces(take(), onLine));
    },
  };
};

export interface SplitterOptions {
  /** Must use the bytes before it returns. */
  onLine: (line: Buffer) => void;
  /** Offered many whole lines with their line ends in one piece, none of them redrawn; false: hand them over one by one. */
  onBlock?: (block: Buffer) => boolean;
}

/** Makes the splitter of one stream. */
export const createLineSplitter = ({ onLine, onBlock }: SplitterOptions): LineSplitter => {
  const partial = createPartial(onLine);
  const endLine = (bytes: Buffer, at: number, end: number): void => {
    if (partial.length() === 0 && end - at < longestPiece) onLine(lastState(bytes.subarray(at, end)));
    else {
      partial.keep(bytes.subarray(at, end));
      onLine(lastState(partial.take()));
    }
  };
  const takeBlock = (bytes: Buffer): boolean => onBlock !== undefined && !bytes.includes(CR) && onBlock(bytes);
  return {
    push: (bytes) => {
      let at = 0;
      const first = partial.length() === 0 ? -1 : bytes.indexOf(LF);
      if (first >= 0) {
        endLine(bytes, 0, first);
        at = first + 1;
      }
      const last = bytes.lastIndexOf(LF);
      if (last >= at && takeBlock(bytes.subarray(at, last + 1))) at = last + 1;
      for (let end = bytes.indexOf(LF, at); end >= 0; end = bytes.indexOf(LF, at)) {
        endLine(bytes, at, end);
        at = end + 1;
      }
      partial.keep(bytes.subarray(at));
    },
    flush: (isLast) => {
      if (partial.length() === 0) return;
      const whole = partial.take();
      const cut = isLast ? 0 : cutCharacter(whole);
      if (cut < whole.length) onLine(lastState(whole.subarray(0, whole.length - cut)));
      if (cut > 0) partial.keep(whole.subarray(whole.length - cut));
    },
    hasPartial: () => partial.length() > 0,
    isRedrawn: partial.isRedrawn,
  };
};
