// Every screen, menu and dialog keeps the rules of accessibility in both looks, and is reached whole in the smallest window and in one of
// 512 pixels, which is a small one at 200 %. The one table of all screens.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { callsOf } from './host-call.ts';
import { type OpenApp, openApp } from './open-app.ts';
import { shell } from './pages/shell.ts';
import { outOfReach } from './reach.ts';
import { violations } from './violations.ts';

let app: OpenApp;
let ids: { environment: string; plain: string; session: string; agent: string };

const until = async (ask: () => Promise<{ status: string }>, wanted: string): Promise<void> =>
  await vi.waitFor(async () => expect((await ask()).status).toBe(wanted), { timeout: 120_000, interval: 200 });

const full = `name: Broken box
base: debian
initialize: [{ name: Fails on purpose, run: ls /nowhere }]
setup: { script: "echo one\\nls /nowhere\\n" }
env_vars: { MODE: test }
secrets: [API_TOKEN]
knowledge: [{ name: Notes, contents: Read me }]
network_policy:
  version: v1
  rules: [{ action: allow, hosts: [a.example.com] }, { action: deny, hosts: [b.example.com] }]
`;

const fill = async (): Promise<typeof ids> => {
  const call = callsOf(app);
  const { id: environment } = await call('environments.create_from_file', { contents: full });
  const plain = await call('environments.create', { body: { name: 'Plain box', recipe_yaml: 'base: debian\n' } });
  await call('secrets.set', { name: 'API_TOKEN', value: 'abcdefgh12345678' });
  const agent = await call('agents.create', { body: { name: 'builder', environment_ids: [plain.id] } });
  const session = await call('sessions.launch', { environment_id: plain.id, name: 'one' });
  const build = await call('builds.start', { environment_id: environment, pin: true });
  await until(() => call('builds.get', { build_id: build.id }), 'failed');
  const run = await call('setup_runs.create', { environment_id: environment, idempotency_key: 'one' });
  await until(() => call('setup_runs.get', { setup_run_id: run.id }), 'failed');
  await until(() => call('sessions.get', { session_id: session.id }), 'running');
  return { environment, plain: plain.id, session: session.id, agent: agent.id };
};

beforeAll(async () => {
  app = await openApp();
  await app.page.emulateMedia({ reducedMotion: 'reduce' });
  ids = await fill();
}, 300_000);
afterAll(async () => {
  await callsOf(app)('sessions.delete', { session_id: ids.session });
  await app.close();
});

/** Changes the look and waits until all of the page has it. */
const wear = async (colorScheme: 'light' | 'dark'): Promise<void> => {
  await app.page.emulateMedia({ colorScheme });
  await app.page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor({ state: 'attached' });
  await app.page.evaluate('Promise.allSettled(document.getAnimations().map((one) => one.finished))');
};

/** What is broken on the screen as it is: in the light look, in the dark one, and in narrow windows. */
const lookAt = async (): Promise<string[]> => {
  await wear('light');
  const light = await violations(app.page);
  await wear('dark');
  const dark = await violations(app.page, { onlyLook: true });
  const narrow = (await outOfReach(app.page, 512)).map((one) => `512: ${one}`);
  const smallest = (await outOfReach(app.page, 1024)).map((one) => `1024: ${one}`);
  return [...light, ...dark.map((one) => `dark: ${one}`), ...narrow, ...smallest];
};

const settled = async (text: string): Promise<void> => {
  await app.page.locator('#main').getByText(text, { exact: false }).locator('visible=true').first().waitFor();
};

/** Address after the environment's or the session's own, and words that are on the screen once it is whole. */
const screens = (): [name: string, address: string, text: string][] => {
  const [environment, session] = [`/environments/${ids.environment}`, `/sessions/${ids.session}`];
  return [
    ['home', '/', 'Recent environments'],
    ['environments', '/environments', 'Broken box'],
    ['create', '/environments/new', 'Base sandbox'],
    ['overview', environment, 'Repository'],
    ['recipe', `${environment}/recipe`, 'Build steps'],
    ['setup', `${environment}/setup`, 'ls /nowhere'],
    ['builds', `${environment}/builds`, 'Fails on purpose'],
    ['network of an environment', `${environment}/network`, 'a.example.com'],
    ['privileges', `${environment}/access`, 'Privileged'],
    ['resources', `${environment}/resources`, 'Small'],
    ['variables', `${environment}/variables`, 'API_TOKEN'],
    ['knowledge', `${environment}/knowledge`, 'Skills'],
    ['sessions of an environment', `${environment}/sessions`, 'No session'],
    ['sessions', '/sessions', 'Plain box'],
    ['terminals', session, 'bash'],
    ['files', `${session}/files`, 'workspace'],
    ['changes', `${session}/changes`, 'Nothing has changed yet'],
    ['ports', `${session}/ports`, 'Nothing listens in this session'],
    ['use', `${session}/activity`, 'Memory'],
    ['tape', `${session}/tape`, 'Short pauses'],
    ['network of a session', `${session}/network`, 'This session has'],
    ['agents', '/agents', 'builder'],
    ['agent', `/agents/${ids.agent}`, 'Plain box'],
    ['egress monitor', '/network', 'Nothing was tried yet'],
    ['secrets', '/secrets', 'API_TOKEN'],
    ['images', '/images', 'Image'],
    ['activity log', '/activity', 'Broken box'],
    ['storage', '/storage', 'Left-overs'],
    ['runtimes', '/runtimes', 'Checks'],
    ['settings', '/settings', 'When you quit'],
  ];
};

