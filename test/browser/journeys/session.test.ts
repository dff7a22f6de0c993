// A session from its launch to its end, what listens in it, and what secret it was given: three journeys over one pinned environment.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenApp, openApp } from '../open-app.ts';
import { expectPicture } from '../page-picture.ts';
import { environmentPage } from '../pages/environment-page.ts';
import { portsTab } from '../pages/ports-tab.ts';
import { secretsPage } from '../pages/secrets-page.ts';
import { sessionPage } from '../pages/session-page.ts';
import { shell } from '../pages/shell.ts';

let app: OpenApp;
let environmentId: string;
beforeAll(async () => {
  app = await openApp();
  await app.page.setViewportSize({ width: 1024, height: 700 });
  await app.page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  const made = await app.host.dispatch('environments.create', { body: { name: 'Life box', recipe_yaml: 'base: debian\n' } });
  environmentId = made.ok ? (made.value as { id: string }).id : '';
});
afterAll(async () => await app.close());

const launch = async () => {
  await shell(app.page).go(`/environments/${environmentId}`);
  await environmentPage(app.page).launch();
  const session = sessionPage(app.page);
  await session.ready();
  return session;
};

test('8. a session has a second terminal, is stopped, resumed, given a new sandbox, deleted, and brought back by undo', {
  timeout: 300_000,
}, async () => {
  const { page } = app;
  const session = await launch();
  await session.type('echo kept > /workspace/note; echo gone > /var/tmp/note\n');
  await session.openTerminal();
  await expect.poll(() => session.tab(/./).count()).toBe(2);
  await session.ready();
  await session.type('clear; cat /workspace/note /var/tmp/note\n');
  await session.says('gone');
  await expectPicture(page, 'session-dark');

  expect(await session.split()).toBe(2);
  expect(await session.join()).toBe(1);

  await session.stop();
  await session.resume();
  // Those that ended with the stop make way for it.
  await session.hasNewTerminal();
  expect(await session.tab(/./).count()).toBe(1);
  await session.ready();
  await session.type('clear; cat /var/tmp/note\n');
  await session.says('gone');

  await session.replace();
  await session.hasNewTerminal();
  await session.ready();
  await session.type('clear; cat /workspace/note /var/tmp/note\n');
  await session.says('kept');
  await session.says('No such file');

  await session.remove();
  await page.getByRole('button', { name: 'Undo' }).first().click();
  await page
    .getByRole('link', { name: /Life box/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Resume' }).waitFor();
});

const serve =
  'perl -MSocket -e \'socket(S,PF_INET,SOCK_STREAM,0);bind(S,sockaddr_in(3000,inet_aton("127.0.0.1")));listen(S,9);' +
  'while(accept(C,S)){sysread(C,$_,9999);syswrite(C,"HTTP/1.0 200 OK\\r\\nContent-Type: text/html\\r\\n\\r\\n<h1>The shop is open</h1>");close C}\' &\n';

test('9. what a server in the sandbox listens at is seen, opened in one step, gone when its forward is, and forwarded without being opened', {
  timeout: 120_000,
}, async () => {
  const session = await launch();
  await session.type(serve);
  await session.part('Ports');
  const ports = portsTab(app.page);
  await ports.row(3000).getByText('perl').first().waitFor();
  const opened = await ports.open(3000);
  await expect
    .poll(async () => {
      await opened.reload().catch(() => undefined);
      return await opened.getByRole('heading', { name: 'The shop is open' }).count();
    })
    .toBe(1);
  await opened.close();
  await ports.stop(3000);
  await ports.row(3000).getByText('not forwarded').waitFor();
  await ports.forward(3000);
  await session.remove();
});

const sumOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

test('7. a secret is set, given to a session, rotated, and shown nowhere', { timeout: 120_000 }, async () => {
  const { page } = app;
  const [first, second] = ['first-0f9a1c7e55', 'second-71bb20de84'];
  const secrets = secretsPage(page);
  await shell(page).open('Secrets');
  await secrets.add('API_TOKEN', first);
  await shell(page).go(`/environments/${environmentId}`);
  await environmentPage(page).openTab('Variables & secrets');
  await secrets.giveToSessions('API_TOKEN');
  await environmentPage(page).save();

  const session = await launch();
  const sum = 'clear; printf %s "$API_TOKEN" | sha256sum | cut -c-16; echo "it is $API_TOKEN"\n';
  await session.type(sum);
  await session.says(sumOf(first));
  await session.says('it is ');
  const address = page.url();
  await shell(page).open('Secrets');
  await secrets.replace('API_TOKEN', second);
  await page
    .getByRole('row', { name: /Life box/ })
    .first()
    .waitFor();
  await expectPicture(page, 'secrets-dark');
  const shown = [await page.content()];
  await shell(page).go(address.slice(address.indexOf('#') + 1));
  await session.openTerminal();
  await session.ready();
  await session.type(sum);
  await session.says(sumOf(second));
  shown.push(await page.content());
  expect(shown.filter((text) => text.includes(first) || text.includes(second))).toEqual([]);
  await session.remove();
});

test('nothing was complained about in the console', () => expect(app.complaints).toEqual([]));
