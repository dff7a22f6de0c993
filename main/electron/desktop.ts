// The desktop app around a host: window, tray, menu, notifications and links, opened together and closed in reverse.
import { existsSync } from 'node:fs';
import { app, type BrowserWindow, dialog, ipcMain, Notification, protocol } from 'electron';
import type { Reply } from '../../sandbox-engine/contract/bridge.ts';
import type { Session } from '../../sandbox-engine/contract/model.ts';
import type { Host } from '../host/host.ts';
import { linkInWords, routeOfLink } from './deep-link.ts';
import { openIpcDoor } from './ipc.ts';
import { setMenu } from './menu.ts';
import { noticeOf } from './notify.ts';
import { servePage } from './page-protocol.ts';
import { decideQuit } from './quit-dialog.ts';
import { createTray } from './tray.ts';
import { openWindow, raiseWindow } from './window.ts';

export interface DesktopFiles {
  rendererFolder: string;
  preloadFile: string;
  iconFile: string;
}

const followSessions = (host: Host, show: (sessions: readonly Session[]) => void): (() => void) => {
  const sessions = new Map<string, Session>();
  const unsubscribe = host.events.subscribe((event) => {
    if (event.name === 'session.changed') sessions.set(event.payload.id, event.payload);
    else if (event.name === 'session.removed') sessions.delete(event.payload.id);
    else return;
    show([...sessions.values()]);
  });
  void host.dispatch('sessions.list', {}).then((reply) => {
    const listed = reply as Reply<{ sessions: Session[] }>;
    for (const session of listed.ok ? listed.value.sessions : []) if (!sessions.has(session.id)) sessions.set(session.id, session);
    show([...sessions.values()]);
  });
  return unsubscribe;
};

const openTray = (host: Host, iconFile: string, open: (route: string) => void): void => {
  // A desktop without a tray, or a build without the icon: the app works all the same.
  if (!existsSync(iconFile)) return;
  const tray = createTray(iconFile, { open, quit: (stopSessions) => void host.close({ stopSessions }) });
  const unfollow = followSessions(host, tray.show);
  host.onClose(() => {
    unfollow();
    tray.close();
  });
};

/** Opens everything that is native; the app ends when the host has ended. */
export const openDesktop = (host: Host, files: DesktopFiles): void => {
  let window: BrowserWindow | null = null;
  const open = (route: string): void => {
    if (window !== null && !window.isDestroyed()) {
      if (route !== '/') void window.webContents.loadURL(`app://sandlot/#${route}`);
      raiseWindow(window);
      return;
    }
    window = openWindow(host, files, route);
  };
  servePage(protocol, files.rendererFolder);
  setMenu(process.platform);
  host.onClose(openIpcDoor({ host, ipcMain, window: () => window }));
  host.controls.set('open', async () => {
    open('/');
    return { raised: true };
  });
  openTray(host, files.iconFile, open);
  const unsubscribe = host.events.subscribe((event) => {
    const notice = window?.isFocused() === true ? null : noticeOf(event);
    if (notice !== null) new Notification(notice).on('click', () => open(notice.route)).show();
  });
  host.onClose(unsubscribe);
  app.on('second-instance', (_event, words) => open(linkInWords(words) ?? '/'));
  app.on('open-url', (_event, link) => open(routeOfLink(link) ?? '/'));
  app.on('activate', () => open('/'));
  app.on('window-all-closed', () => {
    if (!existsSync(files.iconFile)) void host.close();
  });
  let isClosed = false;
  let isAsking = false;
  const quit = (): void => {
    if (isAsking) return;
    isAsking = true;
    void decideQuit(host, dialog)
      .catch(() => 'keep' as const)
      .then((answer) => {
        isAsking = false;
        if (answer !== 'stay') void host.close({ stopSessions: answer === 'stop' });
      });
  };
  void host.closed.then(() => {
    isClosed = true;
  });
  app.on('before-quit', (event) => {
    if (isClosed) return;
    // The entry ends the app once the engine has closed in order.
    event.preventDefault();
    quit();
  });
  open(linkInWords(process.argv) ?? '/');
};
