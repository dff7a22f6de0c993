// The icon in the tray, with its menu.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Menu, type NativeImage, nativeImage, Tray } from 'electron';
import { type TrayActions, type TrayNews, trayItems, trayTip } from './tray-items.ts';

/** macOS colours the icons of its menu bar itself, from a template; elsewhere it is ours. */
const readIcon = (iconFile: string, platform: NodeJS.Platform): NativeImage => {
  const template = join(dirname(iconFile), 'trayTemplate.png');
  if (platform === 'darwin' && existsSync(template)) return nativeImage.createFromPath(template);
  return nativeImage.createFromPath(iconFile).resize({ height: 32, quality: 'best' });
};

/** Puts the icon there; `show` takes the news of now. */
export const createTray = (iconFile: string, actions: TrayActions): { show: (news: TrayNews) => void; close: () => void } => {
  const tray = new Tray(readIcon(iconFile, process.platform));
  let shown = '';
  tray.on('click', () => actions.open('/'));
  return {
    show: (news) => {
      const items = trayItems(news, actions);
      // A menu that is put there anew closes the one that is open, so it is done only when it says something else.
      const words = JSON.stringify(items);
      if (words === shown) return;
      shown = words;
      tray.setToolTip(trayTip(news.sessions));
      tray.setContextMenu(Menu.buildFromTemplate(items));
    },
    close: () => tray.destroy(),
  };
};
