// Takes the pictures of the docs, on the real app over a real runtime: `npm run pictures`. Each in the light and the dark look.
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { CallInput, CallName, CallOutput } from '../../sandbox-engine/contract/calls.ts';
import { type OpenApp, openApp } from '../browser/open-app.ts';
import { sessionPage } from '../browser/pages/session-page.ts';

const folder = fileURLToPath(new URL('../../docs/pictures/', import.meta.url));

const shop = `name: web shop
description: The shop with its tests, ready to work in
base: debian
packages: { apt: [curl, jq] }
setup:
  script: |
    git init -q shop
    cd shop
    printf 'Tests pass before a release.\\n' > NOTES.md
    jq -n '{ready: true}'
network_policy:
  version: v1
  rules:
    - { action: allow, presets: [github] }
    - { action: allow, hosts: ["*.payments.example"], ports: [443] }
`;
const broken = `name: price service
base: debian
packages: { apt: [curl] }
setup:
  script: |
    echo "Fetching the price list"
    curl -fsS https://prices.example.com/list.json -o /workspace/list.json
    echo "done"
network_policy: { version: v1, rules: [] }
`;

const makeAsk =
  ({ host }: OpenApp) =>
  async <N extends CallName>(name: N, input: CallInput<N>): Promise<CallOutput<N>> => {
    const reply = await host.dispatch(name, input);
    if (!reply.ok) throw new Error(`${name}: ${reply.error.message}`);
    return reply.value as CallOutput<N>;
  };
type Ask = ReturnType<typeof makeAsk>;

const make = async (ask: Ask, contents: string): Promise<string> => (await ask('environments.create_from_file', { contents })).id;

const build = async (ask: Ask, environment_id: string): Promise<void> => {
  const { id } = await ask('builds.start', { environment_id, pin: true });
  for (;;) {
    const { status } = await ask('builds.get', { build_id: id });
    if (status === 'succeeded') return;
    if (status === 'failed') throw new Error('the build failed');
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
};

const setUp = async (ask: Ask, environment_id: string, mustPass: boolean): Promise<void> => {
  const { id } = await ask('setup_runs.create', { environment_id, idempotency_key: environment_id });
  for (;;) {
    const { status, hint } = await ask('setup_runs.get', { setup_run_id: id, wait_seconds: 5 });
    if (status === 'failed' && mustPass) throw new Error(`setup failed: ${hint}`);
    if (status === 'succeeded' || status === 'failed') return;
  }
};

const takeBoth = async ({ page }: OpenApp, name: string, place: string, isReady: () => Promise<void>): Promise<void> => {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.evaluate((hash) => location.replace(hash), `#${place}`);
    await isReady();
    await page.screenshot({ path: `${folder}${name}-${colorScheme}.png` });
  }
};

const app = await openApp();
try {
  await mkdir(folder, { recursive: true });
  const { page } = app;
  await page.setViewportSize({ width: 1180, height: 740 });
  const ask = makeAsk(app);
  const [shopId, brokenId] = [await make(ask, shop), await make(ask, broken)];
  await Promise.all([build(ask, shopId), build(ask, brokenId)]);
  await setUp(ask, shopId, true);
  await setUp(ask, brokenId, false);
  const session = await ask('sessions.launch', { environment_id: shopId, name: 'release 2.4' });
  const heading = (name: string) => () => page.getByRole('heading', { level: 1, name }).waitFor();
  const terminal = sessionPage(page);

  await page.evaluate((hash) => location.replace(hash), `#/sessions/${session.id}`);
  await terminal.ready();
  await terminal.type('clear; cat shop/NOTES.md; jq -n "{ready: true}"; curl -sS https://tracker.example.net\n');
  await terminal.screen().getByText('"ready"').first().waitFor();
  await takeBoth(app, 'session', `/sessions/${session.id}`, async () => {
    await heading('release 2.4')();
    await terminal.screen().getByText('"ready"').first().waitFor();
  });
  await takeBoth(app, 'home', '/', heading('Home'));
  await takeBoth(app, 'environment', `/environments/${shopId}`, heading('web shop'));
  await takeBoth(app, 'network', `/environments/${shopId}/network`, heading('web shop'));
  await takeBoth(app, 'setup', `/environments/${brokenId}/setup`, async () => {
    await heading('price service')();
    await page.getByText('curl -fsS').first().waitFor();
  });
  await takeBoth(app, 'attempts', '/network', heading('Network'));
  await ask('sessions.delete', { session_id: session.id });
  for (const environment_id of [shopId, brokenId]) await ask('environments.delete', { environment_id });
  await ask('app.prune', { dry_run: false });
} finally {
  await app.close();
}
