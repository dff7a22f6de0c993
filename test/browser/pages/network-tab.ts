// The Network tab of an environment, and the page of what was tried, as a person sees them.
import type { Locator, Page } from 'playwright';

/** Writes rules, moves them, tests destinations. */
export const networkTab = (page: Page) => {
  const rule = (number: number): Locator => page.getByRole('region', { name: new RegExp(`^Rule ${number}:`) });
  return {
    rule,
    choose: async (mode: string): Promise<void> => await page.getByRole('radio', { name: mode }).click(),
    addRule: async (): Promise<void> => await page.getByRole('button', { name: /^Add (a )?rule$/ }).click(),
    typeHosts: async (number: number, ...hosts: string[]): Promise<void> => {
      for (const host of hosts) {
        await page.getByRole('textbox', { name: `Hosts of rule ${number}` }).fill(host);
        await page.keyboard.press('Enter');
      }
    },
    /** Takes a rule by its handle, moves it, puts it down; with the keyboard alone. */
    moveByKeyboard: async (number: number, arrow: 'ArrowUp' | 'ArrowDown', to: number): Promise<void> => {
      await page.getByRole('button', { name: `Move rule ${number}`, exact: true }).focus();
      await page.keyboard.press('Space');
      await page.getByText(`Rule ${number} of`, { exact: false }).first().waitFor({ state: 'attached' });
      await page.keyboard.press(arrow);
      await page.getByText(`It would be rule ${to} of`, { exact: false }).first().waitFor({ state: 'attached' });
      await page.keyboard.press('Space');
    },
    /** Asks about a destination and waits for an answer with these words. */
    test: async (destination: string, words: string): Promise<void> => {
      await page.getByRole('textbox', { name: 'URL or host:port' }).fill(destination);
      await page.keyboard.press('Enter');
      await page.locator('.test-answer').getByText(words, { exact: false }).waitFor();
    },
    save: async (): Promise<void> => {
      await page.keyboard.press('Control+s');
      await page.getByRole('region', { name: 'Unsaved edits' }).waitFor({ state: 'detached' });
    },
  };
};
