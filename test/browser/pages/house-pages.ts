// The pages about what Sandlot has and did: images, disk and left-overs, the activity log, as a person reads them.
import type { Locator, Page } from 'playwright';

/** Reads what was measured and what can go, and removes it. */
export const housePages = (page: Page) => ({
  /** What needs an image, by a row that says so. */
  image: (neededBy: string): Locator => page.getByRole('row').filter({ hasText: neededBy }),
  /** The page measures and looks by itself. */
  measured: async (): Promise<Locator> => {
    const table = page.getByRole('table', { name: 'Disk by environment' });
    await table.waitFor({ timeout: 60_000 });
    return table;
  },
  lookForLeftOvers: async (): Promise<void> => {
    await page.getByText('no pin, verdict or session uses it').first().waitFor({ timeout: 60_000 });
  },
  removeLeftOvers: async (): Promise<void> => {
    await page.getByRole('button', { name: /^Remove \d+/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText(/^\d+ removed: (at least )?[\d.]+ \w+\.$/).waitFor({ timeout: 60_000 });
  },
  logged: (words: string | RegExp): Locator => page.getByRole('listitem').filter({ hasText: words }).first(),
});
