// The desktop app around a host: window, tray, menu, notifications, links and the way out, opened together and closed in reverse.
import { existsSync } from 'node:fs';
import { app, type BrowserWindow, dialog, ipcMain, Notification, powerMonitor, protocol } from 'electron';
import type { Reply } from '../../sandbox-engine/contract/bridge.ts';
import type { Session } from '../../sandbox-engine/contract/model.ts';
import type { Host } from '../host/host.ts';
import { followNews } from './app-news.ts';
import { createChooseFolder } from './choose-folder.ts';
import type { gatherLinks } from './deep-link.ts';
import { openIpcDoor } from './ipc.ts';
import { setMenu } from './menu.ts';
import { createNotifier, type Notice } from './notify.ts';
import { servePage } from './page-protocol.ts';
import { createQuit, type Quit } from './quit.ts';
import { decideQuit } from './quit-dialog.ts';
import { createTray } from './tray.ts';
import { startUpdateWatch } from './update-watch.ts';
import { type AppWindow, openWindow, raiseWindow } from './window.ts';

export interface DesktopFiles {
  rendererFolder: string;
  preloadFile: string;
  iconFile: string;
  version: string;
}

export interface DesktopPlan {
  host: Host;
  files: DesktopFiles;
  links: ReturnType<typeof gatherLinks>;
}

interface Front {
  open: (route: string) => void;
  window: () => BrowserWindow | null;
  close: () => Promise<boolean>;
}

const createFront = (host: Host, files: DesktopFiles, quit: () => Quit): Front => {
  let shown: AppWindow | null = null;
  const living = (): AppWindow | null => (shown === null || shown.window.isDestroyed() ? null : shown);
  return {
    open: (route) => {
      const here = living();
      if (here === null) {
        const plan = { host, ...files, quit: () => void quit().ask(), onSystemEnd: () => void quit().now() };
        shown = openWindow(plan, route);
        return;
      }
      if (route !== '/') void here.window.webContents.loadURL(`app://sandlot/#${route}`);
      raiseWindow(here.window);
    },
    window: () => living()?.window ?? null,
    close: async () => (await living()?.close()) ?? true,
  };
};

/** Shown notifications are held until they are gone: one that is collected answers no click. */
const createShow = (open: (route: string) => void): ((notice: Notice) => void) => {
  const shown = new Set<Notification>();
  return ({ title, body, route }) => {
    if (!Notification.isSupported()) return;
    const notification = new Notification({ title, body });
    shown.add(notification);
    notification.on('close', () => shown.delete(notification));
    notification.on('click', () => {
      shown.delete(notification);
      open(route);
    });
    notification.show();
  };
};

const createLaunch =
  (host: Host, open: (route: string) => void, show: (notice: Notice) => void) =>
  async (environment_id: string): Promise<void> => {
    const reply = (await host.dispatch('sessions.launch', { environment_id })) as Reply<Session>;
    if (reply.ok) return open(`/sessions/${reply.value.id}`);
    // Its page can ask what a tray cannot, such as whether folders may be used.
    const route = `/environments/${environment_id}`;
    show({ title: 'The session did not start', body: [reply.error.message, reply.error.next_action ?? ''].join(' ').trim(), route });
    return open(route);
  };

/** Sessions and environments go to the tray and to notifications. True when there is a tray. */
const openNews = (host: Host, { iconFile }: DesktopFiles, front: Front, quit: Quit): boolean => {
  const show = createShow(front.open);
  const launch = createLaunch(host, front.open, show);
  // A build without the icon has no tray, and works all the same.
  const tray = existsSync(iconFile)
    ? createTray(iconFile, {
        open: front.open,
        launch: (id) => void launch(id),
        quit: (stopSessions) => void quit.withAnswer(stopSessions ? 'stop' : 'keep'),
      })
    : null;
  const news = followNews(host, () => tray?.show(news.now()));
  const notify = createNotifier({ nameOf: news.nameOf, isLooking: () => front.window()?.isFocused() === true, show });
  const unsubscribe = host.events.subscribe(notify);
  const endUpdates = startUpdateWatch(host, show);
  host.onClose(() => {
    endUpdates();
    unsubscribe();
    news.close();
    tray?.close();
  });
  return tray !== null;
};

const followApp = (front: Front, quit: Quit, hasTray: boolean): void => {
  app.on('activate', () => front.open('/'));
  // With a tray the app goes on without a window; without one the last window is the way out.
  app.on('window-all-closed', () => (hasTray || quit.isEnding() ? undefined : void quit.ask()));
  app.on('before-quit', quit.onBeforeQuit);
  // The system waits for nobody: sessions go on in their containers, and the next start finds them.
  powerMonitor.on('shutdown', () => void quit.now());
};

/** Opens everything that is native; the app ends when the host has ended. */
export const openDesktop = ({ host, files, links }: DesktopPlan): void => {
  const front = createFront(host, files, () => quit);
  const quit = createQuit({
    decide: async () => await decideQuit(host, dialog),
    closeWindow: front.close,
    closeHost: host.close,
    onStay: () => front.open('/'),
  });
  servePage(protocol, files.rendererFolder);
  setMenu({ open: front.open, window: front.window, dataFolder: host.dataFolder, version: files.version });
  host.onClose(openIpcDoor({ host, ipcMain, window: front.window, chooseFolder: createChooseFolder(dialog, front.window) }));
  host.controls.set('open', async () => {
    front.open('/');
    return { raised: true };
  });
  followApp(front, quit, openNews(host, files, front, quit));
  links.follow(front.open);
};
