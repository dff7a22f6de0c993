// One environment as a person sees it.
import type { Locator, Page } from 'playwright';

/** Opens a tab and reads or presses what is on it. */
export const environmentPage = (page: Page) => {
  const isSaved = async (): Promise<void> => await page.getByRole('region', { name: 'Unsaved edits' }).waitFor({ state: 'detached' });
  const createNow = async (name: string): Promise<void> => {
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByRole('button', { name: 'Create environment' }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
  };
  return {
    /** Gives what was chosen on the page for new ones a name, and makes it. */
    createNow,
    create: async (template: string, name: string): Promise<void> => {
      await page.getByRole('link', { name: 'New environment' }).first().click();
      await page.getByRole('radio', { name: template }).click();
      await createNow(name);
    },
    createEmpty: async (name: string): Promise<void> => {
      await page.getByRole('link', { name: 'New environment' }).first().click();
      await page.getByRole('radiogroup', { name: 'Start from' }).getByText('Empty', { exact: true }).click();
      await createNow(name);
    },
    openTab: async (name: string): Promise<void> => {
      await page.getByRole('navigation', { name: 'Parts of this environment' }).getByRole('link', { name }).click();
    },
    buildAndPin: async (): Promise<void> => await page.getByRole('button', { name: 'Build & pin' }).first().click(),
    launch: async (): Promise<void> => await page.getByRole('button', { name: /^Launch / }).click(),
    save: async (): Promise<void> => {
      await page.getByRole('region', { name: 'Unsaved edits' }).waitFor();
      await page.keyboard.press('Control+s');
      await isSaved();
    },
    /** Replaces the whole text of the recipe and saves it. */
    writeRecipe: async (yaml: string): Promise<void> => {
      await page.getByText('YAML', { exact: true }).click();
      const code = page.getByRole('textbox', { name: 'Recipe as YAML' });
      await code.click();
      await page.keyboard.press('Control+A');
      await page.keyboard.insertText(yaml);
      await page.keyboard.press('Control+S');
      await isSaved();
    },
    builds: (): Locator => page.getByRole('navigation', { name: 'Builds' }),
    step: (name: string): Locator => page.getByRole('list', { name: 'Build steps' }).getByRole('button', { name }),
    buildLog: (): Locator => page.getByRole('region', { name: 'Build log' }),
    choose: async (item: string): Promise<void> => {
      await page.getByRole('button', { name: 'More for this environment' }).click();
      await page.getByRole('menuitem', { name: item }).click();
    },
  };
};

/** The recipe as a form. */
export const recipeForm = (page: Page) => {
  const steps = (): Locator => page.getByRole('region', { name: 'Build steps' });
  const write = async (command: string): Promise<void> => {
    await steps()
      .getByRole('textbox', { name: /commands$/ })
      .last()
      .click();
    await page.keyboard.press('Control+A');
    // Typed over, coloured text would leave its colour in an inline style of the browser's own, which the page's policy refuses aloud.
    await page.keyboard.press('Delete');
    await page.keyboard.insertText(command);
  };
  return {
    addStep: async (name: string, command: string): Promise<void> => {
      await steps().getByRole('button', { name: 'Add step' }).click();
      await steps()
        .getByRole('textbox', { name: /^Name of step/ })
        .last()
        .fill(name);
      await write(command);
    },
    /** Writes other commands into the last step. */
    rewriteStep: write,
  };
};
