// The one window: isolated, sandboxed, on our own page only.
import { BrowserWindow, screen, shell } from 'electron';
import type { Host } from '../host/host.ts';
import { pageOrigin } from './ipc.ts';
import { createLinkGuard } from './links.ts';
import { readWindowState, restoreBounds, saveWindowState } from './window-state.ts';

export interface WindowFiles {
  preloadFile: string;
  iconFile: string;
}

/** Writing the clipboard; and reading it, and the whole screen, for a desktop whose person shares or asks for it. */
const allowed: ReadonlySet<string> = new Set(['clipboard-sanitized-write', 'clipboard-read', 'fullscreen']);

/** Opens the window at `route`, a path of the page that begins with a slash. */
export const openWindow = (host: Host, { preloadFile, iconFile }: WindowFiles, route = '/'): BrowserWindow => {
  const screens = screen.getAllDisplays().map(({ workArea }) => workArea);
  const window = new BrowserWindow({
    ...restoreBounds(readWindowState(host.dataFolder), screens),
    minWidth: 1024,
    minHeight: 700,
    show: false,
    title: 'Sandlot',
    icon: iconFile,
    webPreferences: {
      preload: preloadFile,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: false,
    },
  });
  const links = createLinkGuard(async (url) => await shell.openExternal(url), host.log);
  const { webContents } = window;
  webContents.setWindowOpenHandler(links.decideOpen);
  webContents.on('will-navigate', links.refuse);
  webContents.on('will-redirect', links.refuse);
  webContents.on('will-frame-navigate', links.refuse);
  webContents.on('will-attach-webview', links.refuse);
  webContents.session.setPermissionRequestHandler((_contents, permission, decide) => decide(allowed.has(permission)));
  window.once('ready-to-show', () => window.show());
  window.on('close', () => saveWindowState(host.dataFolder, window.getNormalBounds()));
  void window.loadURL(`${pageOrigin}/#${route}`);
  return window;
};

/** Brings a window to the front. */
export const raiseWindow = (window: BrowserWindow): void => {
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
};
