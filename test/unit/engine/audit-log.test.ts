// The activity log on a real registry: which calls are written down, with which words, and what comes by itself.
import { expect, test } from 'vitest';
import { systemClock } from '../../../sandbox-engine/base/clock.ts';
import { createEventBus } from '../../../sandbox-engine/base/event-bus.ts';
import type { Agent, AuditEntry, Build, EgressGrant, Pin, Session, SetupRun } from '../../../sandbox-engine/contract/model.ts';
import { openAuditLog } from '../../../sandbox-engine/engine/audit-log.ts';
import { auditWords } from '../../../sandbox-engine/engine/audit-words.ts';
import type { Handlers, House } from '../../../sandbox-engine/engine/house.ts';
import { nounsOf, subjectOf } from '../../../sandbox-engine/registry/audit-subject.ts';
import { exampleEnvironment } from '../registry/example-environment.ts';
import { openHere, temporaryFolder } from '../registry/temporary-folder.ts';

const redactText = (text: string) => text.replaceAll('hunter2-hunter2', '***');

const openHouse = async () => {
  const registry = await openHere(await temporaryFolder());
  const bus = createEventBus();
  const told: AuditEntry[] = [];
  bus.subscribe((event) => event.name === 'audit.added' && told.push(event.payload));
  const audit = openAuditLog({ registry, bus, clock: systemClock, secrets: { redactText } } as unknown as House);
  const lines = async (query = {}) => (await audit.calls['audit.list'](query)).entries.map(({ text }) => text);
  return { registry, bus, told, audit, lines, handlers: (some: object): Handlers => audit.recorded(some as Handlers) };
};

test('a call that changed something is a line with its names; one that failed or only asked is none', async () => {
  const { registry, handlers, told, lines } = await openHouse();
  const environment = exampleEnvironment(1, { name: 'web' });
  await registry.environments.insert(environment);
  const { id } = environment;
  const calls = handlers({
    'environments.delete': async () => ({ ok: true }),
    'environments.get': async () => environment,
    'environments.archive': async () => {
      throw new Error('no');
    },
    'secrets.set': async () => ({ version: 2 }),
  });
  await calls['environments.get']({ environment_id: id });
  await expect(calls['environments.archive']({ environment_id: id })).rejects.toThrow('no');
  await calls['environments.delete']({ environment_id: id });
  await calls['secrets.set']({ name: 'TOKEN', value: 'hunter2-hunter2' });
  await expect.poll(() => told.length).toBe(2);
  expect(await lines()).toEqual(['Replaced the value of secret TOKEN', 'Deleted environment "web"']);
  expect(await lines({ environment_id: id })).toEqual(['Deleted environment "web"']);
  expect(await lines({ search: 'SECRET' })).toEqual(['Replaced the value of secret TOKEN']);
  expect(told[0]).toMatchObject({ action: 'environments.delete', kind: 'asked', environment_id: id, session_id: null });
});

test('how something ended by itself is one line, however often its row changes; a secret in it is masked', async () => {
  const { bus, told, lines } = await openHouse();
  const failed = {
    id: 'bld_1',
    environment_id: 'env_1',
    status: 'failed',
    error: { message: 'no hunter2-hunter2 there' },
    finished_at: '2099-01-01T00:00:00.000Z',
  } as unknown as Build;
  bus.emit('build.changed', { ...failed, status: 'running' });
  bus.emit('build.changed', failed);
  bus.emit('build.changed', failed);
  bus.emit('build.changed', { ...failed, id: 'bld_2', finished_at: '2020-01-01T00:00:00.000Z' });
  await expect.poll(() => told.length).toBe(1);
  expect(await lines()).toEqual(['The build of a deleted environment failed: no *** there']);
});

const pin = {
  ...{ id: 'pin_1', environment_id: 'env_1', action: 'pinned', build_id: 'bld_1', image_id: `sha256:0123456789ab${'f'.repeat(52)}` },
  ...{ fingerprint: 'f', reason: null, at: '2099-01-01T00:00:00.000Z' },
} as Pin;

