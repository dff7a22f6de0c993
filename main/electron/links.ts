// What happens when the page wants to go somewhere: it stays, and only links of a few kinds reach the person's browser or editor.
import type { HostLog } from '../host/host-log.ts';

/** What a page of ours may hand to the system: https, a port of this machine that leads into a sandbox, and VS Code attached to one. What is
 * printed in a sandbox never gets here but as https, after a question (external-link.tsx). */
const isAllowed = (url: string): boolean => {
  try {
    const { protocol, hostname, port } = new URL(url);
    if (protocol === 'https:') return true;
    if (protocol === 'http:') return hostname === '127.0.0.1' && port !== '';
    return /^vscode:\/\/vscode-remote\/attached-container\+[0-9a-f]+\/[\w/.-]*$/.test(url);
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

/** Refuses windows, navigation, frames and webviews; a link that may be opened goes to `openExternal`, once a wish. */
export const createLinkGuard = (openExternal: (url: string) => Promise<void>, log: Pick<HostLog, 'warn'>): LinkGuard => ({
  decideOpen: ({ url }) => {
    if (isAllowed(url)) void openExternal(url).catch((error: unknown) => log.warn({ error }, 'the browser did not open'));
    else log.warn({ url: url.slice(0, 200) }, 'a link was refused');
    return { action: 'deny' };
  },
  refuse: (event) => {
    event.preventDefault();
    log.warn({ url: event.url?.slice(0, 200) ?? null }, 'a navigation was refused');
  },
});
