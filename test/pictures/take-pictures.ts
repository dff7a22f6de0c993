// Takes the pictures of the docs, on the real app over a real runtime: `npm run pictures`. Each in the light look, some in the dark one too.
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type OpenApp, openApp } from '../browser/open-app.ts';
import { sessionPage } from '../browser/pages/session-page.ts';
import { furnish, makeAsk, type PicturedHouse } from './pictured-house.ts';
import { readPixels, toSmallPng } from './small-png.ts';

const folder = fileURLToPath(new URL('../../docs/pictures/', import.meta.url));

interface Picture {
  name: string;
  place: string;
  /** Resolves when the page shows what it is about. */
  isReady: () => Promise<void>;
  hasDark?: boolean;
}

const picturesOf = ({ page }: OpenApp, { shopId, brokenId, sessionId, agentId }: PicturedHouse): Picture[] => {
  const heading = (name: string) => () => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  const text = (words: string) => () => page.getByText(words).first().waitFor();
  const ofShop = `/environments/${shopId}`;
  const terminal = async (): Promise<void> => {
    await heading('release 2.4')();
    await sessionPage(page).screen().getByText('"ready"').first().waitFor();
  };
  return [
    { name: 'session', place: `/sessions/${sessionId}`, isReady: terminal, hasDark: true },
    { name: 'home', place: '/', isReady: heading('Home') },
    { name: 'environments', place: '/environments', isReady: text('price service') },
    { name: 'create', place: '/environments/new', isReady: text('Browser desktop') },
    { name: 'environment', place: ofShop, isReady: heading('web shop'), hasDark: true },
    { name: 'recipe', place: `${ofShop}/recipe`, isReady: text('Build steps') },
    { name: 'builds', place: `${ofShop}/builds`, isReady: text('entry point') },
    { name: 'network', place: `${ofShop}/network`, isReady: text('Only the hosts that you list') },
    { name: 'resources', place: `${ofShop}/resources`, isReady: text('Stop an idle session') },
    { name: 'variables', place: `${ofShop}/variables`, isReady: text('PAYMENTS_TOKEN') },
    { name: 'setup', place: `/environments/${brokenId}/setup`, isReady: text('curl -fsS'), hasDark: true },
    { name: 'sessions', place: '/sessions', isReady: text('release 2.4') },
    { name: 'changes', place: `/sessions/${sessionId}/changes`, isReady: text('started') },
    { name: 'files', place: `/sessions/${sessionId}/files`, isReady: text('started') },
    { name: 'attempts', place: '/network', isReady: text('prices.example.com'), hasDark: true },
    { name: 'images', place: '/images', isReady: text('Needed by') },
    { name: 'agents', place: `/agents/${agentId}`, isReady: text('The union of all attached') },
    { name: 'secrets', place: '/secrets', isReady: text('Who got them') },
    { name: 'activity', place: '/activity', isReady: text('Setup of environment') },
    { name: 'storage', place: '/storage', isReady: () => page.getByRole('table', { name: 'Disk by environment' }).waitFor() },
    { name: 'runtimes', place: '/runtimes', isReady: text('Checks') },
    { name: 'settings', place: '/settings', isReady: text('When you quit') },
  ];
};

/** Nothing has the focus, and no notice lies over the page. */
const stillPage = `document.activeElement?.blur?.();
for (const notices of document.querySelectorAll('[class*="mantine-Notifications-root"]')) notices.style.visibility = 'hidden';`;

const shoot = async ({ browser, page }: OpenApp, name: string): Promise<void> => {
  const picture = await page.screenshot();
  await writeFile(`${folder}${name}.png`, toSmallPng(await readPixels(browser, picture)));
};

const take = async (app: OpenApp, { name, place, isReady, hasDark = false }: Picture): Promise<void> => {
  for (const colorScheme of hasDark ? (['light', 'dark'] as const) : (['light'] as const)) {
    await app.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await app.page.evaluate((hash) => location.replace(hash), `#${place}`);
    await isReady();
    await app.page.evaluate(stillPage);
    await shoot(app, `${name}-${colorScheme}`);
  }
};

const takePalette = async (app: OpenApp): Promise<void> => {
  const { page } = app;
  await page.evaluate((hash) => location.replace(hash), '#/');
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  await page.keyboard.press('Control+K');
  await page.getByPlaceholder('Search or do').fill('shop');
  await page.getByText('Launch web shop').waitFor();
  await shoot(app, 'palette-light');
  await page.keyboard.press('Escape');
};

const showTerminal = async ({ page }: OpenApp, { sessionId }: PicturedHouse): Promise<void> => {
  const terminal = sessionPage(page);
  await page.evaluate((hash) => location.replace(hash), `#/sessions/${sessionId}`);
  await terminal.ready();
  await terminal.type('clear; cat shop/NOTES.md; jq -n "{ready: true}"; curl -sS https://tracker.example.net\n');
  await terminal.screen().getByText('"ready"').first().waitFor();
};

const app = await openApp();
try {
  await mkdir(folder, { recursive: true });
  const { page } = app;
  await page.setViewportSize({ width: 1180, height: 740 });
  const house = await furnish(makeAsk(app));
  try {
    await showTerminal(app, house);
    for (const picture of picturesOf(app, house)) await take(app, picture);
    await takePalette(app);
  } finally {
    await house.clear();
  }
} finally {
  await app.close();
}
