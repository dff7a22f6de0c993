// The screens of agents, as a person uses them.
import type { Page } from 'playwright';

/** What is done with agents. */
export const agentPages = (page: Page) => ({
  open: async (): Promise<void> => await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Agents' }).click(),
  make: async (name: string, environment: string): Promise<void> => {
    await page.getByRole('button', { name: 'New agent' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill(name);
    await dialog.getByRole('combobox', { name: 'First environment' }).click();
    await page.getByRole('option', { name: environment }).click();
    await dialog.getByRole('button', { name: 'Create agent' }).click();
    await page.getByRole('heading', { name, level: 1 }).waitFor();
  },
  attach: async (environment: string): Promise<void> => {
    await page.getByRole('combobox', { name: 'Attach an environment' }).click();
    await page.getByRole('option', { name: environment }).click();
    await page.getByRole('link', { name: environment, exact: true }).first().waitFor();
  },
  /** The names of its environments in their order, the default with a star. */
  environments: async (): Promise<string[]> => {
    const rows = await page.getByRole('list', { name: 'Attached environments in their order' }).getByRole('listitem').all();
    return await Promise.all(
      rows.map(async (row) => {
        const name = (await row.getByRole('link').textContent()) ?? '';
        return (await row.getByText('Default', { exact: true }).count()) > 0 ? `${name}*` : name;
      }),
    );
  },
  /** Takes it up, moves it and puts it down by the keyboard alone. */
  moveByKeys: async (environment: string, { from, to, of }: { from: number; to: number; of: number }): Promise<void> => {
    await page.getByRole('button', { name: `Move ${environment}, place ${from}` }).focus();
    await page.keyboard.press('Space');
    const says = (place: number) => page.getByText(`It would be environment ${place} of ${of}.`).waitFor({ state: 'attached' });
    await says(from);
    await page.keyboard.press(to < from ? 'ArrowUp' : 'ArrowDown');
    await says(to);
    await page.keyboard.press('Space');
  },
});
