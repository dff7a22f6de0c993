// A person's first day on a machine where Sandlot was never before: a first sandbox, a recipe of one's own, and what all that left on the disk.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenApp, openApp } from '../open-app.ts';
import { expectPicture, isRefused } from '../page-picture.ts';
import { environmentPage, recipeForm } from '../pages/environment-page.ts';
import { housePages } from '../pages/house-pages.ts';
import { sessionPage } from '../pages/session-page.ts';
import { shell } from '../pages/shell.ts';

let app: OpenApp;
beforeAll(async () => {
  app = await openApp();
  await app.page.setViewportSize({ width: 1600, height: 1000 });
  await app.page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
});
afterAll(async () => await app.close());

const showTape = async (): Promise<void> => {
  const { page } = app;
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  const tape = page.getByRole('region', { name: /^Tape of/ });
  await tape.getByText('answer 42', { exact: false }).last().waitFor();
};

test('1. from nothing: the runtime is explained, a template is built, pinned and launched, and a command answers', {
  timeout: 300_000,
}, async () => {
  const { page } = app;
  const window = shell(page);
  await page.getByRole('heading', { name: 'From nothing to a live sandbox in three steps' }).waitFor();
  await page.getByRole('link', { name: /^Base sandbox/ }).waitFor();
  await expectPicture(page, 'first-run');
  await window.runtime().click();
  await page
    .getByRole('region', { name: /used for new environments/ })
    .getByText('Connected', { exact: true })
    .waitFor();
  await window.open('Home');
  await page.getByRole('link', { name: /^Base sandbox/ }).click();
  expect(await page.getByRole('radio', { name: /^Base sandbox/ }).getAttribute('aria-checked')).toBe('true');
  const environment = environmentPage(page);
  await environment.createNow('First box');
  await environment.buildAndPin();
  await environment.builds().getByText('Pinned').waitFor({ timeout: 240_000 });
  await environment.launch();

  const session = sessionPage(page);
  await session.ready();
  await session.type('echo "answer $((40 + 2))"\n');
  await session.says('answer 42');
  await page.reload();
  await session.says('answer 42');
  await session.part('Activity');
  await page.getByRole('img', { name: /^Memory\. Memory: now \d/ }).waitFor();
  await session.part('Tape');
  await showTape();
  await session.part('Terminals');
  await session.type('exit 3\n');
  await session.tab(/exited with code 3/).waitFor();
  await session.remove();
});

test('a picture of a page is refused when the page is blank, and when one panel is missing', async () => {
  const { page } = app;
  await shell(page).go('/storage');
  await page.getByRole('region', { name: 'Left-overs' }).waitFor();
  await shell(page).go('/environments/new');
  await page.getByRole('radio', { name: /^Base sandbox/ }).waitFor();
  await expectPicture(page, 'new-environment');
  const hide = async (what: string, style: string) =>
    await page.evaluate(`for (const one of document.querySelectorAll('${what}')) one.style.visibility = '${style}'`);
  await hide('[role=radiogroup][aria-label=Template]', 'hidden');
  expect(await isRefused(page, 'new-environment')).toBe(true);
  await hide('[role=radiogroup][aria-label=Template]', '');
  expect(await isRefused(page, 'new-environment')).toBe(false);
  await hide('.nav', 'hidden');
  expect(await isRefused(page, 'new-environment')).toBe(true);
  await hide('body', 'hidden');
  expect(await isRefused(page, 'new-environment')).toBe(true);
  await hide('body, .nav', '');
  // Whatever is coloured and typed over must not bring its colour along: the console complains of that at the end.
  await page.getByText('YAML or file').click();
  await page.getByRole('textbox', { name: 'Environment file as YAML' }).click();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('base: bun');
});

test('2. a recipe of one’s own by the form: its failing build is read, the step mended, and it is built and pinned', {
  timeout: 300_000,
}, async () => {
  const { page } = app;
  const [environment, form] = [environmentPage(page), recipeForm(page)];
  await shell(page).open('Environments');
  await environment.createEmpty('Own box');
  await environment.openTab('Recipe');
  await page.getByText('Form', { exact: true }).click();
  await form.addStep('Make the tool', 'ls /nowhere');
  await environment.save();
  expect(await page.getByText('could not be written', { exact: false }).count()).toBe(0);
  await environment.buildAndPin();
  await page.getByRole('alert').getByText('Make the tool').waitFor({ timeout: 240_000 });
  await page.getByRole('button', { name: 'Show in the log' }).click();
  await environment.buildLog().getByText('✗ Make the tool').waitFor();
  await environment.buildLog().getByText("cannot access '/nowhere'").first().waitFor();
  await expectPicture(page, 'failing-build');
  await environment.openTab('Overview');
  await page.getByText('Not built').first().waitFor();

  await environment.openTab('Recipe');
  await form.rewriteStep('install -m 755 /dev/stdin /usr/local/bin/tool <<< "echo it works"');
  await environment.save();
  await environment.buildAndPin();
  await environment.builds().getByText('Pinned').waitFor({ timeout: 240_000 });
  await environment.launch();
  const session = sessionPage(page);
  await session.ready();
  await session.type('tool\n');
  await session.says('it works');
  await session.removeForGood(page.url());
});

test('10. what takes the disk is found, what nobody needs is removed, and the activity log says so; settings stay', {
  timeout: 300_000,
}, async () => {
  const { page } = app;
  const [window, house] = [shell(page), housePages(page)];
  await window.open('Images');
  await house.image('Own box').waitFor();
  await house.image('Own box').getByRole('link', { name: 'Own box' }).first().click();
  await environmentPage(page).choose('Delete…');
  await page.getByRole('textbox', { name: 'Type Own box to confirm' }).fill('Own box');
  await page.getByRole('button', { name: 'Delete environment' }).click();
  await page.getByRole('heading', { level: 1, name: 'Environments' }).waitFor();
  await window.open('Images');
  await house.image('Nobody').waitFor();

  await window.open('Storage');
  await (await house.measured()).getByRole('link', { name: 'First box' }).waitFor();
  await house.lookForLeftOvers();
  await house.removeLeftOvers();
  await window.open('Images');
  await house.image('First box').waitFor();
  expect(await house.image('Nobody').count()).toBe(0);
  await window.open('Activity log');
  await house.logged(/Removed \d+ left-overs? from the runtimes/).waitFor();

  await window.open('Settings');
  const stops = page.getByRole('radio', { name: 'Stop all sessions' });
  await stops.click();
  await expect.poll(() => stops.isChecked()).toBe(true);
  await page.getByRole('radiogroup', { name: 'Look' }).getByText('Dark', { exact: true }).click();
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  await expect.poll(() => stops.isChecked()).toBe(true);
  expect(await page.evaluate('document.documentElement.dataset.mantineColorScheme')).toBe('dark');
  await expectPicture(page, 'settings-dark');
});

test('nothing was complained about in the console', () => expect(app.complaints).toEqual([]));
