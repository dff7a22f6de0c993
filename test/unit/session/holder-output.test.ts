import { expect, test } from 'vitest';
import { createShellOutput } from '../../../sandbox-engine/session/holder-output.ts';

const greeting = '\u001b[H\u001b[J';
const farewell = '\u001b[999H\r\n[EOF - dtach terminating]\r\n\u001b[?25h';

const passed = (pieces: string[]): string => {
  const shell = createShellOutput(() => undefined);
  return [...pieces.map((piece) => shell.push(Buffer.from(piece))), shell.rest()].map(String).join('');
};

test.each([
  ['what the holder adds is taken out', `${greeting}$ ls\r\n${farewell}`, '$ ls\r\n'],
  ['a shell without a holder passes as it is', 'a\u001b[999Hb', 'a\u001b[999Hb'],
  ['a screen cleared later stays cleared', `${greeting}a${greeting}b`, `a${greeting}b`],
  ['a farewell that goes on is the program’s own', `${farewell}more`, `${farewell}more`],
  ['an unfinished sequence at the end is kept', `${greeting}a\u001b[99`, 'a\u001b[99'],
  ['nothing stays nothing', '', ''],
])('%s, wherever the pieces are cut', (_name, whole, wanted) => {
  for (let at = 0; at <= whole.length; at += 1) expect(passed([whole.slice(0, at), whole.slice(at)])).toBe(wanted);
  expect(passed([...whole])).toBe(wanted);
});
