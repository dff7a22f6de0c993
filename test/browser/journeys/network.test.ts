// Network rules on a real runtime: written, blocked by, opened for a while, opened for good, and made of what was observed. Behind the policy
// proxy stands one server of the test in the place of the public network.
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { userInfo } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenApp, openApp } from '../open-app.ts';
import { expectPicture } from '../page-picture.ts';
import { environmentPage } from '../pages/environment-page.ts';
import { networkTab } from '../pages/network-tab.ts';
import { sessionPage } from '../pages/session-page.ts';
import { setupTab } from '../pages/setup-tab.ts';
import { shell } from '../pages/shell.ts';
import { fetchInBash, type ShopServer, startShopServer } from '../shop-server.ts';
import { violations } from '../violations.ts';

let app: OpenApp;
let shop: ShopServer;
beforeAll(async () => {
  shop = await startShopServer();
  app = await openApp({ upstream: shop.upstream });
  await app.page.emulateMedia({ reducedMotion: 'reduce' });
});
afterAll(async () => {
  await app.close();
  shop.close();
});

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

/** Whether the end of its text lies in the cell. */
const isWholeInCell = (one: Element): boolean => {
  const text = document.createRange();
  text.selectNodeContents(one);
  return text.getBoundingClientRect().right <= (one.closest('[role="cell"]')?.getBoundingClientRect().right ?? 0) + 1;
};

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
  await page.setViewportSize({ width: 1024, height: 700 });
  // Eleven lines and more, without scrolling.
  await expect.poll(() => setup.logInSight()).toBeGreaterThan(190);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('button', { name: 'Add rule for blocked.example:443' }).click();
  await page.getByText('Added', { exact: false }).first().waitFor();
  expect(await violations(page)).toEqual([]);

  await environmentPage(page).openTab('Network');
  await networkTab(page).rule(3).getByRole('button', { name: 'Edit blocked.example' }).waitFor();
  await page.getByText(/^\d+ of \d+ attempts? would now be allowed\.$/).waitFor();
  await networkTab(page).save();

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Network' }).click();
  const row = page.getByRole('row').filter({ has: page.getByRole('button', { name: 'blocked.example:443' }) });
  const origin = row.first().getByText('Setup line 2');
  await origin.waitFor();
  for (const width of [1024, 1200]) {
    await page.setViewportSize({ width, height: 800 });
    expect([width, await origin.evaluate(isWholeInCell)]).toEqual([width, true]);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await row.first().getByText('Blocked', { exact: true }).waitFor();
  await row.first().getByRole('button', { name: 'blocked.example:443', exact: true }).click();
  await page.getByText('git ls-remote https://blocked.example/tools.git').waitFor();
  await page.getByText('There is nothing to grant.', { exact: false }).waitFor();
  expect(await violations(page)).toEqual([]);
});

test('5. a blocked setup is observed, the smallest rules are shown and saved, and setup passes under them', {
  timeout: 300_000,
}, async () => {
  const { page } = app;
  await shell(page).open('Environments');
  const environment = environmentPage(page);
  await environment.create('Base sandbox', 'Observed box');
  await environment.openTab('Setup');
  const setup = setupTab(page);
  await setup.write(`${fetchInBash}\nfetch shop.example / | grep ' 200 '`);
  await page.getByRole('button', { name: 'Observe', exact: true }).click();
  await page.getByRole('dialog').getByText('Everything public can be reached', { exact: false }).waitFor();
  await page.getByRole('dialog').getByText('Your edits are saved first', { exact: false }).waitFor();
  await page.getByRole('button', { name: 'Save and observe' }).click();
  await setup.runIs('Observed');
  await setup.verdictIs('Not tested');
  await setup.panel().getByText('This run was observed: it proves nothing').waitFor();
  expect(await violations(page)).toEqual([]);

  await page.getByRole('button', { name: 'Propose rules' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('allow shop.example · port 80').waitFor();
  await dialog.getByText('1 of 1 attempt would now be allowed.').waitFor();
  expect(await violations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Save and test setup' }).click();
  await setup.verdictIs('Verified');

  await environment.openTab('Network');
  const access = page.getByRole('region', { name: 'Effective access' });
  await access
    .getByRole('row', { name: /shop\.example/ })
    .getByText('Allowed')
    .waitFor();
  expect(await violations(page)).toEqual([]);
});

test('a grant in a live session opens at once, says who gave it and when, and is closed within a second of being taken back', {
  timeout: 300_000,
}, async () => {
  const { page } = app;
  const environment = environmentPage(page);
  await shell(page).open('Environments');
  await environment.create('Base sandbox', 'Granted box');
  await environment.openTab('Network');
  const network = networkTab(page);
  await network.choose('Rules');
  await network.addRule();
  await network.typeHosts(1, 'other.example');
  await network.save();
  await environment.launch();

  const session = sessionPage(page);
  await session.ready();
  await session.type(`${fetchInBash}\nclear; fetch shop.example /\n`);
  await session.says('403 Forbidden (Sandlot: no_rule)');

  await session.part('Network');
  await page.getByRole('button', { name: 'shop.example:80' }).first().click();
  await page.getByRole('button', { name: 'This session', exact: true }).click();
  const granted = page.getByRole('region', { name: 'Granted beside the policy' });
  await granted.getByText(`by ${userInfo().username}`, { exact: false }).waitFor();
  expect(await violations(page)).toEqual([]);

  await session.part('Terminals');
  await session.type('clear; fetch shop.example /slow 100 99\n');
  await session.says('HTTP/1.1 200 OK');
  await expect.poll(() => shop.slow.length).toBe(1);

  await session.part('Network');
  const cut = once(shop.slow[0] as Socket, 'close');
  await granted.getByRole('button', { name: 'Take back' }).click();
  const pressed = performance.now();
  await cut;
  expect(performance.now() - pressed).toBeLessThan(1_000);
  await granted.getByText('Earlier: 1').click();
  await granted.getByText('taken back', { exact: false }).waitFor();

  await session.part('Terminals');
  await session.type('clear; fetch shop.example /\n');
  await session.says('403 Forbidden (Sandlot: no_rule)');
});

test('4. what a session was blocked from is seen in the monitor, allowed for good by the rule that is shown before, and works', {
  timeout: 120_000,
}, async () => {
  const { page } = app;
  const session = sessionPage(page);
  const address = page.url();
  await page.setViewportSize({ width: 1600, height: 1000 });
  await shell(page).open('Network');
  await page.getByRole('button', { name: 'shop.example:80' }).first().click();
  const box = page.getByRole('region', { name: 'Allow shop.example:80' });
  await box.getByText('allow shop.example · port 80').waitFor();
  await expectPicture(page, 'egress-monitor');
  await box.getByRole('button', { name: 'For good…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Allow shop.example:80 for good?' });
  await dialog.getByText('allow shop.example · port 80').waitFor();
  await dialog.getByRole('button', { name: 'Add the rule' }).click();
  await shell(page).toast('shop.example:80 is a rule of the environment now.').waitFor();
  await shell(page).go(address.slice(address.indexOf('#') + 1));
  await session.part('Terminals');
  await session.type('clear; fetch shop.example / 5 9\n');
  await session.says('hello');
  await session.remove();
  expect(app.complaints).toEqual([]);
});
