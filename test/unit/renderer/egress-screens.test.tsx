// The screens about the network: what is offered on a row and in a panel, what it says after it was allowed, and what is not offered.
import { act } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { EgressView } from '../../../renderer/src/egress/EgressView.tsx';
import { fromText } from '../../../renderer/src/egress/egress-words.ts';
import { ObservedSession } from '../../../renderer/src/egress/ObservedSession.tsx';
import { DestinationTest } from '../../../renderer/src/environment/DestinationTest.tsx';
import { RuleCard } from '../../../renderer/src/environment/RuleCard.tsx';
import { effectOf } from '../../../renderer/src/environment/SaveBar.tsx';
import { observedRunWords } from '../../../renderer/src/ui/ask-observe.ts';
import { hasVerdictToLose } from '../../../renderer/src/ui/verdict-effect.ts';
import type { EgressGrant, EnvironmentView, LoggedAttempt, NetworkRule, Session } from '../../../sandbox-engine/contract/model.ts';
import { draw, submit, type } from './drawn.tsx';
import { drawOver } from './drawn-app.tsx';

// The page of the tests lays nothing out.
const allowButtons = () => [...document.querySelectorAll('button')].filter(({ textContent }) => textContent.startsWith('Allow…'));

beforeEach(() => {
  for (const name of ['clientHeight', 'clientWidth'])
    Object.defineProperty(HTMLElement.prototype, name, { configurable: true, value: 600 });
  Object.defineProperty(HTMLElement.prototype, 'offsetHeight', { configurable: true, value: 30 });
});

const rule: NetworkRule = { action: 'allow', hosts: ['b.example'], ports: [443] };
const policy = { version: 'v1' as const, rules: [] };
const environment = {
  id: 'env_1',
  name: 'web',
  revision: 1,
  network_policy: policy,
  privileged: false,
  setup: null,
} as unknown as EnvironmentView;
const session = { id: 'ses_1', environment_id: 'env_1', name: 'release', status: 'running', observed: true } as unknown as Session;

const attempt = (id: number, fields: Partial<LoggedAttempt> = {}): LoggedAttempt => ({
  ...{
    id: `att_${id}`,
    at: '2026-11-29T10:00:00.000Z',
    sandbox_id: 'ses_1',
    environment_id: 'env_1',
    session_id: 'ses_1',
    setup_run_id: null,
  },
  ...{ host: 'b.example', port: 443, protocol: 'tls', mode: 'explicit', verdict: 'blocked', reason: 'no_rule', rule: null, detail: null },
  ...{ policy_revision: 1, bytes_sent: 0, bytes_received: 0, duration_ms: null, count: 1, cause: null, sentence: 'It was blocked.' },
  ...fields,
});

const grant: EgressGrant = {
  ...{ id: 'grt_1', environment_id: 'env_1', session_id: 'ses_1', destination: 'b.example:443', rule, for: 'session' },
  ...{ granted_at: '2026-11-29T10:00:00.000Z', granted_by: 'ann', until: null, revoked_at: null, policy_revision: null },
};

const ok = (value: unknown) => ({ ok: true, value });
const known = { environments: { env_1: environment }, sessions: { ses_1: session } };
const text = () => document.body.textContent ?? '';
const named = (name: string) => [...document.querySelectorAll('button')].filter((one) => one.textContent === name);
const press = (name: string) => act(async () => named(name)[0]?.click());

const openMonitor = (attempts: LoggedAttempt[]) =>
  drawOver(<EgressView scope={{ environment_id: 'env_1' }} environmentId="env_1" empty={null} />, known, {
    'egress.log': () => ok({ attempts, next_after: null, older: 0 }),
    'egress.summary': () => ok({ destinations: [], allowed: 0, blocked: 1, failed: 1, left_off: 0 }),
    'egress.grants': () => ok({ grants: [] }),
    'egress.grant': () => ok({ rule, insert_at: null, network_policy: null, warnings: [], grant: null, applied_to: [] }),
  });

test('a row that a rule would have helped can be allowed from it, by keyboard too; others offer nothing and are called what they are', async () => {
  await openMonitor([
    attempt(1),
    attempt(2, { host: 'gone.example', reason: 'resolve_failed' }),
    attempt(3, { host: 'led.example', reason: 'special_address' }),
  ]);
  const offers = allowButtons();
  expect(offers.map(({ textContent, tabIndex }) => [textContent, tabIndex])).toEqual([['Allow… b.example:443', 0]]);
  const outcomes = [...document.querySelectorAll('[role="row"] .egress-verdict')].map(({ textContent }) => textContent);
  expect(outcomes).toEqual(['Blocked', 'Not found', 'Blocked']);
  expect(text()).toContain('0 allowed · 1 blocked · 1 failed');
  await act(async () => offers[0]?.click());
  expect([named('This session').length, text().includes('allow b.example · port 443')]).toEqual([1, true]);
});