test.each<[Partial<Pin>, string, AuditEntry['kind'], string]>([
  [{ action: 'pinned' }, 'Pinned image 0123456789ab in environment "web"', 'asked', 'pins.create'],
  [{ action: 'unpinned' }, 'Unpinned image 0123456789ab in environment "web"', 'asked', 'pins.remove'],
  [{ action: 'unpinned', image_id: null }, 'Unpinned environment "web", which had no pin', 'asked', 'pins.remove'],
  [
    { action: 'rejected', reason: 'It did not pass.' },
    'Did not pin image 0123456789ab in environment "web": It did not pass.',
    'failed',
    'pins.create',
  ],
])('a line of the ledger of pins names image and environment: %j', async (fields, text, kind, action) => {
  const { registry, bus, told } = await openHouse();
  const environment = exampleEnvironment(1, { name: 'web' });
  await registry.environments.insert(environment);
  bus.emit('pin.changed', { ...pin, environment_id: environment.id, ...fields });
  await expect.poll(() => told.length).toBe(1);
  expect(told[0]).toMatchObject({ text, kind, action, about: 'builds', environment_id: environment.id });
});

test('what is cancelled or deleted by its id alone is named', async () => {
  const { registry, handlers, told, lines } = await openHouse();
  const environment = exampleEnvironment(1, { name: 'web' });
  await registry.environments.insert(environment);
  const at = '2026-11-29T10:00:00.000Z';
  const agent = {
    id: `agt_${'1'.repeat(26)}`,
    name: 'Otto',
    description: '',
    environment_ids: [],
    default_environment_id: null,
    is_default_chosen: false,
  };
  await registry.agents.insert({ ...agent, revision: 1, created_at: at, updated_at: at } as Agent);
  const grant = { id: `grt_${'1'.repeat(26)}`, environment_id: environment.id, session_id: null, destination: 'a.example:443' };
  await registry.egressGrants.save({ ...grant, granted_at: at, rule: { action: 'allow' }, for: '15m' } as EgressGrant);
  const calls = handlers({ 'agents.delete': async () => ({ ok: true }), 'egress.revoke': async () => grant });
  await calls['agents.delete']({ agent_id: agent.id });
  await calls['egress.revoke']({ grant_id: grant.id });
  await expect.poll(() => told.length).toBe(2);
  expect((await lines()).toSorted()).toEqual(['Deleted agent "Otto"', 'Took back the grant of a.example:443 in environment "web"']);
});

test('a query by what it was about finds what was done and what ended by itself, page by page', async () => {
  const { bus, audit, handlers, told, lines } = await openHouse();
  const calls = handlers({
    'secrets.set': async () => ({ version: 1 }),
    'ports.forward': async () => ({}),
  });
  bus.emit('pin.changed', { ...pin, action: 'pinned' });
  await calls['secrets.set']({ name: 'A', value: 'x' });
  await calls['ports.forward']({ session_id: 'ses_1', port: 80 });
  bus.emit('build.changed', {
    ...{ id: 'bld_1', environment_id: 'env_1', status: 'succeeded', image_id: pin.image_id, finished_at: '2099-01-01T00:00:00.000Z' },
  } as unknown as Build);
  await expect.poll(() => told.length).toBe(4);
  expect(told.map(({ about }) => about).toSorted()).toEqual(['builds', 'builds', 'secrets', 'sessions']);
  expect((await lines({ about: 'builds' })).toSorted()).toEqual([
    'Built a deleted environment: image 0123456789ab',
    'Pinned image 0123456789ab in a deleted environment',
  ]);
  expect(await lines({ about: 'sessions', search: 'port 80' })).toEqual(['Forwarded port 80 of session "" to this machine']);
  expect(await lines({ about: 'agents' })).toEqual([]);
  expect((await audit.calls['audit.list']({ about: 'builds', limit: 1 })).has_more).toBe(true);
});

test('every call that is written down is about something that its noun says', () => {
  const nouns = ['environments', 'builds', 'setup', 'sessions', 'network', 'secrets', 'agents', 'images', 'settings'] as const;
  const known = nouns.flatMap((subject) => nounsOf(subject));
  expect(Object.keys(auditWords).filter((name) => !known.includes(name.split('.')[0] ?? ''))).toEqual([]);
  expect([subjectOf('session.stopped'), subjectOf('app.prune'), subjectOf('unheard.of')]).toEqual(['sessions', 'images', 'settings']);
});

