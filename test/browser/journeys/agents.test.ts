// An agent gets environments by mouse and keyboard, shows what it reaches, and keeps its environments from being deleted.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenApp, openApp } from '../open-app.ts';
import { agentPages } from '../pages/agent-pages.ts';
import { violations } from '../violations.ts';

let app: OpenApp;
beforeAll(async () => {
  app = await openApp();
  await app.page.emulateMedia({ reducedMotion: 'reduce' });
});
afterAll(() => app.close());

test('two environments are attached, ordered by keys, one made the default, and neither can be deleted', { timeout: 120_000 }, async () => {
  const { page, host } = app;
  const make = async (name: string, hosts: string[]): Promise<void> => {
    const network_policy = { version: 'v1' as const, rules: [{ action: 'allow' as const, hosts }] };
    const reply = await host.dispatch('environments.create', { body: { name, network_policy } });
    expect(reply.ok).toBe(true);
  };
  await make('web', ['a.example.com']);
  await make('api', ['a.example.com', 'b.example.com']);

  const agents = agentPages(page);
  await agents.open();
  await page.getByText('No agents yet').waitFor();
  expect(await violations(page)).toEqual([]);
  await agents.make('builder', 'web');
  await agents.attach('api');
  await expect.poll(agents.environments).toEqual(['web*', 'api']);
  await agents.moveByKeys('api', { from: 2, to: 1, of: 2 });
  await expect.poll(agents.environments).toEqual(['api*', 'web']);
  await page.getByRole('button', { name: 'Make default' }).click();
  await expect.poll(agents.environments).toEqual(['api', 'web*']);

  const access = page.getByRole('region', { name: 'Hosts that this agent can reach' });
  await expect.poll(async () => (await access.getByRole('row', { name: /a\.example\.com/ }).textContent()) ?? '').toMatch(/api.*web/);
  expect(await access.getByRole('row', { name: /b\.example\.com/ }).textContent()).not.toContain('web');
  expect(await violations(page)).toEqual([]);

  await page.getByRole('list', { name: 'Attached environments in their order' }).getByRole('link', { name: 'web' }).click();
  await page.getByRole('link', { name: 'builder' }).waitFor();
  await page.getByRole('button', { name: 'More for this environment' }).click();
  await page.getByRole('menuitem', { name: 'Delete…' }).click();
  const refusal = page.getByRole('dialog', { name: '“web” cannot be deleted now' });
  await refusal.getByRole('link', { name: 'builder' }).click();
  await page.getByRole('heading', { name: 'builder' }).waitFor();
  expect(app.complaints).toEqual([]);
});
