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

test.each([
  ['diff --git a/x b/x\nnew file mode 100644\nindex 0000000..e69de29\n', 'A new file, and empty.'],
  ['diff --git a/x b/x\ndeleted file mode 100644\nindex e69de29..0000000\n', 'An empty file was deleted.'],
  ['diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n', 'Moved, and not changed.'],
  ['diff --git a/x b/x\nold mode 100644\nnew mode 100755\n', 'Its mode was changed, none of its lines.'],
  [
    'diff --git a/x b/x\nnew file mode 100644\nindex 0..1\nBinary files /dev/null and b/x differ\n',
    'Not text: it is not shown line by line.',
  ],
])('a file without a line to show is told of in words: %j', (patch, words) => {
  draw(<PatchView patch={patch} label="Patch" />);
  expect(document.querySelector('.patch-view')?.textContent).toBe(words);
});
