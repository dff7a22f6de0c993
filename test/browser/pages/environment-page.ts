// One environment as a person sees it.
import type { Locator, Page } from 'playwright';

/** Opens a tab and reads or presses what is on it. */
export const environmentPage = (page: Page) => ({
  create: async (template: string, name: string): Promise<void> => {
    await page.getByRole('link', { name: 'New environment' }).first().click();
    await page.getByRole('radio', { name: template }).click();
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByRole('button', { name: 'Create environment' }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
  },
  openTab: async (name: string): Promise<void> => {
    await page.getByRole('navigation', { name: 'Parts of this environment' }).getByRole('link', { name }).click();
  },
  buildAndPin: async (): Promise<void> => await page.getByRole('button', { name: 'Build & pin' }).first().click(),
  launch: async (): Promise<void> => await page.getByRole('button', { name: /^Launch / }).click(),
  /** Replaces the whole text of the recipe and saves it. */
  writeRecipe: async (yaml: string): Promise<void> => {
    await page.getByText('YAML', { exact: true }).click();
    const code = page.getByRole('textbox', { name: 'Recipe as YAML' });
    await code.click();
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText(yaml);
    await page.keyboard.press('Control+S');
    await page.getByRole('region', { name: 'Unsaved edits' }).waitFor({ state: 'detached' });
  },
  builds: (): Locator => page.getByRole('navigation', { name: 'Builds' }),
  step: (name: string): Locator => page.getByRole('list', { name: 'Build steps' }).getByRole('button', { name }),
  buildLog: (): Locator => page.getByRole('region', { name: 'Build log' }),
});
