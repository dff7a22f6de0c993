// A session over a folder of this machine: asked for first; changed in the terminal and by hand; seen line by line, taken home, committed;
// and the environment file that the folder brings.
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callsOf } from '../host-call.ts';
import { type OpenApp, openApp } from '../open-app.ts';
import { expectPicture } from '../page-picture.ts';
import { environmentPage } from '../pages/environment-page.ts';
import { sessionPage } from '../pages/session-page.ts';
import { shell } from '../pages/shell.ts';
import { changesTab, filesTab } from '../pages/workspace-tabs.ts';
import { violations } from '../violations.ts';

let app: OpenApp;
let source: string;
beforeAll(async () => {
  app = await openApp();
  await app.page.setViewportSize({ width: 1024, height: 700 });
  await app.page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  source = await mkdtemp(join(tmpdir(), 'sandlot-source-'));
  await writeFile(join(source, '.sandlot.yml'), 'base: debian\nnetwork_policy: {}\n');
  await writeFile(join(source, 'shop.txt'), 'one\ntwo\n');
  const git = (...args: string[]) => execFileSync('git', ['-C', source, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args]);
  git('init', '-q');
  git('add', '-A');
  git('commit', '-q', '-m', 'first');
});
afterAll(async () => {
  await app.close();
  await rm(source, { recursive: true, force: true });
});

test('6. a folder is copied once its use was agreed to; a file is changed in the terminal, the change is seen and taken home', {
  timeout: 150_000,
}, async () => {
  const { page } = app;
  const [environment, session, changes] = [environmentPage(page), sessionPage(page), changesTab(page)];
  await environment.createEmpty('Shop');
  await page.getByRole('textbox', { name: 'Source' }).fill(source);
  await environment.save();
  const question = page.getByRole('dialog', { name: /folders of this machine/ });
  await environment.launch();
  await question.getByText(source).waitFor();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await question.waitFor({ state: 'hidden' });
  expect(await page.getByText('did not start').count()).toBe(0);
  await environment.launch();
  await question.getByRole('button', { name: 'Agree and launch' }).click();
  await session.ready();
  await session.type('clear; sed -i s/two/zwei/ shop.txt && git diff --stat | cat\n');
  await session.says('1 insertion');
  await session.part('Changes');
  await changes.choose('shop.txt');
  await changes.patch('shop.txt').getByText('zwei').waitFor();
  await expectPicture(page, 'changes');
  const patch = await changes.save(/git apply/);
  execFileSync('git', ['-C', source, 'apply', '--check', await patch.path()]);
});

test('files go in and out of the session, its changes are committed, and its environment file is only offered', {
  timeout: 150_000,
}, async () => {
  const { page } = app;
  const call = callsOf(app);
  const [changes, files] = [changesTab(page), filesTab(page)];
  const [session] = (await call('sessions.list', {})).sessions;
  const id = session?.id ?? '';
  await sessionPage(page).part('Files');
  await files.open('repo');
  await files.upload('up load.txt', 'uploaded\n');
  await files.row('up load.txt').waitFor();
  await files.drop('dropped.txt', 'dropped\n');
  await files.row('dropped.txt').waitFor();
  await files.open('up load.txt');
  await files.text('/workspace/repo/up load.txt').getByText('uploaded').waitFor();
  await page.keyboard.press('Escape');
  expect(await readFile(await (await files.download('shop.txt')).path(), 'utf8')).toBe('one\nzwei\n');
  await call('files.write', { session_id: id, path: 'artifacts/report.html', content: '<p>' });
  await files.showArtifacts();
  await files.row('report.html').waitFor();
  expect(await violations(page)).toEqual([]);

  await sessionPage(page).part('Changes');
  expect((await changes.rows()).map((row) => row.replace(/\s+/g, ' '))).toEqual([
    'A dropped.txt +1 −0',
    'M shop.txt +1 −1',
    'A up load.txt +1 −0',
  ]);
  await changes.choose('shop.txt');
  await changes.patch('shop.txt').getByText('zwei').waitFor();
  await changes.down();
  await changes.patch('up load.txt').getByText('uploaded').waitFor();
  expect(await violations(page)).toEqual([]);
  await changes.commit('Zwei');
  await page.getByText('all committed').waitFor();

  await page.getByRole('link', { name: 'Review and create' }).click();
  await page.getByText('It reaches every public address.').waitFor();
  await page.getByText(`It copies ${source} into its sessions.`).waitFor();
  expect((await call('environments.list', {})).total).toBe(1);
  expect(await violations(page)).toEqual([]);
  await call('sessions.delete', { session_id: id });
});

test('folders that were agreed to are not asked for again', { timeout: 120_000 }, async () => {
  const [{ id } = { id: '' }] = (await callsOf(app)('environments.list', {})).environments;
  await shell(app.page).go(`/environments/${id}`);
  await environmentPage(app.page).launch();
  const session = sessionPage(app.page);
  await session.ready();
  await session.remove();
  expect(app.complaints).toEqual([]);
});
