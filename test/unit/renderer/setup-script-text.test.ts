// The script as text: size, sameness and one-key fixes.
import { expect, test } from 'vitest';
import { applyAllFixes, applyFix, isSameScript, scriptBytes } from '../../../renderer/src/environment/setup-script-text.ts';

const warning = (line: number, fix: string | null) => ({ code: 'c', line, text: '', reason: '', fix });

test.each([
  ['a\r\nb\n\n', 3],
  ['é', 2],
  ['  a', 3],
  [' \n ', 0],
])('%j counts as %d bytes, as it will be saved', (text, bytes) => {
  expect(scriptBytes(text)).toBe(bytes);
});

test.each([
  ['a\r\nb\n', 'a\nb', true],
  ['a\nb', 'a\n\nb', false],
  [' a', 'a', false],
])('%j and %j are the same script: %s', (one, other, same) => {
  expect(isSameScript(one, other)).toBe(same);
});

test('a fix rewrites its line and no other', () => {
  expect(applyFix('one\ntwo\nthree\n', warning(2, 'TWO'))).toBe('one\nTWO\nthree\n');
});

test.each([
  [2, null],
  [9, 'x'],
])('a warning at line %d with the fix %j changes nothing in a script of two lines', (line, fix) => {
  expect(applyFix('one\ntwo', warning(line, fix))).toBe('one\ntwo');
});

test('all fixes meet the lines they were made for, though one of them becomes two lines', () => {
  expect(applyAllFixes('one\ntwo\nthree', [warning(1, 'A\nB'), warning(3, 'C'), warning(3, 'not this')])).toBe('A\nB\ntwo\nC');
});
