// What the pictures of the docs show: a handful of environments on a real runtime, one proven with a session, one whose setup fails.
import type { CallInput, CallName, CallOutput } from '../../sandbox-engine/contract/calls.ts';
import type { OpenApp } from '../browser/open-app.ts';

const shop = `name: web shop
description: The shop with its tests, ready to work in
base: debian
packages: { apt: [curl, jq] }
initialize:
  - { name: Greet at login, run: echo "The shop" > /etc/motd }
session_start:
  - { name: Note when it began, run: date > /workspace/started }
knowledge:
  - { name: test, contents: Run \`make test\` before a PR. }
secrets: [PAYMENTS_TOKEN]
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
description: Fetches prices every hour
base: debian
packages: { apt: [curl] }
setup:
  script: |
    echo "Fetching the price list"
    curl -fsS https://prices.example.com/list.json -o /workspace/list.json
    echo "done"
network_policy: { version: v1, rules: [] }
`;
const notebooks = `name: notebooks
description: Python for a look at the numbers
base: python
network_policy: { version: v1, rules: [] }
`;

export type Ask = <N extends CallName>(name: N, input: CallInput<N>) => Promise<CallOutput<N>>;

/** Calls the host of the app; a refusal throws. */
export const makeAsk =
  ({ host }: OpenApp): Ask =>
  async (name, input) => {
    const reply = await host.dispatch(name, input);
    if (!reply.ok) throw new Error(`${name}: ${reply.error.message}`);
    return reply.value as never;
  };

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

export interface PicturedHouse {
  shopId: string;
  brokenId: string;
  sessionId: string;
  agentId: string;
  /** Removes what was made. */
  clear: () => Promise<void>;
}

/** Makes everything; takes as long as its builds do. */
export const furnish = async (ask: Ask): Promise<PicturedHouse> => {
  await ask('secrets.set', { name: 'PAYMENTS_TOKEN', value: 'tok-of-the-pictures-4711' });
  const [notebooksId, brokenId, shopId] = [await make(ask, notebooks), await make(ask, broken), await make(ask, shop)];
  await Promise.all([build(ask, shopId), build(ask, brokenId)]);
  await setUp(ask, shopId, true);
  await setUp(ask, brokenId, false);
  const body = { name: 'reviewer', description: 'Reads pull requests and runs their tests', environment_ids: [shopId, notebooksId] };
  const agent = await ask('agents.create', { idempotency_key: 'pictures', body });
  const session = await ask('sessions.launch', { environment_id: shopId, name: 'release 2.4' });
  return {
    shopId,
    brokenId,
    sessionId: session.id,
    agentId: agent.id,
    clear: async () => {
      await ask('sessions.delete', { session_id: session.id });
      await ask('agents.delete', { agent_id: agent.id });
      for (const environment_id of [shopId, brokenId, notebooksId]) await ask('environments.delete', { environment_id });
      await ask('app.prune', { dry_run: false });
    },
  };
};