test('an open panel says that it was allowed when the event of that comes, and offers it again when it was taken back', async () => {
  const { tell } = await openMonitor([attempt(1)]);
  await press('b.example:443');
  expect(named('This session').length).toBe(1);
  await press('This session');
  expect(text()).not.toContain('Allowed since');
  await tell({ name: 'grant.changed', payload: grant });
  expect([text().includes('Allowed since'), text().includes('For this session, by ann'), named('This session').length]).toEqual([
    true,
    true,
    0,
  ]);
  expect(document.querySelector('.row-granted')?.textContent).toContain('Allowed now');
  await tell({ name: 'grant.changed', payload: { ...grant, revoked_at: '2026-11-29T10:01:00.000Z' } });
  expect([text().includes('Allowed since'), named('This session').length]).toEqual([false, 1]);
});

test('an open panel names the environment whose policy decided, and leads to its rules', async () => {
  await openMonitor([attempt(1)]);
  await press('b.example:443');
  const way = document.querySelector('.egress-detail a[href$="/environments/env_1/network"]');
  expect([way?.textContent, way?.parentElement?.textContent]).toEqual(['web', 'web, revision 1']);
});

test('Escape closes the panel, but not from a dialog over it', async () => {
  await openMonitor([attempt(1)]);
  await press('b.example:443');
  const panels = () => document.querySelectorAll('.egress-detail').length;
  const leave = async (from: Element) =>
    await act(async () => void from.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true })));
  await act(async () => allowButtons()[0]?.click());
  await leave(document.querySelector('[role="dialog"]') ?? document.body);
  const under = panels();
  await leave(document.body);
  expect([under, panels()]).toEqual([1, 0]);
});

test('a grant holds no longer than its session, and says whose it is; what no rule was ever tried under has no filters', async () => {
  const answers = {
    'egress.log': () => ok({ attempts: [], next_after: null, older: 0 }),
    'egress.summary': () => ok({ destinations: [], allowed: 0, blocked: 0, failed: 0, left_off: 0 }),
    'egress.grants': () => ok({ grants: [grant, { ...grant, id: 'grt_2', session_id: 'ses_gone', destination: 'c.example:443' }] }),
  };
  await drawOver(<EgressView scope={{ environment_id: 'env_1' }} environmentId="env_1" empty={<p>Nothing yet</p>} />, known, answers);
  const holding = [...document.querySelectorAll('.egress-grant')].map(({ textContent }) => textContent);
  expect(holding).toEqual([expect.stringMatching(/^b\.example:443 ?this session ?release/)]);
  expect(text()).toContain('Earlier: 1');
  expect([text().includes('Nothing yet'), document.querySelector('.egress-tools')]).toEqual([true, null]);
});

test.each<[Partial<LoggedAttempt>, object, string]>([
  [{ session_id: null, cause: { kind: 'setup_line', line: 7 } }, {}, 'Setup line 7'],
  [{ session_id: null }, {}, 'Setup run'],
  [{ session_id: null }, { environment: 'web' }, 'web · Setup run'],
  [{ cause: { kind: 'terminal', terminal_id: 'trm_1' as never } }, { session: 'release', terminal: 'bash' }, 'release · bash'],
  [{ cause: { kind: 'terminal', terminal_id: 'trm_1' as never } }, { terminal: 'bash' }, 'Terminal bash'],
  [{}, { session: 'release' }, 'release'],
  [{}, {}, 'Session'],
])('it came from %j', (fields, names, expected) => {
  expect(fromText(attempt(1, fields), names)).toBe(expected);
});

test('an observed session can be ended and rules made of it, wherever its banner is', async () => {
  await drawOver(<ObservedSession session={session} />, known, {});
  expect(['Propose rules', 'End observation'].map((name) => named(name).length)).toEqual([1, 1]);
});

