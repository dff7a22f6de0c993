// The main job, by mouse and keyboard on a real runtime: template, build, pin, session, terminal. And what a failing build shows.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenApp, openApp } from './open-app.ts';
import { environmentPage } from './pages/environment-page.ts';
import { sessionPage } from './pages/session-page.ts';
import { violations } from './violations.ts';

let app: OpenApp;
beforeAll(async () => {
  app = await openApp();
});
afterAll(async () => await app.close());

const go = async (hash: string) => await app.page.evaluate((to) => location.replace(to), `#${hash}`);

test('from a template to a prompt; the output outlives a reload, and the exit code is shown', { timeout: 300_000 }, async () => {
  const environment = environmentPage(app.page);
  await environment.create('Base sandbox', 'First box');
  await environment.buildAndPin();
  await environment.builds().getByText('Pinned').waitFor({ timeout: 240_000 });
  await environment.launch();

  const session = sessionPage(app.page);
  await session.ready();
  await session.type('echo "answer $((40 + 2))"\n');
  await session.screen().getByText('answer 42', { exact: false }).last().waitFor();
  await app.page.reload();
  await session.screen().getByText('answer 42', { exact: false }).last().waitFor();
  await session.part('Ports');
  await app.page.getByText('Nothing listens in this session').waitFor();
  await session.part('Activity');
  await app.page.getByRole('img', { name: /^Memory\. Memory: now \d/ }).waitFor();
  await session.part('Tape');
  await app.page.getByRole('button', { name: 'Play' }).click();
  await app.page
    .getByRole('region', { name: /^Tape of/ })
    .getByText('answer 42', { exact: false })
    .last()
    .waitFor();
  await session.part('Terminals');
  await session.type('exit 3\n');
  await session.tab(/exited with code 3/).waitFor();
  await session.remove();
});

test('a failing build names its step, shows its log and leaves the environment unpinned', { timeout: 300_000 }, async () => {
  await go('/environments');
  const environment = environmentPage(app.page);
  await environment.create('Base sandbox', 'Broken box');
  await environment.openTab('Recipe');
  await environment.writeRecipe('base: debian\ninitialize:\n  - name: Fails on purpose\n    run: ls /nowhere\n');
  await environment.buildAndPin();
  await app.page.getByRole('alert').getByText('“Fails on purpose” failed').waitFor({ timeout: 240_000 });
  await environment.step('Fails on purpose').waitFor();
  await environment.buildLog().getByText("cannot access '/nowhere'").waitFor();
  await environment.openTab('Overview');
  await app.page.getByText('Not built').first().waitFor();
});

test.each(['light', 'dark'] as const)(
  'no page breaks a rule of accessibility in the %s look',
  { timeout: 120_000 },
  async (colorScheme) => {
    await app.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await go('/environments');
    await app.page.getByRole('link', { name: 'Broken box' }).click();
    const tabs = ['Overview', 'Recipe', 'Setup', 'Builds', 'Network', 'Privileges', 'Resources', 'Variables', 'Knowledge', 'Sessions'];
    const found: Record<string, string[]> = {};
    for (const tab of tabs) {
      await environmentPage(app.page).openTab(tab);
      found[tab] = await violations(app.page);
    }
    for (const [hash, title] of [
      ['/', 'Home'],
      ['/environments', 'Environments'],
      ['/environments/new', 'New environment'],
      ['/sessions', 'Sessions'],
      ['/agents', 'Agents'],
      ['/secrets', 'Secrets'],
      ['/images', 'Images'],
      ['/activity', 'Activity log'],
      ['/runtimes', 'Runtimes'],
      ['/settings', 'Settings'],
    ] as const) {
      await go(hash);
      await app.page.getByRole('heading', { level: 1, name: title }).waitFor();
      found[title] = await violations(app.page);
    }
    expect(Object.fromEntries(Object.entries(found).filter(([, broken]) => broken.length > 0))).toEqual({});
  },
);

test('nothing was complained about in the console', () => expect(app.complaints).toEqual([]));
