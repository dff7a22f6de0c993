import { describe, expect, test } from 'vitest';
import { findInLog, nextMatch } from '../../../renderer/src/ui/find-in-log.ts';
import { createLogRows, cutRow } from '../../../renderer/src/ui/log-rows.ts';
import { createLogText } from '../../../renderer/src/ui/log-text.ts';
import { logWindow, roomHeight, scrollTopOf } from '../../../renderer/src/ui/log-window.ts';

const read = (...chunks: string[]) => {
  const log = createLogText();
  for (const chunk of chunks) log.append(chunk);
  return Array.from({ length: log.count() }, (_, index) => log.line(index));
};

describe('what a program sends is read as a log', () => {
  test.each([
    ['lines with either end', ['a\nb\r\nc'], ['a', 'b', 'c']],
    ['a line end that came in two pieces', ['a\r', '\nb'], ['a', 'b']],
    ['a return begins the line anew', ['10 %\r20 %\r100 %\ndone'], ['100 %', 'done']],
    ['a return before its line end leaves the line', ['kept\r\n'], ['kept', '']],
    ['a sequence that was cut in two', ['a\x1b[3', '1mred\x1b[0m'], ['ared']],
    ['controls, titles and movements are left out', ['a\x07\x1b]0;title\x07b\x1b[2Kc\x1b(Bd'], ['abcd']],
    ['an escape that is none', [`\x1b[${'1'.repeat(5000)}`], [`[${'1'.repeat(5000)}`]],
    ['tabs go to the next eighth column', ['ab\tc'], ['ab      c']],
  ])('%s', (_what, chunks, lines) => expect(read(...chunks)).toEqual(lines));
});

test('colours last from where they begin to their end, over lines', () => {
  const log = createLogText();
  log.append('a\x1b[1;31mb\nc\x1b[0md\x1b[38;5;200mplain\x1b[38;2;1;2;3mplain\x1b[94mblue');
  expect([log.spans(0), log.spans(1)]).toEqual([
    [{ from: 1, className: 'is-ansi-1 is-bold' }],
    [
      { from: 0, className: 'is-ansi-1 is-bold' },
      { from: 1, className: '' },
      { from: 12, className: 'is-ansi-12' },
    ],
  ]);
});

test('a long line goes on in rows below, also after the room became narrower, and an empty last line has none', () => {
  const log = createLogText();
  const rows = createLogRows(log);
  log.append(`${'x'.repeat(25)}\n\nend\n`);
  rows.layOut(10);
  const all = () => Array.from({ length: rows.count() }, (_, index) => rows.row(index));
  expect(all()).toEqual([
    { line: 0, from: 0, to: 10 },
    { line: 0, from: 10, to: 18 },
    { line: 0, from: 18, to: 25 },
    { line: 1, from: 0, to: 0 },
    { line: 2, from: 0, to: 3 },
  ]);
  log.append('日本語日本語');
  rows.layOut(10);
  expect(all().slice(5)).toEqual([
    { line: 3, from: 0, to: 5 },
    { line: 3, from: 5, to: 6 },
  ]);
  rows.layOut(30);
  expect([rows.count(), rows.rowOf(2), rows.rowOf(3, 5)]).toEqual([4, 2, 3]);
});

test.each([
  ['after a blank', 'one two three fourfive', ['one two ', 'three ', 'fourfive']],
  ['within a word that fits into no row', 'one twothreefour', ['one twothr', 'eefour']],
  ['before a word that fits into the next row, however short it leaves this one', 'one twothree f', ['one ', 'twothree ', 'f']],
  ['within a path after one of its parts', 'a /usr/local/python', ['a /usr/', 'local/', 'python']],
  ['within a word of which nothing but blanks is before', '   twothree', ['   twothre', 'e']],
  ['not for a blank that fits no more', '0123456789 ', ['0123456789 ']],
  ['not where it fits', '0123456789', ['0123456789']],
])('a long line is broken %s', (_, line, expected) => {
  const log = createLogText();
  const rows = createLogRows(log);
  log.append(`${line}\n`);
  rows.layOut(10);
  const all = Array.from({ length: rows.count() }, (_row, index) => rows.row(index));
  expect(all.map(({ from, to }) => line.slice(from, to))).toEqual(expected);
  expect(all.map(({ from }) => rows.rowOf(0, from))).toEqual(all.map((_row, index) => index));
});

