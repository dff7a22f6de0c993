// One session with its terminals, as a person sees it.
import type { Locator, Page } from 'playwright';

/** Types into and reads from the terminal in front. */
export const sessionPage = (page: Page) => {
  const screen = (): Locator => page.getByRole('tabpanel').locator('.xterm-rows');
  return {
    /** Resolves at the prompt of the first terminal. */
    ready: async (): Promise<void> => await screen().getByText('/workspace').first().waitFor({ timeout: 60_000 }),
    type: async (text: string): Promise<void> => {
      await page.getByRole('tabpanel').getByRole('textbox').focus();
      await page.keyboard.type(text);
    },
    screen,
    part: async (name: string): Promise<void> =>
      await page.getByRole('navigation', { name: 'Parts of this session' }).getByRole('link', { name }).click(),
    tab: (name: string | RegExp): Locator => page.getByRole('tab', { name }),
    openTerminal: async (): Promise<void> => await page.getByRole('button', { name: 'New terminal' }).first().click(),
    remove: async (): Promise<void> => {
      await page.getByRole('button', { name: 'More for this session' }).click();
      await page.getByRole('menuitem', { name: /Delete/ }).click();
      await page.getByRole('button', { name: 'Delete session' }).click();
      await page.getByRole('heading', { level: 1, name: 'Sessions' }).waitFor();
    },
  };
};
