// The Electron door: one channel for calls, one for events. Only the main frame of our own window, on our own page, is answered.
import { callChannel, chooseFolderCall, eventChannel, type Reply } from '../../sandbox-engine/contract/bridge.ts';
import { SandlotError, toErrorBody } from '../../sandbox-engine/index.ts';
import type { Host } from '../host/host.ts';
import { newRequestId } from '../host/request-id.ts';

/** The origin of the page in the window; nothing else may talk to the host. */
export const pageOrigin = 'app://sandlot';

export interface Frame {
  url: string;
}

export interface Sender {
  /** Null when the frame has navigated away or is gone. */
  senderFrame: Frame | null;
}

/** What is used of Electron's ipcMain. */
export interface IpcMain {
  handle: (channel: string, answer: (event: Sender, ...args: unknown[]) => Promise<Reply<unknown>>) => void;
  removeHandler: (channel: string) => void;
}

/** What is used of Electron's BrowserWindow. */
export interface PageWindow {
  isDestroyed: () => boolean;
  webContents: { mainFrame: Frame; send: (channel: string, ...args: unknown[]) => void };
}

/** Whether an address is one of the page in our window. */
export const isOwnPage = (url: string): boolean => {
  try {
    const { protocol, host } = new URL(url);
    return `${protocol}//${host}` === pageOrigin;
  } catch {
    return false;
  }
};

const isOurFrame = (frame: Frame | null, window: PageWindow | null): boolean =>
  frame !== null && window !== null && !window.isDestroyed() && frame === window.webContents.mainFrame && isOwnPage(frame.url);

const foreign = (): Reply<never> => ({
  ok: false,
  error: toErrorBody(new SandlotError('forbidden', 'Only the page of the Sandlot window may call the host.'), newRequestId()),
});

export interface IpcDoorOptions {
  host: Pick<Host, 'dispatch' | 'events' | 'log'>;
  ipcMain: IpcMain;
  /** The window of now; null when there is none. */
  window: () => PageWindow | null;
  /** Asks the person for a folder of this machine; null when none was chosen. */
  chooseFolder: () => Promise<string | null>;
}

/** Opens the door; the returned function closes it. */
export const openIpcDoor = ({ host, ipcMain, window, chooseFolder }: IpcDoorOptions): (() => void) => {
  ipcMain.handle(callChannel, async (event, name, input) => {
    if (!isOurFrame(event.senderFrame, window())) {
      host.log.warn({ url: event.senderFrame?.url.slice(0, 200) ?? null }, 'a foreign frame called the host and was refused');
      return foreign();
    }
    if (name === chooseFolderCall) return { ok: true, value: { folder: await chooseFolder() } };
    return await host.dispatch(name as string, input ?? {});
  });
  const unsubscribe = host.events.subscribe((event) => {
    const target = window();
    if (target !== null && !target.isDestroyed() && isOwnPage(target.webContents.mainFrame.url))
      target.webContents.send(eventChannel, event);
  });
  return () => {
    unsubscribe();
    ipcMain.removeHandler(callChannel);
  };
};