test('pages join without a gap, and say whether there is more', async () => {
  const { audit, handlers, told } = await openHouse();
  const calls = handlers({ 'secrets.set': async () => ({ version: 1 }) });
  for (let index = 0; index < 7; index += 1) await calls['secrets.set']({ name: `S${index}`, value: 'x' });
  await expect.poll(() => told.length).toBe(7);
  const first = await audit.calls['audit.list']({ limit: 4 });
  const second = await audit.calls['audit.list']({ limit: 4, before: first.entries.at(-1)?.seq ?? 0 });
  expect([first.has_more, second.has_more]).toEqual([true, false]);
  expect([...first.entries, ...second.entries].map(({ text }) => text)).toEqual(
    [6, 5, 4, 3, 2, 1, 0].map((index) => `Set secret S${index}`),
  );
});

test.each([
  ['session', 'Allowed b.example:443 in session "Mine", as long as it lives'],
  ['15m', 'Allowed b.example:443 in session "Mine" for 15 minutes'],
  ['always', 'Allowed b.example:443 for good in environment "web", from session "Mine"'],
] as const)('what is allowed for %s is written down so', (term, text) => {
  const said = auditWords['egress.grant']?.({ destination: 'b.example:443', for: term, session_id: 'ses_1' }, {} as never, {
    environment: 'web',
    session: 'Mine',
    agent: '',
  });
  expect(said).toBe(text);
});

test('the environment of a session is named where only the session was', async () => {
  const { registry, handlers, told, lines } = await openHouse();
  const environment = exampleEnvironment(1, { name: 'web' });
  await registry.environments.insert(environment);
  const id = `ses_${'1'.repeat(26)}`;
  const session = { id, name: 'Mine', environment_id: environment.id, created_at: '2026-11-29T10:00:00.000Z', status: 'running' };
  await registry.sessions.save({ ...session, start_script: { status: 'none' } } as Session);
  const calls = handlers({ 'egress.grant': async () => ({ grant: null }), 'agents.set_default': async () => ({ name: 'Otto' }) });
  await calls['egress.grant']({ destination: 'b.example:443', for: 'always', session_id: id });
  await calls['agents.set_default']({ agent_id: 'agt_1', environment_id: environment.id });
  await expect.poll(() => told.length).toBe(2);
  expect(await lines()).toEqual([
    'Made environment "web" the default of agent "Otto"',
    'Allowed b.example:443 for good in environment "web", from session "Mine"',
  ]);
});

test.each([
  [1, 'Removed 1 left-over from the runtimes'],
  [2, 'Removed 2 left-overs from the runtimes'],
])('of %i left-overs', (count, text) => {
  const items = Array.from({ length: count }, () => ({}));
  expect(auditWords['app.prune']?.({ dry_run: false }, { items } as never, { environment: '', session: '', agent: '' })).toBe(text);
});

test('an observed setup run that failed is called one, and no verdict', async () => {
  const { bus, told, lines } = await openHouse();
  const run = { id: 'run_1', environment_id: 'env_1', status: 'failed', hint: null, failed_line: 5, observed: true };
  bus.emit('setup_run.changed', { ...run, finished_at: '2099-01-01T00:00:00.000Z' } as unknown as SetupRun);
  await expect.poll(() => told.length).toBe(1);
  expect(await lines()).toEqual(['An observed setup run of a deleted environment failed at line 5']);
});

test('a session that was kept long enough is a line when it is deleted by itself, and none when somebody deletes it or brings it back', async () => {
  const { bus, told, lines } = await openHouse();
  const stopped_at = '2099-01-01T00:00:00.000Z';
  const stopped = { id: 'ses_1', environment_id: 'env_1', name: 'a', status: 'stopped', message: 'Stopped.', ended_at: null, stopped_at };
  const tell = (over: object) => bus.emit('session.changed', { ...stopped, ...over } as unknown as Session);
  tell({});
  tell({ deleted_at: stopped_at });
  tell({ deleted_at: null });
  tell({ stopped_at: '2020-01-01T00:00:00.000Z', deleted_at: stopped_at, deleted_by_itself: true });
  tell({ id: 'ses_2', message: null });
  tell({ id: 'ses_2', name: 'b', status: 'failed', message: 'no' });
  await expect.poll(() => told.length).toBe(3);
  const deleted = 'Session "a" was kept for as long as its environment says and is deleted; for a day that can be undone';
  expect((await lines()).toSorted()).toEqual(['Session "a" stopped: Stopped.', deleted, 'Session "b" failed: no']);
});
