// The Setup tab of an environment as a person sees it.
import type { Locator, Page } from 'playwright';

/** Writes the script, tests it, and reads what came of it. */
export const setupTab = (page: Page) => {
  const script = (): Locator => page.getByRole('textbox', { name: 'Setup script', exact: true });
  const panel = (): Locator => page.getByRole('region', { name: 'Setup test' });
  return {
    panel,
    result: (): Locator => page.getByRole('region', { name: 'Result of the run' }),
    /** Replaces the whole script. */
    write: async (text: string): Promise<void> => {
      await script().click();
      await page.keyboard.press('Control+A');
      await page.keyboard.insertText(text);
    },
    /** Puts the cursor into a line, 1-based. */
    goTo: async (line: number): Promise<void> =>
      await page
        .locator('.setup-code .cm-line')
        .nth(line - 1)
        .click(),
    text: async (): Promise<string[]> => await page.locator('.setup-code .cm-line').allInnerTexts(),
    failingLine: (): Locator => page.locator('.setup-code .cm-marked-bad'),
    testButton: (): Locator => page.getByRole('button', { name: /^(Save and t|T)est setup/ }),
    cancel: async (): Promise<void> => await panel().getByRole('button', { name: 'Cancel run' }).click(),
    /** Waits for the state of the shown run. */
    runIs: async (word: string): Promise<void> =>
      await panel().getByRole('status').getByText(word, { exact: true }).first().waitFor({ timeout: 120_000 }),
    verdictIs: async (word: string): Promise<void> =>
      await page.getByRole('region', { name: 'Setup verdict' }).getByText(word, { exact: true }).waitFor({ timeout: 120_000 }),
    logRow: (text: string): Locator => page.locator('.setup-log .log-row').filter({ hasText: text }),
    /** How much of the log is seen without scrolling, in pixels. */
    logInSight: async (): Promise<number> =>
      await page.locator('.setup-log .log').evaluate((log) => {
        const panel = log.closest('.setup-run')?.getBoundingClientRect().bottom ?? 0;
        const { top, bottom } = log.getBoundingClientRect();
        return Math.min(bottom, panel) - top;
      }),
    show: async (view: string): Promise<void> =>
      await page
        .locator('.setup-views')
        .getByText(view, { exact: view !== 'Runs' })
        .click(),
    warnings: (): Locator => page.getByRole('region', { name: 'Warnings about the script' }),
  };
};
