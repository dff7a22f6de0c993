// The page of secrets, and how an environment is given one, as a person does it.
import type { Page } from 'playwright';

/** Sets and replaces values, and names them in an environment. */
export const secretsPage = (page: Page) => ({
  add: async (name: string, value: string): Promise<void> => {
    await page.getByRole('button', { name: 'Add secret' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Add a secret' });
    await dialog.getByLabel('Name', { exact: true }).fill(name);
    await dialog.getByLabel('Value', { exact: true }).fill(value);
    await dialog.getByRole('button', { name: 'Add secret' }).click();
    await page.getByRole('row', { name: new RegExp(`^${name}`) }).waitFor();
  },
  replace: async (name: string, value: string): Promise<void> => {
    await page.getByRole('button', { name: `Replace the value of ${name}` }).click();
    const dialog = page.getByRole('dialog', { name: `Value of ${name}` });
    await dialog.getByLabel('Value', { exact: true }).fill(value);
    await dialog.getByRole('button', { name: 'Set value' }).click();
    await page
      .getByRole('row', { name: new RegExp(`^${name}`) })
      .getByText('value 2', { exact: false })
      .waitFor();
  },
  /** On the tab of an environment: its sessions get this one. */
  giveToSessions: async (name: string): Promise<void> => {
    await page
      .getByRole('textbox', { name: 'Add a secret by name' })
      .or(page.getByRole('combobox', { name: 'Add a secret by name' }))
      .fill(name);
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: new RegExp(`^${name}`) }).waitFor();
  },
});
