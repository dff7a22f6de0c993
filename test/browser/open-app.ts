// The app in a browser, over a host of its own with the real runtimes: what the browser tests stand on.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page, type Route } from 'playwright';
import { type Host, startHost } from '../../main/host/host.ts';
import { openWebDoor } from '../../main/web/server.ts';
import type { CallOutput } from '../../sandbox-engine/contract/calls.ts';
import { createEngine, type EngineOptions } from '../../sandbox-engine/index.ts';
import { builtPage } from './build-page.ts';

const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export interface OpenApp {
  browser: Browser;
  page: Page;
  host: Host;
  /** What the page complained about: console errors and thrown ones. */
  complaints: string[];
  close: () => Promise<void>;
}

// What is still on its way when the window closes is nobody's loss.
const fetchedForIt = async (route: Route): Promise<void> => {
  try {
    await route.fulfill({ response: await route.fetch() });
  } catch {
    await route.abort().catch(() => undefined);
  }
};

/** Deletes every session for good: those that were deleted with an undo would outlive their host. */
const deleteSessions = async (host: Host): Promise<void> => {
  const listed = await host.dispatch('sessions.list', { limit: 200 });
  const { sessions } = listed.ok ? (listed.value as CallOutput<'sessions.list'>) : { sessions: [] };
  for (const { id } of sessions) await host.dispatch('sessions.delete', { session_id: id, undo_seconds: 0 });
};

/** Starts a host in a new folder and opens the page in Chromium; `upstream` is the network beyond its policy proxy. Whoever
 * opens it closes it. */
export const openApp = async ({ upstream }: Pick<EngineOptions, 'upstream'> = {}): Promise<OpenApp> => {
  const folder = await mkdtemp(join(tmpdir(), 'sandlot-browser-'));
  const rendererFolder = await builtPage(folder);
  const start = await startHost({
    env: process.env,
    dataFolder: join(folder, 'data'),
    version: '0.0.0',
    openEngine: (options) => createEngine({ ...options, ...(upstream === undefined ? {} : { upstream }) }),
    checkOutputs: true,
  });
  if (start.kind !== 'started') throw new Error('there is no other host in a new folder');
  const door = await openWebDoor({ host: start.host, rendererFolder });
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: quiet });
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  // Chromium gives up what it is loading whenever a network of the machine comes or goes, as one does with each container. So the
  // pieces of the page are fetched from the door for it.
  await page.route(/\/(assets\/|icon\.)/, fetchedForIt);
  for (let tries = 0; tries < 3; tries += 1) {
    complaints.length = 0;
    await page.goto(door.newUrl());
    if (!complaints.some((text) => text.includes('ERR_NETWORK_CHANGED'))) break;
  }
  return {
    browser,
    page,
    host: start.host,
    complaints,
    close: async () => {
      await browser.close();
      await deleteSessions(start.host);
      await start.host.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
