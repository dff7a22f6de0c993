// What of the output of somebody else's program a reader is shown: its text, and its colours where they are wanted. All else that
// steers a terminal (titles, clipboard, cursor) is left out. Knows bytes, since a sequence and a character may come in two pieces.
// Source: ECMA-48 5.4 (control sequences), 5.6 (control strings), 8.3.117 (colours).

type State = 'text' | 'escape' | 'sequence' | 'string' | 'stringEscape' | 'c1';

export interface LogManner {
  colours: boolean;
  /** A terminal goes back to the beginning of a line; in a file that is a line of its own. */
  isTerminal: boolean;
}

const [tab, lineEnd, carriageReturn, bell, esc] = [0x09, 0x0a, 0x0d, 0x07, 0x1b];
const stringStarts = new Set([...'PX]^_'].map((letter) => letter.charCodeAt(0)));
/** Longer ones are none that colour. */
const maxSequence = 64;

const isText = (byte: number): boolean => byte === tab || byte === lineEnd || byte === carriageReturn || (byte >= 0x20 && byte !== 0x7f);

const isColour = (sequence: readonly number[]): boolean => /^[\d;:]*m$/.test(String.fromCharCode(...sequence));

/** Where bytes go that are shown; in a file each way to end a line becomes one. */
const createLines = (isTerminal: boolean) => {
  let bytes: number[] = [];
  let wasReturn = false;
  return {
    add: (byte: number): void => {
      const isSecondHalf = wasReturn && byte === lineEnd;
      wasReturn = !isTerminal && byte === carriageReturn;
      if (!isSecondHalf) bytes.push(wasReturn ? lineEnd : byte);
    },
    take: (): Buffer => {
      const taken = Buffer.from(bytes);
      bytes = [];
      return taken;
    },
  };
};

/** Makes the filter of one log; it remembers what its last piece broke off in. */
export const createLogFilter = ({ colours, isTerminal }: LogManner): ((bytes: Buffer) => Buffer) => {
  const lines = createLines(isTerminal);
  let state: State = 'text';
  let sequence: number[] = [];

  const text = (byte: number): State => {
    if (byte === esc) return 'escape';
    if (byte === 0xc2) return 'c1';
    if (isText(byte)) lines.add(byte);
    return 'text';
  };
  const begin = (byte: number): State => {
    sequence = [];
    if (byte === 0x5b) return 'sequence';
    if (stringStarts.has(byte)) return 'string';
    if (byte >= 0x20 && byte < 0x30) return 'escape';
    return byte >= 0x30 && byte < 0x7f ? 'text' : text(byte);
  };
  const collect = (byte: number): State => {
    if (byte < 0x20 || byte > 0x7e) return text(byte);
    if (sequence.length < maxSequence) sequence.push(byte);
    if (byte < 0x40) return 'sequence';
    if (colours && isColour(sequence)) [esc, 0x5b, ...sequence].forEach(lines.add);
    return 'text';
  };
  /** A line end ends it as well: a log is not swallowed for a string that nobody closed. */
  const skip = (byte: number): State => {
    if (byte === bell) return 'text';
    if (byte === esc) return 'stringEscape';
    return byte === lineEnd ? text(byte) : 'string';
  };
  /** The same controls as characters of their own, U+0080 to U+009F. */
  const wide = (byte: number): State => {
    if (byte >= 0x80 && byte < 0xa0) return begin(byte - 0x40);
    lines.add(0xc2);
    return text(byte);
  };
  const next = { text, escape: begin, sequence: collect, string: skip, stringEscape: begin, c1: wide };
  return (bytes) => {
    for (const byte of bytes) state = next[state](byte);
    return lines.take();
  };
};
