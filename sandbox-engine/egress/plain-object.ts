// Tells a plain object of JSON from everything else.

/** Whether a value is what `{}` in JSON makes: no list, no instance of a class. */
export const isPlainObject = (value: unknown): value is Record<string, unknown> => {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};
