// What a sandbox calls its files cannot look like something else.
import { expect, test } from 'vitest';
import { plainName } from '../../../renderer/src/ui/plain-name.ts';

test.each([
  ['photo\u202egnp.exe', 'photo\\u202egnp.exe'],
  ['a\nb\u200b', 'a\\u000ab\\u200b'],
  ['שלום עולם.txt', 'שלום עולם.txt'],
  ['a\u0301 日本 👍.md', 'a\u0301 日本 👍.md'],
])('%j is shown as %j', (name, shown) => expect(plainName(name)).toBe(shown));
