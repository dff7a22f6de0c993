// The question before a session gets a folder of this machine, in the window.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenApp, openApp } from './open-app.ts';
import { environmentPage } from './pages/environment-page.ts';
import { sessionPage } from './pages/session-page.ts';

let app: OpenApp;
let folder: string;
beforeAll(async () => {
  app = await openApp();
  folder = await mkdtemp(join(tmpdir(), 'sandlot-agreed-'));
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

test('a launch asks for the folders it gives away; no starts nothing and says nothing, yes starts and asks no more', {
  timeout: 300_000,
}, async () => {
  const body = { name: 'Data box', mounts: [{ source: folder, target: '/data', read_only: true }] };
  const made = await app.host.dispatch('environments.create', { body });
  const { id } = made.ok ? (made.value as { id: string }) : { id: '' };
  await app.page.evaluate((to) => location.replace(to), `#/environments/${id}`);
  const environment = environmentPage(app.page);
  const question = app.page.getByRole('dialog', { name: /folders of this machine/ });

  await environment.launch();
  await question.getByText(folder).waitFor();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await question.waitFor({ state: 'hidden' });
  expect(await app.page.getByText('did not start').count()).toBe(0);

  await environment.launch();
  await question.getByRole('button', { name: 'Agree and launch' }).click();
  const session = sessionPage(app.page);
  await session.ready();
  await session.remove();

  await app.page.evaluate((to) => location.replace(to), `#/environments/${id}`);
  await environment.launch();
  await session.ready();
  await session.remove();
  expect(app.complaints).toEqual([]);
});
