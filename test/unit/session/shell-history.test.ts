import { expect, test } from 'vitest';
import { readHistory } from '../../../sandbox-engine/session/shell-history.ts';

test('commands of several lines stay whole where the shell wrote down times', () => {
  expect(readHistory('#1796032800\nfor i in 1 2; do\necho $i\ndone\n#1796032801\nls\n')).toEqual([
    { at: '2026-11-30T10:00:00.000Z', command: 'for i in 1 2; do\necho $i\ndone' },
    { at: '2026-11-30T10:00:01.000Z', command: 'ls' },
  ]);
});

test('without times each line is a command; one that is repeated at once is one', () => {
  expect(readHistory('ls\nls\nmake\nls\n').map(({ command }) => command)).toEqual(['ls', 'make', 'ls']);
});

test('what is no text for a screen is taken out, and what is far too long is left out', () => {
  const found = readHistory(`echo \u001b]0;title\u0007\u001b[31mred\u202e\n${'x'.repeat(9_000)}\n\u0000\n`);
  expect(found.map(({ command }) => command)).toEqual(['echo red']);
});
