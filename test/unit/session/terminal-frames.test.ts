import { expect, test } from 'vitest';
import { readKept } from '../../../sandbox-engine/session/shell-holder.ts';
import { resizeFrame, typeFrames } from '../../../sandbox-engine/session/terminal-frames.ts';

test('what is typed is told with its length, and what is too long for one frame in several', () => {
  expect([...typeFrames(Buffer.from('é'))]).toEqual([0, 0, 2, 0xc3, 0xa9]);
  expect([...typeFrames(Buffer.alloc(0))]).toEqual([0, 0, 0]);
  const long = typeFrames(Buffer.alloc(65_536, 'x'));
  expect([long.length, ...long.subarray(0, 3), ...long.subarray(65_538)]).toEqual([65_542, 0, 255, 255, 0, 0, 1, 120]);
});

test('a size is told in columns and rows', () => {
  expect([...resizeFrame(300, 24)]).toEqual([1, 0, 4, 1, 44, 0, 24]);
});

test.each([
  ['nothing yet', '', null],
  ['half a number', '12', null],
  ['a number and output', '12\n$ ls\n', { dropped: 12, text: '$ ls\n' }],
  ['only the number', '0\n', { dropped: 0, text: '' }],
  ['another word, as a sandbox may forge it', 'x\ny', { dropped: 0, text: 'x\ny' }],
  ['a number below zero', '-1\ny', { dropped: 0, text: '-1\ny' }],
  ['a number that is too long', '123456789012345678901', { dropped: 0, text: '123456789012345678901' }],
])('the first line that a joined terminal sends: %s', (_what, sent, wanted) => {
  const kept = readKept(Buffer.from(sent));
  expect(kept === null ? null : { dropped: kept.dropped, text: String(kept.bytes) }).toEqual(wanted);
});
