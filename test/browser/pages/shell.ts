// The window around every page, as a person moves through it.
import type { Locator, Page } from 'playwright';

/** Goes somewhere: by an address, by the navigation, by the palette. */
export const shell = (page: Page) => {
  const navigation = (): Locator => page.getByRole('navigation', { name: 'Main' });
  return {
    navigation,
    go: async (address: string): Promise<void> => {
      await page.evaluate((to) => location.replace(to), `#${address}`);
    },
    open: async (label: string): Promise<void> => {
      await navigation()
        .getByRole('link', { name: new RegExp(`^${label}`) })
        .first()
        .click();
      await page.getByRole('heading', { level: 1, name: label }).waitFor();
    },
    /** What the window says of the runtime; pressed, it explains. */
    runtime: (): Locator => navigation().getByRole('link', { name: /^(Docker|Podman) \d/ }),
    /** Opens the palette by its keys, types, and takes the first that is offered. */
    palette: async (words: string, offered: string): Promise<void> => {
      await page.keyboard.press('Control+Shift+P');
      await page
        .getByRole('searchbox', { name: 'Search or do' })
        .or(page.getByRole('textbox', { name: 'Search or do' }))
        .waitFor();
      await page.keyboard.type(words);
      await page.locator('.mantine-Spotlight-action').first().filter({ hasText: offered }).waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
    },
    toast: (words: string | RegExp): Locator => page.locator('.mantine-Notification-root').getByText(words).first(),
  };
};