test.each([
  [2, ['   3 ❯ aaaa bbbb ', 'cccc dddd eeee']],
  [7, ['   3 ❯ aaaa bbbb ', 'cccc dddd ', 'eeee']],
])('what goes on below, moved in by %i letters, has that much less room', (indent, expected) => {
  const log = createLogText();
  log.append('   3 ❯ aaaa bbbb cccc dddd eeee\n');
  const rows = createLogRows(log, indent);
  rows.layOut(17);
  const pieces = Array.from({ length: rows.count() }, (_, index) => rows.row(index));
  expect(pieces.map(({ line, from, to }) => log.line(line).slice(from, to))).toEqual(expected);
});

test('a row is cut where a colour, an address or a match begins or ends', () => {
  const pieces = cutRow(
    '0123456789',
    { line: 0, from: 2, to: 8 },
    [{ from: 4, className: 'is-ansi-1' }],
    [
      { from: 0, to: 3, kind: 'link' },
      { from: 5, to: 9, kind: 'current' },
    ],
  );
  expect(pieces.map(({ text, className, link }) => [text, className, link])).toEqual([
    ['2', '', true],
    ['3', '', false],
    ['4', 'is-ansi-1', false],
    ['567', 'is-ansi-1 is-current', false],
  ]);
});

test('a search goes on after the match that is shown, and around the end', () => {
  const log = createLogText();
  log.append('Err\nok err\nERR');
  const matches = findInLog(log, 'err');
  expect(matches.map(({ line, from }) => [line, from])).toEqual([
    [0, 0],
    [1, 3],
    [2, 0],
  ]);
  expect([
    nextMatch(matches, null, false),
    nextMatch(matches, { line: 1, from: 3 }, false),
    nextMatch(matches, { line: 2, from: 0 }, false),
    nextMatch(matches, { line: 0, from: 0 }, true),
    nextMatch([], null, false),
  ]).toEqual([0, 2, 0, 2, -1]);
});

describe('the rows in sight', () => {
  const place = { height: 170, total: 100_000 };
  const huge = { height: 170, total: 2_000_000 };
  test.each([
    ['the first at the top', { ...place, scrollTop: 0 }, { first: 0, shown: 26, top: 0 }],
    ['some before and after those in sight', { ...place, scrollTop: 17_000 }, { first: 992, shown: 26, top: 16_864 }],
    ['the last at the end', { ...place, scrollTop: null }, { first: 99_982, shown: 18, top: 99_982 * 17 }],
    ['all of a few', { height: 170, total: 3, scrollTop: null }, { first: 0, shown: 3, top: 0 }],
    ['none of none', { height: 170, total: 0, scrollTop: null }, { first: 0, shown: 0, top: 0 }],
    ['the last of more than a browser can draw', { ...huge, scrollTop: null }, { first: 1_999_982, shown: 18, top: 7_999_694 }],
  ])('%s', (_what, asked, window) => expect(logWindow(asked)).toEqual(window));

  test('a row that is scrolled to is in sight, however many there are', () => {
    for (const { height, total } of [place, huge]) {
      for (const row of [0, 17, total >> 1, total - 1]) {
        const { first, shown } = logWindow({ height, total, scrollTop: Math.min(scrollTopOf(row, { total, height }), roomHeight(total)) });
        expect([row, first <= row && row < first + shown]).toEqual([row, true]);
      }
    }
  });
});
