// What the native menu holds. Everything in it can be done in the page as well; a key that the page takes (a terminal takes most) is not the menu's.
import type { MenuItemConstructorOptions } from 'electron';

export interface MenuActions {
  open: (route: string) => void;
  /** Presses keys in the page, which does what it does for them. */
  press: (keyCode: string, modifiers: readonly ('control' | 'meta' | 'shift')[]) => void;
  back: () => void;
  forward: () => void;
  showDataFolder: () => void;
  showLog: () => void;
}

const separator: MenuItemConstructorOptions = { type: 'separator' };

const pages: readonly (readonly [label: string, route: string])[] = [
  ['Home', '/'],
  ['Environments', '/environments'],
  ['Sessions', '/sessions'],
  ['Agents', '/agents'],
  ['Network', '/network'],
  ['Secrets', '/secrets'],
  ['Images', '/images'],
  ['Storage', '/storage'],
  ['Activity log', '/activity'],
  ['Runtimes', '/runtimes'],
];

const settingsItem = ({ open }: MenuActions): MenuItemConstructorOptions => ({
  label: 'Settings…',
  accelerator: 'CmdOrCtrl+,',
  click: () => open('/settings'),
});

const macAppMenu = (actions: MenuActions): MenuItemConstructorOptions => ({
  role: 'appMenu',
  submenu: [
    { role: 'about' },
    separator,
    settingsItem(actions),
    separator,
    { role: 'services' },
    separator,
    { role: 'hide' },
    { role: 'hideOthers' },
    { role: 'unhide' },
    separator,
    { role: 'quit' },
  ],
});

const fileMenu = (actions: MenuActions, isMac: boolean): MenuItemConstructorOptions => ({
  label: '&File',
  submenu: [
    { label: 'New environment…', accelerator: 'CmdOrCtrl+N', click: () => actions.open('/environments/new') },
    ...(isMac
      ? [separator, { role: 'close' as const }]
      : [separator, settingsItem(actions), separator, { role: 'close' as const }, { role: 'quit' as const }]),
  ],
});

const viewMenu = ({ press }: MenuActions, isMac: boolean): MenuItemConstructorOptions => ({
  label: '&View',
  submenu: [
    // The page listens to this key itself; here it is shown only.
    {
      label: 'Search everything…',
      accelerator: 'CmdOrCtrl+K',
      registerAccelerator: false,
      click: () => press('K', [isMac ? 'meta' : 'control']),
    },
    separator,
    { role: 'reload' },
    separator,
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
    separator,
    { role: 'togglefullscreen' },
  ],
});

const goMenu = ({ back, forward, open }: MenuActions, isMac: boolean): MenuItemConstructorOptions => ({
  label: '&Go',
  submenu: [
    { label: 'Back', accelerator: isMac ? 'Cmd+[' : 'Alt+Left', click: back },
    { label: 'Forward', accelerator: isMac ? 'Cmd+]' : 'Alt+Right', click: forward },
    separator,
    ...pages.map(([label, route]) => ({ label, click: () => open(route) })),
  ],
});

const helpMenu = ({ press, showDataFolder, showLog }: MenuActions, isMac: boolean): MenuItemConstructorOptions => ({
  role: 'help',
  submenu: [
    { label: 'Keyboard shortcuts', click: () => press('?', []) },
    separator,
    { label: 'Show the data folder', click: showDataFolder },
    { label: 'Show the log of the host', click: showLog },
    ...(isMac ? [] : [separator, { role: 'about' as const }]),
  ],
});

/** The menu of a system, as Electron takes it. */
export const menuItems = (actions: MenuActions, platform: NodeJS.Platform): MenuItemConstructorOptions[] => {
  const isMac = platform === 'darwin';
  return [
    ...(isMac ? [macAppMenu(actions)] : []),
    fileMenu(actions, isMac),
    { role: 'editMenu' },
    viewMenu(actions, isMac),
    goMenu(actions, isMac),
    { role: 'windowMenu' },
    helpMenu(actions, isMac),
  ];
};
