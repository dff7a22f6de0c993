// What happens when the page wants to go somewhere: it stays, and only an https link reaches the person's browser.
import type { HostLog } from '../host/host-log.ts';

const isHttps = (url: string): boolean => {
  try {
    return new URL(url).protocol === 'https:';
  } catch {
    return false;
  }
};

export interface LinkGuard {
  /** For `setWindowOpenHandler`: no window is ever opened. */
  decideOpen: (details: { url: string }) => { action: 'deny' };
  /** For every event by which a page, frame or webview would go elsewhere. */
  refuse: (event: { preventDefault: () => void; url?: string }) => void;
}

/** Refuses windows, navigation, frames and webviews; an https link goes to `openExternal`, once a wish. */
export const createLinkGuard = (openExternal: (url: string) => Promise<void>, log: Pick<HostLog, 'warn'>): LinkGuard => ({
  decideOpen: ({ url }) => {
    if (isHttps(url)) void openExternal(url).catch((error: unknown) => log.warn({ error }, 'the browser did not open'));
    else log.warn({ url: url.slice(0, 200) }, 'a link was refused');
    return { action: 'deny' };
  },
  refuse: (event) => {
    event.preventDefault();
    log.warn({ url: event.url?.slice(0, 200) ?? null }, 'a navigation was refused');
  },
});
