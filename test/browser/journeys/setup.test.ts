// The Setup tab on a real runtime: write, fix with one key, test, read why it failed, mend, pass, compare; and cancel.
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenApp, openApp } from '../open-app.ts';
import { expectPicture } from '../page-picture.ts';
import { environmentPage } from '../pages/environment-page.ts';
import { setupTab } from '../pages/setup-tab.ts';
import { violations } from '../violations.ts';

let app: OpenApp;
beforeAll(async () => {
  app = await openApp();
  await app.page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
});
afterAll(async () => await app.close());

const newEnvironment = async (name: string) => {
  await app.page.evaluate("location.replace('#/environments')");
  const environment = environmentPage(app.page);
  await environment.create('Base sandbox', name);
  await environment.openTab('Setup');
  return setupTab(app.page);
};

test('3. a failing script is read hint first, its line leads to the log and back, the mended one passes and its image is pinned', {
  timeout: 300_000,
}, async () => {
  const setup = await newEnvironment('Proven box');
  await setup.write('echo begin\nfor i in 1 2; do\n  echo "round $i"\ndone\nls /nowhere\necho never');
  await app.page.keyboard.press('Control+Enter');
  await setup.runIs('Failed');
  await setup.verdictIs('Failed');
  await setup.panel().getByRole('alert').getByText('/nowhere').first().waitFor();
  await setup.result().getByText('ls /nowhere', { exact: true }).waitFor();
  expect(await setup.failingLine().allInnerTexts()).toEqual(['ls /nowhere']);
  await setup.logRow('5 ❯ ls /nowhere').waitFor();
  await setup.logRow("cannot access '/nowhere'").waitFor();
  await setup.panel().getByRole('button', { name: 'Line 5', exact: true }).click();
  expect(await app.page.locator('.setup-code .cm-activeLine').textContent()).toBe('ls /nowhere');
  expect(await violations(app.page)).toEqual([]);
  await expectPicture(app.page, 'failing-setup');

  await setup.write('echo begin\nsleep 0.2\necho done');
  await app.page.getByText('The shown run ran another script, so its failing line 5 is not marked here.').waitFor();
  // Beside the choice of the script the field is as wide as without it.
  expect((await app.page.getByLabel('Timeout in seconds, 10 to 3600').boundingBox())?.width).toBe(96);
  await setup.testButton().click();
  await setup.runIs('Succeeded');
  await setup.verdictIs('Verified');
  await setup.show('Line times');
  await app.page.getByRole('button', { name: 'Line 2 in the log' }).click();
  await setup.logRow('2 ❯ sleep 0.2').waitFor();

  await setup.show('Runs');
  await app.page.getByRole('button', { name: 'Compare', exact: true }).click();
  const results = app.page.getByRole('table', { name: 'Results of the two runs' });
  expect(await results.getByRole('row', { name: /^Result/ }).textContent()).toBe('ResultFailedSucceeded');
  await app.page.locator('.setup-diff-code .cm-deletedChunk').getByText('ls /nowhere').waitFor();
  const environment = environmentPage(app.page);
  await environment.buildAndPin();
  await environment.builds().getByText('Pinned').waitFor({ timeout: 240_000 });
});

test('Alt+F rewrites the warned line under the cursor, and nothing is saved by it', { timeout: 120_000 }, async () => {
  const setup = await newEnvironment('Warned box');
  await setup.write('echo one\napt-get install -y jq\necho two');
  await setup.warnings().getByText('Line 2').waitFor();
  await setup.goTo(2);
  await app.page.keyboard.press('Alt+f');
  await app.page.locator('.setup-code').getByText('sudo').waitFor();
  expect(await setup.text()).toEqual(['echo one', 'sudo apt-get install -y jq', 'echo two']);
  await app.page.getByRole('region', { name: 'Unsaved edits' }).getByText('setup script', { exact: true }).waitFor();
});

test('a run under way shows its line, lets nobody start another, and is cancelled without a verdict', { timeout: 300_000 }, async () => {
  const setup = await newEnvironment('Slow box');
  expect(await setup.testButton().getAttribute('aria-disabled')).toBe('true');
  await setup.write('echo waiting\nsleep 300');
  await setup.testButton().click();
  await setup.logRow('2 ❯ sleep 300').waitFor({ timeout: 120_000 });
  await app.page.locator('.setup-code .cm-marked-run').getByText('sleep').waitFor();
  expect(await setup.testButton().getAttribute('aria-disabled')).toBe('true');
  await setup.cancel();
  await setup.runIs('Cancelled');
  await setup.verdictIs('Not tested');
});

/** Anonymous memory of the process that draws the page, in bytes. */
const pageMemory = async (): Promise<number> => {
  const session = await app.browser.newBrowserCDPSession();
  const { processInfo } = (await session.send('SystemInfo.getProcessInfo')) as { processInfo: { id: number; type: string }[] };
  await session.detach();
  const sizes = await Promise.all(
    processInfo
      .filter(({ type }) => type === 'renderer')
      .map(async ({ id }) => Number(/RssAnon:\s+(\d+)/.exec(await readFile(`/proc/${id}/status`, 'utf8'))?.[1] ?? 0) * 1024),
  );
  return Math.max(...sizes);
};

// A key every 50 ms, and for each the time until a frame has been drawn after it.
const watchKeys = `window.__reactions = []; window.__keys = setInterval(() => {
  const began = performance.now();
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Shift' }));
  requestAnimationFrame(() => setTimeout(() => window.__reactions.push(performance.now() - began)));
}, 50)`;

test('L-04: while 100,000 lines and one of 8 MiB stream in, the window reacts within 200 ms and grows by less than 150 MB', {
  timeout: 300_000,
}, async () => {
  const setup = await newEnvironment('Flooded box');
  await setup.write("sleep 2\nseq 1 100000\nhead -c 8388608 /dev/zero | tr '\\0' x\necho; echo end");
  await setup.testButton().click();
  await setup.logRow('1 ❯ sleep 2').waitFor({ timeout: 120_000 });
  const before = await pageMemory();
  await app.page.evaluate(watchKeys);
  await setup.runIs('Succeeded');
  await setup.logRow('Output after this is not kept').waitFor({ timeout: 100_000 });
  const reactions = (await app.page.evaluate('clearInterval(window.__keys); window.__reactions')) as number[];
  const slowest = reactions.sort((a, b) => a - b)[Math.floor(reactions.length * 0.95)];
  expect({ watched: reactions.length > 20, inTime: slowest !== undefined && slowest < 200, slowest }).toMatchObject({
    watched: true,
    inTime: true,
  });
  expect((await pageMemory()) - before).toBeLessThan(150_000_000);
});