test('a destination that no rule can open has no rule to add, and says what helps instead', async () => {
  const said = { destination: 'led.example:443', host: 'led.example', port: 443, verdict: 'blocked', rule: null, insert_at: null };
  const answer = {
    ...said,
    reason: 'special_address',
    how_to_allow: null,
    sentence: 'It is reserved.',
    instead: 'Run it inside.',
    open_presets: [],
  };
  await drawOver(<DestinationTest environmentId="env_1" policy={policy} isUnsound={false} onAdd={() => undefined} />, known, {
    'egress.test': () => ok(answer),
  });
  const asked = document.querySelector('[aria-label="URL or host:port"]') as HTMLInputElement;
  type(asked, 'led.example');
  await submit(asked);
  expect([text().includes('It is reserved.'), text().includes('Run it inside.'), named('Add rule').length]).toEqual([true, true, 0]);
});

const verdict = (last_run: string | null, stale = false) => ({ setup_verification: { last_run, stale } }) as unknown as EnvironmentView;
const script = { setup: { script: 'make', timeout_seconds: 60 } } as unknown as EnvironmentView;

test.each([
  ['no script', { ...environment, ...verdict('run_1') }, false],
  ['a script that was never tested', { ...environment, ...script, ...verdict(null) }, false],
  ['a verdict that is stale already', { ...environment, ...script, ...verdict('run_1', true) }, false],
  ['a verdict that stands', { ...environment, ...script, ...verdict('run_1') }, true],
])('a change makes a verdict stale only where there is one: %s', (_, of, expected) => {
  const says = effectOf({ patch: { network_policy: {} }, environment: of }).includes('tested again');
  expect([hasVerdictToLose(of), says]).toEqual([expected, expected]);
});

test('observing says that edits are saved for it, where there are any', () => {
  expect(
    [true, false].map((isDirty) => [observedRunWords(isDirty).confirm, /edits are saved/.test(observedRunWords(isDirty).body)]),
  ).toEqual([
    ['Save and observe', true],
    ['Observe this run', false],
  ]);
});

test('in a long policy a rule is one line that says all of it and what is wrong in it, and is edited when pressed', () => {
  const error = { code: 'host_label' as const, path: '/rules/0/hosts/0', message: 'Label 2 is empty.' };
  const check = { policy: null, errors: [error], warnings: [] };
  const card = { rule: { ...rule, note: 'Ours' }, index: 0, check, handle: null, onChange: () => undefined, onMove: () => undefined };
  draw(<RuleCard {...card} count={20} onRemove={() => undefined} />);
  expect([text().includes('Allowb.exampleport 443 · Ours'), text().includes('Label 2 is empty.')]).toEqual([true, true]);
  expect(document.querySelector('input')).toBeNull();
  act(() => document.querySelector<HTMLElement>('[aria-label="Edit rule 1"]')?.click());
  expect(document.querySelector('[aria-label="Hosts of rule 1"]')).not.toBeNull();
});

test('after another environment was put under a session, what the old one was granted holds no more', async () => {
  const moved = { ...known, sessions: { ses_1: { ...session, environment_id: 'env_2' } as Session } };
  const answers = {
    'egress.log': () => ok({ attempts: [attempt(1)], next_after: null, older: 0 }),
    'egress.summary': () => ok({ destinations: [], allowed: 0, blocked: 1, failed: 0, left_off: 0 }),
    'egress.grants': () => ok({ grants: [grant, { ...grant, id: 'grt_2', for: 'always' }] }),
  };
  await drawOver(<EgressView scope={{ session_id: 'ses_1' }} environmentId="env_2" empty={null} />, moved, answers);
  expect(document.querySelectorAll('.egress-grant').length).toBe(0);
  expect([text().includes('Nothing is granted now'), text().includes('Allowed now')]).toEqual([true, false]);
  expect(text()).toContain('ended when its session got another environment');
});

test('what was granted to a session under its new environment counts for what it tried under the old one', async () => {
  const moved = { ...known, sessions: { ses_1: { ...session, environment_id: 'env_2' } as Session } };
  const answers = {
    'egress.log': () => ok({ attempts: [attempt(1)], next_after: null, older: 0 }),
    'egress.summary': () => ok({ destinations: [], allowed: 0, blocked: 1, failed: 0, left_off: 0 }),
    'egress.grants': () => ok({ grants: [{ ...grant, environment_id: 'env_2' }] }),
  };
  await drawOver(<EgressView scope={{ session_id: 'ses_1' }} environmentId="env_2" empty={null} />, moved, answers);
  expect([document.querySelectorAll('.egress-grant').length, text().includes('Allowed now')]).toEqual([1, true]);
});
