// The main job without a mouse: from the palette to a template, a build, a session and a command, each place reached by Tab alone.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenApp, openApp } from '../open-app.ts';
import { environmentPage } from '../pages/environment-page.ts';
import { keys } from '../pages/keys.ts';
import { sessionPage } from '../pages/session-page.ts';
import { shell } from '../pages/shell.ts';

let app: OpenApp;
beforeAll(async () => {
  app = await openApp();
  await app.page.setViewportSize({ width: 1024, height: 700 });
  await app.page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
});
afterAll(async () => await app.close());

test('by keys alone: a template becomes an environment, it is built, launched, used, and its session deleted and brought back', {
  timeout: 300_000,
}, async () => {
  const { page } = app;
  const [hands, window, session] = [keys(page), shell(page), sessionPage(page)];
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  await window.palette('new env', 'New environment');
  await page.getByRole('radio', { name: /^Base sandbox/, checked: true }).waitFor();
  await hands.tabTo('Name');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('Key box');
  await hands.tabTo('Create environment');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Key box' }).waitFor();
  // What was pressed is gone with its page: the next Tab goes on at the beginning of the new one.
  await hands.tabTo('Build & pin', 6);
  await page.keyboard.press('Enter');
  await environmentPage(page).builds().getByText('Pinned').waitFor({ timeout: 240_000 });

  await window.palette('launch key', 'Launch Key box');
  await session.ready();
  await page.keyboard.type('echo "answer $((40 + 2))"\n');
  await session.says('answer 42');
  await window.palette('key', 'Key box');
  await page.getByRole('heading', { level: 1, name: 'Key box' }).waitFor();
  await page.goBack();
  await session.says('answer 42');
  await page.keyboard.press('Control+Alt+Escape');
  await session.tab(/bash/).and(page.locator(':focus')).waitFor();
  await hands.backTo('More for this session');
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Rename…' }).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  // Enter pressed without reading must not destroy anything.
  await page.getByRole('button', { name: 'Cancel' }).and(page.locator(':focus')).waitFor();
  await hands.tabTo('Delete session');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Sessions' }).waitFor();
  await hands.tabTo('Undo', 80);
  await page.keyboard.press('Enter');
  await expect.poll(() => page.getByText('Stopped', { exact: true }).count(), { timeout: 20_000 }).toBeGreaterThan(0);
});

test('nothing was complained about in the console', () => expect(app.complaints).toEqual([]));
