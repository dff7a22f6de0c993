// Maps of names to strings, with every key kept.
import { z } from 'zod';

const mapOf = <Value>(isValue: (value: unknown) => value is Value, wanted: string, jsonType: string | string[]) =>
  z
    .unknown()
    .superRefine((given, context) => {
      if (typeof given !== 'object' || given === null || Array.isArray(given)) {
        context.addIssue({ code: 'custom', message: 'must be a map of names to values' });
        return;
      }
      for (const [key, value] of Object.entries(given)) {
        if (!isValue(value)) context.addIssue({ code: 'custom', message: `must be ${wanted}`, path: [key] });
      }
    })
    .meta({ type: 'object', additionalProperties: { type: jsonType } }) as unknown as z.ZodType<
    Record<string, Value>,
    Record<string, Value>
  >;

const isString = (value: unknown): value is string => typeof value === 'string';
/** A map of strings that keeps every key; `z.record` would drop `__proto__` without a word. */
export const stringMap = mapOf(isString, 'a string', 'string');
/** The same for a patch, where `null` removes a key. */
export const stringMapPatch = mapOf((value): value is string | null => value === null || isString(value), 'a string or null', [
  'string',
  'null',
]);
