// What a program does at a screen: the words that are run inside, and what is believed of a picture.
import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { commandOf, readPngSize } from '../../../sandbox-engine/session/screen-actions.ts';

test('what is typed stands in no command line', () => {
  expect(commandOf({ do: 'type', text: '--help\nhunter2' })).toEqual({
    command: ['xdotool', 'type', '--clearmodifiers', '--delay', '8', '--file', '-'],
    input: '--help\nhunter2',
  });
});

test.each([
  [{ do: 'move', x: 3, y: 4 } as const, ['3', '4']],
  [{ do: 'click', x: 3, y: 4 } as const, ['3', '4', 'click', '--repeat', '1', '--delay', '40', '1']],
  [{ do: 'click', x: 3, y: 4, button: 'right', times: 2 } as const, ['3', '4', 'click', '--repeat', '2', '--delay', '40', '3']],
  [{ do: 'scroll', x: 3, y: 4, by: 5 } as const, ['3', '4', 'click', '--repeat', '5', '--delay', '15', '5']],
  [{ do: 'scroll', x: 3, y: 4, by: -2 } as const, ['3', '4', 'click', '--repeat', '2', '--delay', '15', '4']],
  [{ do: 'scroll', x: 3, y: 4, by: 0 } as const, ['3', '4']],
])('%j moves the mouse there first', (action, words) => {
  expect(commandOf(action)).toEqual({ command: ['xdotool', 'mousemove', '--sync', ...words] });
});

const png = (width: number, height: number): Buffer => {
  const header = Buffer.alloc(33);
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]).copy(header);
  header.writeUInt32BE(13, 8);
  header.write('IHDR', 12);
  header.writeUInt32BE(width, 16);
  header.writeUInt32BE(height, 20);
  return Buffer.concat([header, deflateSync(Buffer.alloc(10))]);
};

test.each([
  ['a picture', png(1280, 800), { width: 1280, height: 800 }],
  ['one that is no picture', Buffer.from('GIF89a'.padEnd(40)), null],
  ['one without a size', png(0, 800), null],
  ['one that is larger than any screen', png(40_000, 800), null],
  ['the beginning of one', png(1280, 800).subarray(0, 20), null],
])('%s is measured', (_, bytes, size) => {
  expect(readPngSize(bytes)).toEqual(size);
});
