// The one window: isolated, sandboxed, on our own page only.
import { BrowserWindow, dialog, screen, shell } from 'electron';
import type { Host } from '../host/host.ts';
import { pageOrigin } from './ipc.ts';
import { createLinkGuard } from './links.ts';
import { createPageLife, type PageLife } from './page-life.ts';
import { guardPermissions } from './permissions.ts';
import { keepWindowState, readWindowState, restoreBounds, saveWindowState } from './window-state.ts';

export interface WindowPlan {
  host: Host;
  preloadFile: string;
  iconFile: string;
  quit: () => void;
  /** The system ends this person's session (Windows). */
  onSystemEnd: () => void;
}

export interface AppWindow {
  window: BrowserWindow;
  /** Closes it; false when the person stays because of edits that are not saved. */
  close: () => Promise<boolean>;
}

const makeWindow = ({ host, preloadFile, iconFile }: WindowPlan): BrowserWindow => {
  const screens = screen.getAllDisplays().map(({ workArea }) => workArea);
  const { isMaximized, isFullScreen, ...bounds } = restoreBounds(readWindowState(host.dataFolder), screens);
  const window = new BrowserWindow({
    ...bounds,
    minWidth: 1024,
    minHeight: 700,
    show: false,
    fullscreen: isFullScreen,
    title: 'Sandlot',
    icon: iconFile,
    webPreferences: {
      preload: preloadFile,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webviewTag: false,
      // Names of programs and hosts are no words; in a terminal nothing may be marked or sent to a speller.
      spellcheck: false,
    },
  });
  if (isMaximized) window.maximize();
  return window;
};

const guardContents = ({ webContents }: BrowserWindow, host: Host): void => {
  const links = createLinkGuard(async (url) => await shell.openExternal(url), host.log);
  webContents.setWindowOpenHandler(links.decideOpen);
  webContents.on('will-navigate', links.refuse);
  webContents.on('will-redirect', links.refuse);
  webContents.on('will-frame-navigate', links.refuse);
  webContents.on('will-attach-webview', links.refuse);
  guardPermissions(webContents.session);
};

const followLife = (window: BrowserWindow, { host, quit }: WindowPlan): PageLife => {
  const { webContents } = window;
  const life = createPageLife({
    ask: async (question) =>
      (await dialog.showMessageBox(window, { type: 'warning', defaultId: 0, cancelId: 0, noLink: true, ...question })).response,
    close: () => window.close(),
    reload: () => webContents.reload(),
    quit,
    log: host.log,
    nowMs: () => performance.now(),
  });
  window.on('close', life.onClose);
  window.on('unresponsive', life.onUnresponsive);
  webContents.on('will-prevent-unload', life.onPreventUnload);
  webContents.on('did-finish-load', life.onLoaded);
  webContents.on('render-process-gone', (_event, details) => life.onGone(details));
  return life;
};

/** Opens the window at `route`, a path of the page that begins with a slash. */
export const openWindow = (plan: WindowPlan, route: string): AppWindow => {
  const { host } = plan;
  const window = makeWindow(plan);
  guardContents(window, host);
  const life = followLife(window, plan);
  keepWindowState(window, (state) => saveWindowState(host.dataFolder, state));
  window.on('session-end', plan.onSystemEnd);
  window.once('ready-to-show', () => window.show());
  void window.loadURL(`${pageOrigin}/#${route}`);
  return {
    window,
    close: async () =>
      await new Promise((resolve) => {
        if (window.isDestroyed()) return resolve(true);
        window.once('closed', () => resolve(true));
        life.onceStayed(() => resolve(false));
        window.close();
      }),
  };
};

/** Brings a window to the front. */
export const raiseWindow = (window: BrowserWindow): void => {
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
};
