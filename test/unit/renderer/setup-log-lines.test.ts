// What the log view is given for each line: the gutter tells the stream, colours stay, and nothing else gets through.
import { expect, test } from 'vitest';
import { logLineText, onlyColours } from '../../../renderer/src/environment/setup-log-lines.ts';
import type { LogLine } from '../../../sandbox-engine/contract/model.ts';

const line = (stream: LogLine['stream'], text: string, number: number | null = null): LogLine => ({
  seq: 1,
  at: '2026-01-01T00:00:00.000Z',
  stream,
  text,
  line: number,
});

test.each([
  ['a colour', '\x1b[1;32mok\x1b[0m', '\x1b[1;32mok\x1b[0m'],
  ['a colour with colons', '\x1b[38:5:12mok', '\x1b[38:5:12mok'],
  ['clearing the screen', 'a\x1b[2J\x1b[Hb', 'ab'],
  ['moving up over a marker', '\x1b[3A\x1b[2Kforged', 'forged'],
  ['a private mode', '\x1b[?1049hx', 'x'],
  ['a window title', '\x1b]0;title\x07x', 'x'],
  ['a link that lies', '\x1b]8;;https://evil.test\x1b\\safe\x1b]8;;\x1b\\', 'safe'],
  ['a title without an end', 'x\x1b]0;title', 'x'],
  ['a full reset', '\x1bcx', 'x'],
  ['a lone escape at the end', 'x\x1b', 'x'],
  ['bell, backspace and carriage return', 'a\x07b\x08c\rd', 'abcd'],
  ['an eight-bit control sequence', 'a\u009b2Jb', 'a2Jb'],
  ['a tab', 'a\tb', 'a\tb'],
])('%s: what is left of it', (_, text, left) => {
  expect(onlyColours(text)).toBe(left);
});

test('a marker shows its script line and its command on one line, without colours of its own', () => {
  expect(logLineText(line('marker', 'cat <<X\n\x1b[31mred\nX', 12))).toBe('\x1b[34m  12 ❯\x1b[0m \x1b[2mcat <<X ⏎ red ⏎ X\x1b[0m\r\n');
});

test('stderr stays tinted after the program has reset its colour', () => {
  expect(logLineText(line('stderr', 'a\x1b[1mb\x1b[mc'))).toBe('\x1b[31m     ▎ \x1b[31ma\x1b[1mb\x1b[0m\x1b[31mc\x1b[0m\r\n');
});

test('output that looks like a marker has no number in its gutter', () => {
  expect(logLineText(line('stdout', '  12 ❯ rm -rf /'))).toBe('         12 ❯ rm -rf /\x1b[0m\r\n');
});

test('a marker of a very long command leaves the log to what it prints', () => {
  const shown = logLineText(line('marker', 'x'.repeat(300), 1));
  expect(shown).toContain('x'.repeat(300));
  expect(logLineText(line('marker', 'x'.repeat(301), 1))).toHaveLength(shown.length);
});

test('what was blocked has a sign of its own among the words of Sandlot', () => {
  expect([
    logLineText(line('system', 'The network policy blocked a.example:443 at line 2.')),
    logLineText(line('system', 'Saving the image.')),
  ]).toEqual([
    '\x1b[33m     ⊘ The network policy blocked a.example:443 at line 2.\x1b[0m\r\n',
    '\x1b[2;3m     · Saving the image.\x1b[0m\r\n',
  ]);
  // A program that prints the same words is not the one who says it.
  expect(logLineText(line('stdout', 'The network policy blocked a.example:443.'))).not.toContain('⊘');
});
