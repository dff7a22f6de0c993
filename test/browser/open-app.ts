// The app in a browser, over a host of its own with the real runtimes: what the browser tests stand on.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright';
import { build } from 'vite';
import { type Host, startHost } from '../../main/host/host.ts';
import { openWebDoor } from '../../main/web/server.ts';
import { createEngine, type EngineOptions } from '../../sandbox-engine/index.ts';

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

/** Builds the page, starts a host in a new folder and opens the page in Chromium; `upstream` is the network beyond its policy proxy. Whoever
 * opens it closes it. */
export const openApp = async ({ upstream }: Pick<EngineOptions, 'upstream'> = {}): Promise<OpenApp> => {
  const folder = await mkdtemp(join(tmpdir(), 'sandlot-browser-'));
  const rendererFolder = join(folder, 'page');
  await build({ configFile: 'vite.config.ts', logLevel: 'error', build: { outDir: rendererFolder, emptyOutDir: true } });
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
  // Chromium gives up what it is loading whenever a network of the machine comes or goes, as one does with each container.
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
      await start.host.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
