// The Ports tab of a session, as a person uses it.
import type { Locator, Page } from 'playwright';

/** Sees what listens, forwards it, opens it. */
export const portsTab = (page: Page) => {
  const row = (port: number): Locator => page.getByRole('row').filter({ has: page.getByRole('cell', { name: String(port), exact: true }) });
  return {
    row,
    forward: async (port: number): Promise<void> => {
      await row(port).getByRole('button', { name: 'Forward' }).click();
      await row(port)
        .getByText(/^127\.0\.0\.1:\d+/)
        .waitFor();
    },
    /** The page that is opened in the browser. */
    open: async (port: number): Promise<Page> => {
      await row(port).getByRole('button', { name: 'Open' }).click();
      const [opened] = await Promise.all([
        page.context().waitForEvent('page'),
        page.getByRole('button', { name: 'Open in browser' }).click(),
      ]);
      return opened;
    },
    stop: async (port: number): Promise<void> => await page.getByRole('button', { name: `Stop forwarding port ${port}` }).click(),
  };
};