/** What opens over a screen: where, by which presses, and what is there then. */
const overlays = (): [name: string, address: string, presses: string[], role: 'menu' | 'dialog'][] => {
  const [plain, session] = [`/environments/${ids.plain}`, `/sessions/${ids.session}`];
  return [
    ['menu of an environment', plain, ['More for this environment'], 'menu'],
    ['deletion of an environment', plain, ['More for this environment', 'Delete…'], 'dialog'],
    ['observed launch', plain, ['More for this environment', 'Launch observed…'], 'dialog'],
    ['own template', plain, ['More for this environment', 'Save as template…'], 'dialog'],
    ['menu of a session', session, ['More for this session'], 'menu'],
    ['editors', session, ['Open in'], 'menu'],
    ['commands into the environment', session, ['Open in', 'Keep typed commands in the environment…'], 'dialog'],
    ['replacing', session, ['More for this session', 'Replace sandbox…'], 'dialog'],
    ['stopping', session, ['Stop'], 'dialog'],
    ['new secret', '/secrets', ['Add secret'], 'dialog'],
    ['deletion of a secret', '/secrets', ['Delete API_TOKEN'], 'dialog'],
    ['new agent', '/agents', ['New agent'], 'dialog'],
    ['quitting', '/settings', ['Quit Sandlot…'], 'dialog'],
  ];
};

const press = async (name: string): Promise<void> => {
  const { page } = app;
  await page
    .getByRole('button', { name, exact: true })
    .or(page.getByRole('menuitem', { name, exact: true }))
    .first()
    .click();
};

const onlyBroken = (found: Record<string, string[]>): Record<string, string[]> =>
  Object.fromEntries(Object.entries(found).filter(([, broken]) => broken.length > 0));

test('every screen', { timeout: 240_000 }, async () => {
  const found: Record<string, string[]> = {};
  for (const [name, address, text] of screens()) {
    await shell(app.page).go(address);
    await settled(text);
    found[name] = await lookAt();
  }
  expect(onlyBroken(found)).toEqual({});
});

test('every menu and dialog; each gives the focus back to what opened it', { timeout: 120_000 }, async () => {
  const { page } = app;
  const found: Record<string, string[]> = {};
  for (const [name, address, presses, role] of overlays()) {
    await shell(page).go(address);
    for (const one of presses) await press(one);
    await page.getByRole(role).first().waitFor();
    found[name] = await lookAt();
    await page.keyboard.press('Escape');
    await page.getByRole(role).first().waitFor({ state: 'detached' });
    const opener = page.getByRole('button', { name: presses[0] as string, exact: true }).first();
    await expect.poll(() => opener.evaluate((one) => one === document.activeElement), { message: `focus after: ${name}` }).toBe(true);
  }
  expect(onlyBroken(found)).toEqual({});
});

test('the palette and the list of shortcuts', { timeout: 60_000 }, async () => {
  const { page } = app;
  await shell(page).go('/');
  await settled('Recent environments');
  await page.keyboard.press('Control+K');
  await page.keyboard.type('a');
  await page.locator('.mantine-Spotlight-action').first().waitFor();
  const palette = await lookAt();
  await page.keyboard.type('zzzz');
  await page.getByText('Nothing by that name.').waitFor();
  const nothing = await lookAt();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('Shift+?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  expect(onlyBroken({ palette, nothing, shortcuts: await lookAt() })).toEqual({});
  await page.keyboard.press('Escape');
});

// Without its colours a page still says which status is which: each dot has a word beside it or for those who hear.
test('no status is a colour alone', async () => {
  const { page } = app;
  const silent = `[...document.querySelectorAll('.status-dot')].filter((dot) => !dot.closest('a, li, tr, td, span[title], div')?.textContent?.trim()).length`;
  const found: Record<string, unknown> = {};
  for (const address of ['/', '/environments', '/sessions', '/activity', '/runtimes']) {
    await shell(page).go(address);
    await page.locator('#main .status-dot').first().waitFor();
    found[address] = await page.evaluate(silent);
  }
  expect(found).toEqual({ '/': 0, '/environments': 0, '/sessions': 0, '/activity': 0, '/runtimes': 0 });
});

test('whoever asked for less movement gets none', async () => {
  const { page } = app;
  const moving = `[...document.querySelectorAll('*')].filter((one) => { const style = getComputedStyle(one);
    return parseFloat(style.animationDuration) > 0.01 || parseFloat(style.transitionDuration) > 0.01; }).length`;
  const durations = async (reducedMotion: 'reduce' | 'no-preference') => {
    await page.emulateMedia({ reducedMotion });
    return Number(await page.evaluate(moving));
  };
  await shell(page).go('/environments/new');
  await settled('Base sandbox');
  expect([await durations('reduce'), (await durations('no-preference')) > 0]).toEqual([0, true]);
});

test('nothing was complained about in the console', () => expect(app.complaints).toEqual([]));
