import { expect, test } from 'vitest';
import { parsePorts } from '../../../main/cli/commands/session-ports.ts';
import { changedLines, parseTake } from '../../../main/cli/commands/session-promote.ts';
import { pauseBefore } from '../../../main/cli/play-tape.ts';

test.each([
  ['3000', { port: 3000 }],
  ['3000:8080', { port: 3000, local_port: 8080 }],
  ['65535', { port: 65_535 }],
])('%s is a port to forward', (text, wanted) => expect(parsePorts(text)).toEqual(wanted));

test.each(['0', '65536', '3000:0', '3000:', 'http', '', '1:2:3', '-1'])('"%s" is no port', (text) =>
  expect(() => parsePorts(text)).toThrow(expect.objectContaining({ code: 'invalid_request' })),
);

test.each([
  ['3', [3]],
  ['1,3-5', [1, 3, 4, 5]],
  ['5-5,1', [5, 1]],
])('%s takes these commands, in this order', (text, wanted) => expect(parseTake(text, 5)).toEqual(wanted));

test.each(['0', '6', '2-9', 'x', ''])('"%s" names no command of five', (text) =>
  expect(() => parseTake(text, 5)).toThrow(expect.objectContaining({ code: 'invalid_request' })),
);

test.each([
  ['a\nb\n', 'a\nb\nc\n', '  a\n  b\n+ c\n  '],
  ['a\nb', 'a\nx\nb', '  a\n+ x\n  b'],
  ['a\nb', 'a\nc', '  a\n- b\n+ c'],
  ['', 'a\n', '+ a\n  '],
])('%j that becomes %j is shown with what is around', (before, after, wanted) => expect(changedLines(before, after)).toBe(wanted));

test('a pause of a tape is as long as it was, but not longer than wanted, and faster when wanted', () => {
  const frame = { at_ms: 10_000, kind: 'output' as const, text: 'x' };
  expect([
    pauseBefore(frame, 9_000, { speed: 1, idleMs: 2_000 }),
    pauseBefore(frame, 0, { speed: 1, idleMs: 2_000 }),
    pauseBefore(frame, 0, { speed: 4, idleMs: 2_000 }),
    pauseBefore(frame, 11_000, { speed: 1, idleMs: 2_000 }),
  ]).toEqual([1_000, 2_000, 500, 0]);
});
