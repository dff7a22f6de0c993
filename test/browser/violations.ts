import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright';

/** Rules of accessibility that the page breaks, with the place. */
export const violations = async (page: Page): Promise<string[]> => {
  await page.evaluate(await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
  // A tooltip is read with what it describes, so it needs no landmark of its own, wherever in the page it hangs.
  await page.evaluate(
    "axe.configure({ checks: [{ id: 'region', options: { regionMatcher: 'dialog, [role=dialog], [role=alertdialog], [role=tooltip], svg' } }] })",
  );
  // Lines of a terminal are drawn for the eye in the program's own colours.
  const run = `axe.run({ exclude: [['.xterm']] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map((node) => node.html.slice(0, 160)).join(' | ')))`;
  return await page.evaluate(run);
};
