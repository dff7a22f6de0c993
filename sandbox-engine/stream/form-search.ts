// Finds any of many byte strings in bytes, fast: three bytes at a time tell how far ahead the next one could end.
// Source: Wu and Manber, "A fast algorithm for multi-pattern searching" (1994).

export interface FormSearch {
  /** Bytes of the longest form. */
  longest: number;
  /** The first form at or after `from`, the longest where several begin at one place; null when there is none. */
  next: (bytes: Buffer, from: number) => { at: number; length: number } | null;
  /** Where the end of the bytes may be the beginning of a form; their length when it is not. */
  beginsAt: (bytes: Buffer) => number;
}

type Buckets = Map<number, Buffer[]>;

const putIn = (buckets: Buckets, key: number, form: Buffer): void => {
  const there = buckets.get(key);
  if (there === undefined) buckets.set(key, [form]);
  else there.push(form);
};

const blockBytes = 3;
const blocks = 131_072;

/** A number for the three bytes that end at `at`; bytes of one number are compared in full before anything is said to be found. */
const blockAt = (bytes: Buffer, at: number): number =>
  ((bytes[at - 2] as number) << 9) ^ ((bytes[at - 1] as number) << 5) ^ (bytes[at] as number);

/** How far one may go on from a block without passing over a form; 0: one may end here. */
const shiftsOf = (forms: readonly Buffer[], shortest: number): Uint16Array => {
  const shifts = new Uint16Array(blocks).fill(shortest - blockBytes + 1);
  for (const form of forms) {
    for (let at = blockBytes - 1; at < shortest; at += 1) {
      const block = blockAt(form, at);
      shifts[block] = Math.min(shifts[block] as number, shortest - 1 - at);
    }
  }
  return shifts;
};

const isAt = (bytes: Buffer, at: number, form: Buffer): boolean =>
  at + form.length <= bytes.length && bytes.compare(form, 0, form.length, at, at + form.length) === 0;

/** Makes the search for these forms, of which there must be one, each of at least three bytes. */
export const createFormSearch = (given: readonly Buffer[]): FormSearch => {
  const forms = [...given].sort((a, b) => b.length - a.length);
  const longest = forms[0]?.length ?? 0;
  const shortest = Math.min(forms.at(-1)?.length ?? blockBytes, 65_536);
  const shifts = shiftsOf(forms, shortest);
  const byBlock: Buckets = new Map();
  const byFirst: Buckets = new Map();
  for (const form of forms) {
    putIn(byBlock, blockAt(form, shortest - 1), form);
    putIn(byFirst, form[0] as number, form);
  }

  return {
    longest,
    next: (bytes, from) => {
      for (let at = from + shortest - 1; at < bytes.length; ) {
        const block = blockAt(bytes, at);
        const shift = shifts[block] as number;
        at += shift;
        if (shift > 0) continue;
        const begin = at - shortest + 1;
        const found = byBlock.get(block)?.find((form) => isAt(bytes, begin, form));
        if (found !== undefined) return { at: begin, length: found.length };
        at += 1;
      }
      return null;
    },
    beginsAt: (bytes) => {
      for (let at = Math.max(0, bytes.length - longest + 1); at < bytes.length; at += 1) {
        const rest = bytes.length - at;
        const isBeginning = (form: Buffer) => form.length > rest && bytes.compare(form, 0, rest, at) === 0;
        if (byFirst.get(bytes[at] as number)?.some(isBeginning)) return at;
      }
      return bytes.length;
    },
  };
};
