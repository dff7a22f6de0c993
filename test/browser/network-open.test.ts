// What opens a network for a while, on a real runtime and by mouse: a grant in a live session, and an observed setup run whose rules are saved.
// Behind the policy proxy stands one server of the test in the place of the public network.
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { userInfo } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenApp, openApp } from './open-app.ts';
import { environmentPage } from './pages/environment-page.ts';
import { networkTab } from './pages/network-tab.ts';
import { sessionPage } from './pages/session-page.ts';
import { setupTab } from './pages/setup-tab.ts';
import { violations } from './violations.ts';

/** Connections that asked for `/slow`: they are answered for ever. */
const slow: Socket[] = [];
const shop = createServer((socket) => {
  socket.on('error', () => socket.destroy());
  socket.once('data', (bytes) => {
    const isSlow = bytes.toString('latin1').startsWith('GET /slow');
    if (isSlow) slow.push(socket);
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${isSlow ? 1_000_000 : 6}\r\n\r\n`);
    socket.write(isSlow ? 'begun\n' : 'hello\n');
  });
});

let app: OpenApp;
beforeAll(async () => {
  shop.listen(0, '127.0.0.1');
  await once(shop, 'listening');
  const { port } = shop.address() as { port: number };
  app = await openApp({
    upstream: {
      resolve: async (name) =>
        name === 'shop.example' ? { ok: true, addresses: ['20.0.0.9'], ttlSeconds: 0 } : { ok: false, detail: `There is no ${name}.` },
      routes: [{ address: '20.0.0.9', to: { address: '127.0.0.1', port } }],
    },
  });
  // What fades in has too little contrast meanwhile.
  await app.page.emulateMedia({ reducedMotion: 'reduce' });
});
afterAll(async () => {
  await app.close();
  shop.close();
});

/** As a program without proxy variables asks: `fetch HOST PATH` prints what comes back. */
const fetch =
  "fetch() { exec 5<>/dev/tcp/$1/80; printf 'GET %s HTTP/1.1\\r\\nHost: %s\\r\\nConnection: close\\r\\n\\r\\n' $2 $1 >&5; timeout ${3:-5} head -n ${4:-1} <&5; }";

test('a blocked setup is observed, the smallest rules are shown and saved, and setup passes under them', { timeout: 300_000 }, async () => {
  const { page } = app;
  const environment = environmentPage(page);
  await environment.create('Base sandbox', 'Observed box');
  await environment.openTab('Setup');
  const setup = setupTab(page);
  await setup.write(`${fetch}\nfetch shop.example / | grep ' 200 '`);
  await page.getByRole('button', { name: 'Observe', exact: true }).click();
  await page.getByRole('dialog').getByText('Everything public can be reached', { exact: false }).waitFor();
  await page.getByRole('button', { name: 'Observe this run' }).click();
  await setup.runIs('Succeeded');
  await setup.verdictIs('Never');
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
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Environments' }).click();
  await environment.create('Base sandbox', 'Granted box');
  await environment.openTab('Network');
  const network = networkTab(page);
  await network.choose('Rules');
  await network.addRule();
  await network.typeHosts(1, 'other.example');
  await network.save();
  await environment.launch();

  const session = sessionPage(page);
  const says = (text: string) => session.screen().getByText(text, { exact: false }).last().waitFor();
  await session.ready();
  await session.type(`${fetch}\nclear; fetch shop.example /\n`);
  await says('403 Forbidden (Sandlot: no_rule)');

  await session.part('Network');
  await page.getByRole('button', { name: 'shop.example:80' }).first().click();
  await page.getByRole('button', { name: 'This session', exact: true }).click();
  const granted = page.getByRole('region', { name: 'Granted beside the policy' });
  await granted.getByText(`by ${userInfo().username}`, { exact: false }).waitFor();
  expect(await violations(page)).toEqual([]);

  await session.part('Terminals');
  await session.type('clear; fetch shop.example /slow 100 99\n');
  await says('HTTP/1.1 200 OK');
  await expect.poll(() => slow.length).toBe(1);

  await session.part('Network');
  const cut = once(slow[0] as Socket, 'close');
  await granted.getByRole('button', { name: 'Take back' }).click();
  const pressed = performance.now();
  await cut;
  expect(performance.now() - pressed).toBeLessThan(1_000);
  await granted.getByText('Earlier: 1').click();
  await granted.getByText('taken back', { exact: false }).waitFor();

  await session.part('Terminals');
  await session.type('clear; fetch shop.example /\n');
  await says('403 Forbidden (Sandlot: no_rule)');
  await session.remove();
  expect(app.complaints).toEqual([]);
});
