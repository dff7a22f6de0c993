// One session with its terminals, as a person sees it.
import type { Locator, Page } from 'playwright';

/** Types into and reads from the terminal in front; stops, resumes, replaces and deletes the session. */
export const sessionPage = (page: Page) => {
  const screen = (): Locator => page.getByRole('tabpanel').locator('.xterm-rows');
  const choose = async (item: RegExp): Promise<void> => {
    await page.getByRole('button', { name: 'More for this session' }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  const remove = async (): Promise<void> => {
    await choose(/Delete/);
    await page.getByRole('button', { name: 'Delete session' }).click();
    await page.getByRole('heading', { level: 1, name: 'Sessions' }).waitFor();
  };
  return {
    /** Resolves at the prompt of the first terminal. */
    ready: async (): Promise<void> => await screen().getByText('/workspace').first().waitFor({ timeout: 60_000 }),
    type: async (text: string): Promise<void> => {
      await page.getByRole('tabpanel').getByRole('textbox').focus();
      await page.keyboard.type(text);
    },
    screen,
    /** Waits until the terminal in front shows these words. */
    says: async (words: string): Promise<void> => await screen().getByText(words, { exact: false }).last().waitFor(),
    part: async (name: string): Promise<void> =>
      await page.getByRole('navigation', { name: 'Parts of this session' }).getByRole('link', { name }).click(),
    tab: (name: string | RegExp): Locator => page.getByRole('tab', { name }),
    /** Opens one more; resolves when it is the one in front, which it is a moment later. */
    openTerminal: async (): Promise<void> => {
      const tabs = page.getByRole('tab');
      const before = await tabs.count();
      await page.getByRole('button', { name: 'New terminal' }).first().click();
      await tabs
        .nth(before)
        .and(page.getByRole('tab', { selected: true }))
        .waitFor();
    },
    /** Waits until one that runs is in front, as after a start. */
    hasNewTerminal: async (): Promise<void> => await page.getByRole('tab', { selected: true, name: 'bash', exact: true }).waitFor(),
    /** Opens a terminal beside the one in front; answers how many are shown. */
    split: async (): Promise<number> => {
      await page.getByRole('button', { name: /^Split/ }).click();
      await page.getByRole('separator', { name: 'Width of the terminals' }).waitFor();
      return await page.getByRole('tabpanel').count();
    },
    join: async (): Promise<number> => {
      await page.keyboard.press('Control+Shift+5');
      await page.getByRole('separator', { name: 'Width of the terminals' }).waitFor({ state: 'hidden' });
      return await page.getByRole('tabpanel').count();
    },
    stop: async (): Promise<void> => {
      await page.getByRole('button', { name: 'Stop', exact: true }).click();
      await page.getByRole('button', { name: 'Stop session' }).click();
      await page.getByRole('button', { name: 'Resume' }).waitFor();
    },
    resume: async (): Promise<void> => {
      await page.getByRole('button', { name: 'Resume' }).click();
      await page.getByRole('button', { name: 'Stop', exact: true }).waitFor();
    },
    replace: async (): Promise<void> => {
      await choose(/Replace sandbox/);
      await page.getByRole('list', { name: 'Kept' }).getByText('/workspace', { exact: false }).waitFor();
      await page.getByRole('button', { name: /^Replace with/ }).click();
      await page.getByText('has a new sandbox', { exact: false }).waitFor();
    },
    remove,
    /** Deletes it without the ten minutes in which that can be undone; its page is at `address`. */
    removeForGood: async (address: string): Promise<void> => {
      await remove();
      await page.goto(address);
      await choose(/Delete for good/);
      const name = (await page.getByRole('heading', { level: 1 }).textContent()) ?? '';
      await page.getByRole('textbox', { name: `Type ${name} to confirm` }).fill(name);
      await page.getByRole('button', { name: 'Delete now' }).click();
      await page.getByRole('heading', { level: 1, name: 'Sessions' }).waitFor();
    },
  };
};
