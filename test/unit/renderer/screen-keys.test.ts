// Which keys a screen leaves to the browser: whoever comes to one without a mouse must get on from it.
import { expect, test } from 'vitest';
import { isOfBrowser } from '../../../renderer/src/ui/xterm-screen.ts';

const key = (name: string, isShifted = false) => ({ key: name, ctrlKey: isShifted, shiftKey: isShifted });

test.each([
  ['Tab on a screen that is only read', key('Tab'), false, true],
  ['Tab in a terminal, where it is the shell’s', key('Tab'), true, false],
  ['pasting into a terminal', key('V', true), true, true],
  ['a letter in a terminal', key('v'), true, false],
  ['a letter on a screen that is only read', key('v'), false, false],
])('%s', (_case, pressed, isTyped, isLeft) => {
  expect(isOfBrowser(pressed, isTyped)).toBe(isLeft);
});
