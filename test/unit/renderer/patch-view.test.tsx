import { expect, test } from 'vitest';
import { PatchView } from '../../../renderer/src/session/PatchView.tsx';
import { draw } from './drawn.tsx';

test('a patch of hundreds of thousands of lines is drawn', () => {
  const count = 200_000;
  draw(<PatchView patch={`@@ -0,0 +1,${count} @@\n${'+x\n'.repeat(count - 1)}+${'y'.repeat(50)}\n`} label="Patch" />);
  const inner = document.querySelector<HTMLElement>('[aria-label="Patch"] > div');
  expect(inner?.style.height).toBe(`${(count + 1) * 20}px`);
  expect(inner?.style.minWidth).toContain('50ch');
});
