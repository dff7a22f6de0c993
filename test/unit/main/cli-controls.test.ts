// What a sandbox printed cannot do more to the terminal of the person who reads a log or an error than colour it.
import { expect, test } from 'vitest';
import { createLogFilter } from '../../../main/cli/log-bytes.ts';
import { createPrinter, plainText, toTable } from '../../../main/cli/print.ts';
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

const csi = '\u009b31m';
test.each([
  ['colours', 'a\u001b[1;31mred\u001b[0mb', 'aredb', 'a\u001b[1;31mred\u001b[0mb'],
  ['a title, closed in either way', '\u001b]0;t\u0007a\u001b]2;t\u001b\\b', 'ab', 'ab'],
  ['a string that nobody closes, to the end of its line', '\u001b]52;c;QQ==\nb', '\nb', '\nb'],
  ['a cleared screen, a moved cursor, other keys', '\u001b[2Ja\u001b[3;4Hb\u001b[>4;1mc', 'abc', 'abc'],
  ['other character sets', '\u001b(0a\u001b7b', 'ab', 'ab'],
  ['controls of one character', `a${csi}b\u009d0;t\u0007c\u0085d\u0000e\u007f`, 'abcde', `a\u001b[31mbcde`],
  ['letters beside them', 'Â\u00a0é…☃', 'Â\u00a0é…☃', 'Â\u00a0é…☃'],
  ['a broken sequence', '\u001b[1\nb\u001b[\u001b[31mc', '\nbc', '\nb\u001b[31mc'],
  ['progress, and line ends of two bytes', '10%\r20%\r\nb\r\n', '10%\n20%\nb\n', '10%\r20%\r\nb\r\n'],
])('a log in a file, and on a terminal, in whatever pieces it comes: %s', (_what, text, inFile, onTerminal) => {
  const bytes = Buffer.from(text);
  const read = (manner: { colours: boolean; isTerminal: boolean }, pieces: Buffer[]): string =>
    Buffer.concat(pieces.map(createLogFilter(manner))).toString('utf8');
  const single = [...bytes].map((byte) => Buffer.of(byte));
  for (const pieces of [[bytes], single])
    expect([read({ colours: false, isTerminal: false }, pieces), read({ colours: true, isTerminal: true }, pieces)]).toEqual([
      inFile,
      onTerminal,
    ]);
});

/** What a printer writes. */
const printed = (mode: 'json' | 'table', print: (printer: ReturnType<typeof createPrinter>) => void, isTTY = false): string => {
  const said: string[] = [];
  const out = { isTTY, write: (text: string) => said.push(text) > 0 } as unknown as NodeJS.WriteStream;
  print(createPrinter(mode, out));
  return said.join('');
};

const hostile = { name: 'a\u009b2Jb\u202egnp.exe\u2066\u001b]0;x\u0007\u007f' };

test('JSON is the same value, in characters that steer no terminal', () => {
  for (const write of [
    (to: ReturnType<typeof createPrinter>) => to.result(hostile, () => ''),
    (to: ReturnType<typeof createPrinter>) => to.line(hostile, () => ''),
  ]) {
    const text = printed('json', write);
    expect(JSON.parse(text)).toEqual(hostile);
    expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  }
});

test('whatever a command says for a person steers nothing, and reads in its own direction', () => {
  const said = printed('table', (to) => to.result(hostile, () => `${hostile.name}\n${toTable(['NAME'], [[hostile.name]])}`));
  expect(said).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  const coloured = printed('table', (to) => to.result(hostile, () => `\u001b[32mok\u001b[0m ${hostile.name}`), true);
  expect(coloured).toBe('\u001b[32mok\u001b[0m a 2Jb gnp.exe  ]0;x  \n');
  expect(printed('table', (to) => to.line(hostile, () => hostile.name))).toBe('a 2Jb gnp.exe  ]0;x  \n');
});
