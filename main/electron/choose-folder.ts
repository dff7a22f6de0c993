// Asks for a folder of this machine with the system's own dialog. Only the window can: a browser would not say where a folder is.

/** What is used of Electron's dialog; `W` is its window. */
export interface FolderDialog<W> {
  showOpenDialog: (window: W, options: { properties: ['openDirectory'] }) => Promise<{ canceled: boolean; filePaths: string[] }>;
}

/** Answers the whole path that was chosen; null when nothing was, or no window is there to ask in. */
export const createChooseFolder =
  <W>(dialog: FolderDialog<W>, window: () => W | null) =>
  async (): Promise<string | null> => {
    const asking = window();
    if (asking === null) return null;
    const { canceled, filePaths } = await dialog.showOpenDialog(asking, { properties: ['openDirectory'] });
    return canceled ? null : (filePaths[0] ?? null);
  };
