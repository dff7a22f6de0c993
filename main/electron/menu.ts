// Puts the native menu in place.
import { join } from 'node:path';
import { app, type BrowserWindow, Menu, shell } from 'electron';
import { type MenuActions, menuItems } from './menu-items.ts';

export interface MenuPlace {
  open: (route: string) => void;
  window: () => BrowserWindow | null;
  dataFolder: string;
  version: string;
}

const pressIn = (window: BrowserWindow | null, ...[keyCode, modifiers]: Parameters<MenuActions['press']>): void => {
  if (window === null || window.isDestroyed()) return;
  for (const type of ['keyDown', 'char', 'keyUp'] as const) window.webContents.sendInputEvent({ type, keyCode, modifiers: [...modifiers] });
};

/** Sets the menu of the app, and what its About says. */
export const setMenu = ({ open, window, dataFolder, version }: MenuPlace): void => {
  const history = () => window()?.webContents.navigationHistory;
  const actions: MenuActions = {
    open,
    press: (keyCode, modifiers) => pressIn(window(), keyCode, modifiers),
    back: () => history()?.goBack(),
    forward: () => history()?.goForward(),
    showDataFolder: () => void shell.openPath(dataFolder),
    showLog: () => shell.showItemInFolder(join(dataFolder, 'host.log')),
  };
  app.setAboutPanelOptions({
    applicationName: 'Sandlot',
    applicationVersion: version,
    copyright: 'Sandboxes on your own Docker or Podman. Apache-2.0',
  });
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuItems(actions, process.platform)));
};
