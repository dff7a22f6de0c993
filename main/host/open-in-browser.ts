// Shows a page of ours in the browser of the person, where there is a display.
import { spawn } from 'node:child_process';

const openers: Partial<Record<NodeJS.Platform, string>> = { darwin: 'open', win32: 'explorer.exe', linux: 'xdg-open' };

/** Opens a loopback URL in the default browser; false when there is no display or no program for it. */
export const openInBrowser = (url: string, env: NodeJS.ProcessEnv = process.env): boolean => {
  const opener = openers[process.platform];
  const hasDisplay = process.platform !== 'linux' || Boolean(env['DISPLAY'] ?? env['WAYLAND_DISPLAY']);
  if (opener === undefined || !hasDisplay) return false;
  // The token in the URL is good once and for this host only, so argv may hold it.
  const child = spawn(opener, [url], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
  return true;
};
