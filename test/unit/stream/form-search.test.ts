import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createFormSearch } from '../../../sandbox-engine/stream/form-search.ts';
import { searchedForms } from '../../../sandbox-engine/stream/secret-forms.ts';

const all = (forms: Buffer[], bytes: Buffer): [number, number][] => {
  const search = createFormSearch(forms);
  const found: [number, number][] = [];
  for (let hit = search.next(bytes, 0); hit !== null; hit = search.next(bytes, hit.at + 1)) found.push([hit.at, hit.length]);
  return found;
};

/** The same by looking at every place for every form. */
const allSlowly = (forms: Buffer[], bytes: Buffer): [number, number][] =>
  Array.from(bytes.keys()).flatMap((at) => {
    const lengths = forms.filter((form) => bytes.subarray(at, at + form.length).equals(form)).map((form) => form.length);
    return lengths.length === 0 ? [] : [[at, Math.max(...lengths)] as [number, number]];
  });

// Few letters, so that forms overlap, hold each other and turn up at all.
const letters = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom('a', 'b', '\u00ff'), minLength, maxLength }).map((text) => Buffer.from(text, 'latin1'));

describe('finds what a look at every place finds', () => {
  test('whatever the forms and the bytes', () => {
    fc.assert(
      fc.property(fc.array(letters(3, 9), { minLength: 1, maxLength: 6 }), letters(0, 60), (forms, bytes) => {
        expect(all(forms, bytes)).toEqual(allSlowly(forms, bytes));
      }),
      { numRuns: 2_000 },
    );
  });
  test('and where the end may be a beginning', () => {
    fc.assert(
      fc.property(fc.array(letters(3, 9), { minLength: 1, maxLength: 6 }), letters(0, 30), (forms, bytes) => {
        const places = Array.from(bytes.keys()).filter((at) =>
          forms.some((form) => form.length > bytes.length - at && form.subarray(0, bytes.length - at).equals(bytes.subarray(at))),
        );
        expect(createFormSearch(forms).beginsAt(bytes)).toBe(places[0] ?? bytes.length);
      }),
      { numRuns: 2_000 },
    );
  });
});

test.each([
  ['tok_4f9', 0],
  ['tok_4f9a', 1],
  [`-----BEGIN KEY-----\n${'x'.repeat(40)}\n-----END KEY-----\n`, 1],
])('%j is sought in images in whole or not at all', (value, least) => {
  const forms = searchedForms(value);
  expect(forms.length >= least && (least > 0 || forms.length === 0)).toBe(true);
  expect(forms.includes('-----BEGIN KEY-----')).toBe(false);
});
