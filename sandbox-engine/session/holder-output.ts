// Takes out of a terminal's output what dtach adds of its own: it clears the screen when it attaches and says so when the shell has ended.
const greeting = Buffer.from('\x1b[H\x1b[J');
const farewell = Buffer.from('\x1b[999H\r\n[EOF - dtach terminating]\r\n\x1b[?25h');

/** How many bytes at the end of `bytes` could be the beginning of the farewell. */
const heldBack = (bytes: Buffer): number => {
  // An echoed key is one byte: no need to compare it with anything.
  if (bytes.length === 1 && bytes[0] !== farewell[0]) return 0;
  for (let length = Math.min(bytes.length, farewell.length); length > 0; length -= 1) {
    if (bytes.subarray(bytes.length - length).equals(farewell.subarray(0, length))) return length;
  }
  return 0;
};

/** The bytes without the greeting, or null while they are too few to tell. */
const withoutGreeting = (bytes: Buffer): Buffer | null => {
  if (bytes.length >= greeting.length) return bytes.subarray(0, greeting.length).equals(greeting) ? bytes.subarray(greeting.length) : bytes;
  return greeting.subarray(0, bytes.length).equals(bytes) ? null : bytes;
};

export interface ShellOutput {
  /** What of the bytes so far is surely the shell's own; may be empty. */
  push: (bytes: Buffer) => Buffer;
  /** What was held back and turns out to be the shell's own, when nothing more comes. */
  rest: () => Buffer;
}

const nothing = Buffer.alloc(0);

/** Passes on what the shell itself printed. `onBegun` is called at the first byte: the holder passes on what is typed from there on. */
export const createShellOutput = (onBegun: () => void): ShellOutput => {
  let isGreeted = false;
  let held: Buffer = nothing;
  const greet = (all: Buffer): Buffer => {
    onBegun();
    const rest = withoutGreeting(all);
    isGreeted = rest !== null;
    return rest ?? all;
  };
  return {
    push: (bytes) => {
      const joined = held.length === 0 ? bytes : Buffer.concat([held, bytes]);
      const all = isGreeted ? joined : greet(joined);
      const keep = isGreeted ? heldBack(all) : all.length;
      held = keep === 0 ? nothing : Buffer.from(all.subarray(all.length - keep));
      return keep === 0 ? all : all.subarray(0, all.length - keep);
    },
    rest: () => (held.length < farewell.length ? held : nothing),
  };
};
