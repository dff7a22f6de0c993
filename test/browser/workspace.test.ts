// The workspace of a session in the app, on a real runtime: what changed, line by line; commit and patch; files both ways; the offered file.
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CallInput, CallName, CallOutput } from '../../sandbox-engine/contract/calls.ts';
import { type OpenApp, openApp } from './open-app.ts';
import { sessionPage } from './pages/session-page.ts';
import { changesTab, filesTab } from './pages/workspace-tabs.ts';
import { violations } from './violations.ts';

let app: OpenApp;
let source: string;
beforeAll(async () => {
  app = await openApp();
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

const call = async <N extends CallName>(name: N, input: CallInput<N>): Promise<CallOutput<N>> => {
  const reply = await app.host.dispatch(name, input);
  if (!reply.ok) throw new Error(`${name}: ${reply.error.message}`);
  return reply.value as CallOutput<N>;
};

const launch = async (): Promise<string> => {
  const repo = { source, mode: 'worktree' as const };
  const { id } = await call('environments.create', { body: { name: 'Shop', recipe_yaml: 'base: debian\n', repo } });
  const { folders } = await call('environments.folders', { environment_id: id });
  await call('environments.agree_folders', { environment_id: id, folders: folders.map(({ is_agreed: _, ...folder }) => folder) });
  const session = await call('sessions.launch', { environment_id: id });
  await expect.poll(() => call('sessions.get', { session_id: session.id }), { timeout: 90_000 }).toMatchObject({ workspace_start: {} });
  return session.id;
};

test('what a session changes is seen, committed and taken home; files go in and out; its environment file is only offered', {
  timeout: 150_000,
}, async () => {
  const { page } = app;
  const id = await launch();
  await page.evaluate(`location.replace('#/sessions/${id}/changes')`);
  const [changes, files] = [changesTab(page), filesTab(page)];
  await changes.isEmpty();

  await sessionPage(page).part('Files');
  await files.open('repo');
  await files.upload('up load.txt', 'uploaded\n');
  await files.row('up load.txt').waitFor();
  await files.drop('dropped.txt', 'dropped\n');
  await files.row('dropped.txt').waitFor();
  await files.open('up load.txt');
  await files.text('/workspace/repo/up load.txt').getByText('uploaded').waitFor();
  await page.keyboard.press('Escape');
  expect(await readFile(await (await files.download('shop.txt')).path(), 'utf8')).toBe('one\ntwo\n');
  await call('files.write', { session_id: id, path: 'artifacts/report.html', content: '<p>' });
  await files.showArtifacts();
  await files.row('report.html').waitFor();
  expect(await violations(page)).toEqual([]);

  await call('files.write', { session_id: id, path: 'repo/shop.txt', content: 'one\nzwei\n' });
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
  const patch = await changes.save(/git apply/);
  execFileSync('git', ['-C', source, 'apply', '--check', await patch.path()]);
  await changes.commit('Zwei');
  await page.getByText('all committed').waitFor();

  await page.getByRole('link', { name: 'Review and create' }).click();
  await page.getByText('It reaches every public address.').waitFor();
  await page.getByText(`It copies ${source} into its sessions.`).waitFor();
  expect((await call('environments.list', {})).total).toBe(1);
  expect(await violations(page)).toEqual([]);
  expect(app.complaints).toEqual([]);
});
