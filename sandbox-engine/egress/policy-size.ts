// Measures a value as the JSON it would be, without recursion: what is measured was not checked yet and may be nested 10,000 deep.

const textBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? 'null');

/** The brackets and the commas, and for objects the quoted keys with their colons. */
const frameBytes = (held: object): number => {
  const keys = Object.keys(held);
  const own = 2 + Math.max(0, keys.length - 1);
  return Array.isArray(held) ? own : keys.reduce((sum, key) => sum + textBytes(key) + 1, own);
};

/** The size of a value as JSON in UTF-8 bytes; stops counting beyond `limit` and then answers more than it. */
export const jsonBytes = (value: unknown, limit: number): number => {
  let bytes = 0;
  const waiting: unknown[] = [value];
  while (waiting.length > 0 && bytes <= limit) {
    const held = waiting.pop();
    if (held === null || typeof held !== 'object') bytes += textBytes(held);
    else {
      bytes += frameBytes(held);
      for (const item of Object.values(held)) waiting.push(item);
    }
  }
  return bytes;
};
