// One text for one meaning: JSON with sorted keys and no blanks. Order of lists counts, order of keys does not.
// Source: RFC 8785 in spirit; numbers and strings are written as JSON.stringify writes them.

/** Writes a JSON value so that two values of equal meaning give equal text; a key that holds `undefined` is as if it were not there. */
export const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).filter(([, held]) => held !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, held]) => `${JSON.stringify(key)}:${canonicalJson(held)}`).join(',')}}`;
};

/** True when both values mean the same JSON. */
export const isSameJson = (a: unknown, b: unknown): boolean => canonicalJson(a) === canonicalJson(b);
