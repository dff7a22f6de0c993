// The tabs Files and Changes of a session, as a person uses them.
import type { Download, Locator, Page } from 'playwright';

/** What a person does with the changes of a session. */
export const changesTab = (page: Page) => {
  const list = (): Locator => page.getByRole('listbox', { name: 'Changed files' });
  return {
    isEmpty: async (): Promise<void> => await page.getByRole('heading', { name: 'Nothing has changed yet' }).waitFor(),
    again: async (): Promise<void> => await page.getByRole('button', { name: 'Compare again' }).click(),
    /** Each row as it is read. */
    rows: async (): Promise<string[]> => {
      await list().getByRole('option').first().waitFor();
      return await list().getByRole('option').allInnerTexts();
    },
    choose: async (name: string): Promise<void> => await list().getByRole('option', { name }).click(),
    down: async (): Promise<void> => await list().press('ArrowDown'),
    chosen: (): Locator => list().getByRole('option', { selected: true }),
    patch: (of: string): Locator => page.getByRole('document', { name: `Changes of ${of}` }),
    commit: async (message: string): Promise<void> => {
      const box = page.getByRole('textbox', { name: 'Message of the commit' });
      await box.fill(message);
      await box.press('Control+Enter');
      await page.getByText(/^Committed as /).waitFor();
    },
    save: async (what: RegExp): Promise<Download> => {
      await page.getByRole('button', { name: 'Patch', exact: true }).click();
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: what }).click()]);
      return download;
    },
  };
};

/** What a person does with the files of a session. */
export const filesTab = (page: Page) => ({
  open: async (name: string): Promise<void> => await page.getByRole('button', { name, exact: true }).click(),
  row: (name: string): Locator => page.getByRole('row', { name }),
  text: (path: string): Locator => page.getByRole('textbox', { name: `Contents of ${path}` }),
  upload: async (name: string, contents: string): Promise<void> =>
    await page.locator('input[type=file]').setInputFiles([{ name, mimeType: 'text/plain', buffer: Buffer.from(contents) }]),
  drop: async (name: string, contents: string): Promise<void> => {
    const dropped = await page.evaluateHandle(
      `(() => { const data = new DataTransfer(); data.items.add(new File([${JSON.stringify(contents)}], ${JSON.stringify(name)})); return data; })()`,
    );
    await page.dispatchEvent('.workspace-part', 'drop', { dataTransfer: dropped });
  },
  download: async (name: string): Promise<Download> => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: `Download ${name}` }).click()]);
    return download;
  },
  showArtifacts: async (): Promise<void> => await page.getByText('Artifacts', { exact: true }).click(),
});
