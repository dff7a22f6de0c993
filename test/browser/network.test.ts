// Network rules on a real runtime: write them, be blocked, read why and at which line, allow it, see what an edit changes.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenApp, openApp } from './open-app.ts';
import { environmentPage } from './pages/environment-page.ts';
import { networkTab } from './pages/network-tab.ts';
import { setupTab } from './pages/setup-tab.ts';
import { violations } from './violations.ts';

let app: OpenApp;
beforeAll(async () => {
  app = await openApp();
});
afterAll(async () => await app.close());

test('rules are written with their problems in place, put in order by keyboard, tested and saved', { timeout: 120_000 }, async () => {
  const { page } = app;
  const environment = environmentPage(page);
  await environment.create('Base sandbox', 'Ruled box');
  await environment.openTab('Network');
  const network = networkTab(page);
  await network.choose('Rules');
  await network.addRule();
  await network.typeHosts(1, '*.allowed.example', 'a..b.example');
  await page.getByText('Label 2 of "a..b.example" is empty.').waitFor();
  await page.getByRole('button', { name: 'Remove a..b.example' }).click();
  await page.getByRole('button', { name: 'and allowed.example itself' }).click();
  await network.addRule();
  await network.rule(2).getByText('Deny', { exact: true }).click();
  await network.typeHosts(2, 'secret.allowed.example');
  await network.rule(2).getByText('Never reached', { exact: true }).waitFor();
  await network.test('https://secret.allowed.example/', 'is allowed by rule 1');
  await network.moveByKeyboard(2, 'ArrowUp', 1);
  await network.rule(1).getByRole('button', { name: 'Edit secret.allowed.example' }).waitFor();
  await network.test('https://secret.allowed.example/', 'rule 1 denies it');
  await page.getByRole('region', { name: 'Effective access' }).getByText('1 host and 1 wildcard').waitFor();
  expect(await violations(page)).toEqual([]);
  await network.save();
  await page.reload();
  await network.rule(1).getByRole('button', { name: 'Edit secret.allowed.example' }).waitFor();
});

test('a blocked setup line names the host; its rule is one press away, and the log shows the line that tried', {
  timeout: 300_000,
}, async () => {
  const { page } = app;
  await environmentPage(page).openTab('Setup');
  const setup = setupTab(page);
  await setup.write('echo begin\ngit ls-remote https://blocked.example/tools.git');
  await setup.testButton().click();
  await setup.runIs('Failed');
  await setup.panel().getByRole('alert').getByText('The network policy blocked blocked.example:443').waitFor();
  expect(await setup.failingLine().allInnerTexts()).toEqual(['git ls-remote https://blocked.example/tools.git']);
  await page.getByRole('button', { name: 'Add rule for blocked.example:443' }).click();
  await page.getByText('Added', { exact: false }).first().waitFor();
  expect(await violations(page)).toEqual([]);

  await environmentPage(page).openTab('Network');
  await networkTab(page).rule(3).getByRole('button', { name: 'Edit blocked.example' }).waitFor();
  await page.getByText(/^\d+ of \d+ attempts? would now be allowed\.$/).waitFor();
  await networkTab(page).save();

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Network' }).click();
  const row = page.getByRole('row').filter({ has: page.getByRole('button', { name: 'blocked.example:443' }) });
  await row.first().getByText('Line 2').waitFor();
  await row.first().getByText('Blocked', { exact: true }).waitFor();
  await row.first().getByRole('button').click();
  await page.getByText('git ls-remote https://blocked.example/tools.git').waitFor();
  await page.getByText('There is nothing to grant.', { exact: false }).waitFor();
  expect(await violations(page)).toEqual([]);
  expect(app.complaints).toEqual([]);
});
