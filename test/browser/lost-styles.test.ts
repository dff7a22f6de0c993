// A browser gives up a load when a network of the machine comes or goes, as one does with each container: the page gets its look all the same.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWebDoor } from '../../main/web/server.ts';
import { builtPage } from './build-page.ts';
import { type OpenApp, openApp } from './open-app.ts';

let app: OpenApp;
beforeAll(async () => {
  app = await openApp();
}, 120_000);
afterAll(() => app.close());

test('a style sheet that did not come is asked for again', { timeout: 60_000 }, async () => {
  const door = await openWebDoor({ host: app.host, rendererFolder: await builtPage(app.host.dataFolder) });
  const page = await app.browser.newPage();
  let asked = 0;
  await page.route(/\.css$/, async (route) => {
    asked += 1;
    await (asked <= 2 ? route.abort('connectionaborted') : route.continue());
  });
  await page.goto(door.newUrl());
  await page.locator('.shell').waitFor();
  const display = (): Promise<string> => page.locator('.shell').evaluate((shell) => getComputedStyle(shell).display);
  await expect.poll(display, { timeout: 10_000 }).toBe('grid');
  expect(asked).toBe(3);
  await page.close();
});
