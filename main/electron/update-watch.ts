// Starts to look for updates in a package; in a tree that was built by hand there is no feed, and nobody is asked.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { app, net } from 'electron';
import type { Host } from '../host/host.ts';
import type { Notice } from './notify.ts';
import { watchUpdates } from './updates.ts';

const readFeedFile = (): string | null => {
  try {
    return app.isPackaged ? readFileSync(join(process.resourcesPath, 'app-update.yml'), 'utf8') : null;
  } catch {
    // A package that was made without a feed.
    return null;
  }
};

const timeoutMs = 20_000;

/** Begins; the returned function ends it. */
export const startUpdateWatch = (host: Host, tell: (notice: Notice) => void): (() => void) =>
  watchUpdates({
    appUpdateYml: readFeedFile(),
    version: app.getVersion(),
    platform: process.platform,
    arch: process.arch,
    fetchText: async (url) => {
      const answer = await net.fetch(url, { credentials: 'omit', signal: AbortSignal.timeout(timeoutMs) });
      return answer.ok ? (await answer.text()).slice(0, 16_384) : '';
    },
    tell,
    log: host.log,
  });
