// What a sandbox printed cannot do more to the terminal of the person who reads a log or an error than colour it.
import { expect, test } from 'vitest';
import { plainText } from '../../../main/cli/print.ts';
import { lineText } from '../../../main/cli/run-setup.ts';

const line = { seq: 1, at: '2026-11-30T00:00:00.000Z', line: 1 } as const;

test.each([
  ['the title of the window', '\u001b]0;title\u0007x', ' ]0;title x'],
  ['the clipboard', '\u001b]52;c;QQ==\u001b\\x', ' ]52;c;QQ== \\x'],
  ['a cleared screen', 'a\u001b[2Jb', 'a [2Jb'],
  ['a control of one byte', 'a\u009b2Jb\u0000', 'a 2Jb '],
  ['a colour', '\u001b[1;31mred\u001b[0m\ta', '\u001b[1;31mred\u001b[0m\ta'],
])('in a line of a setup log: %s', (_what, text, wanted) => {
  expect(lineText({ ...line, stream: 'stdout', text })).toBe(wanted);
});

test('an error keeps its lines and loses everything else', () => {
  expect(plainText('git said:\n\u001b[2J\u001b]0;x\u0007\tno\u009b')).toBe('git said:\n [2J ]0;x \tno ');
});
