// The native menu: editing keys, view, window; nothing that the page cannot do itself.
import { Menu, type MenuItemConstructorOptions } from 'electron';

const items = (isMac: boolean): MenuItemConstructorOptions[] => [
  ...(isMac ? [{ role: 'appMenu' as const }] : [{ label: '&File', submenu: [{ role: 'quit' as const }] }]),
  { role: 'editMenu' },
  {
    label: '&View',
    submenu: [
      { role: 'reload' },
      { type: 'separator' },
      { role: 'resetZoom' },
      { role: 'zoomIn' },
      { role: 'zoomOut' },
      { type: 'separator' },
      { role: 'togglefullscreen' },
    ],
  },
  { role: 'windowMenu' },
];

/** Puts the menu in place. */
export const setMenu = (platform: NodeJS.Platform): void => Menu.setApplicationMenu(Menu.buildFromTemplate(items(platform === 'darwin')));
