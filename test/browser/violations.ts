import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright';

const source = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What depends on the look alone; every other rule reads the same page in both. */
const lookRules = ['color-contrast', 'link-in-text-block'];

interface Asked {
  /** Only what another look can break. */
  onlyLook?: boolean;
}

/** Rules of accessibility that the page breaks, with the place. */
export const violations = async (page: Page, { onlyLook = false }: Asked = {}): Promise<string[]> => {
  if (await page.evaluate("typeof axe === 'undefined'")) {
    await page.evaluate(await source);
    // A tooltip, a menu, a list of choices is read with what it belongs to, so it needs no landmark of its own, wherever in the page it hangs.
    await page.evaluate(
      "axe.configure({ checks: [{ id: 'region', options: { regionMatcher: 'dialog, [role=dialog], [role=alertdialog], [role=tooltip], [role=menu], [role=listbox], svg' } }] })",
    );
  }
  const options = { resultTypes: ['violations'], ...(onlyLook && { runOnly: { type: 'rule', values: lookRules } }) };
  // Lines of a terminal are drawn for the eye in the program's own colours. What lies behind an open dialog is nobody's to read.
  const dialog = '[role=dialog][aria-modal=true]';
  const context = (await page.locator(dialog).count()) > 0 ? { include: [[dialog]] } : { exclude: [['.xterm']] };
  const run = `axe.run(${JSON.stringify(context)}, ${JSON.stringify(options)}).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map((node) => node.html.slice(0, 160)).join(' | ')))`;
  return await page.evaluate(run);
};
