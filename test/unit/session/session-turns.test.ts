// What is due is judged as it is when its turn has come: over a real registry, with a runtime that does what the test says.
import { expect, onTestFinished, test } from 'vitest';
import { SandlotError } from '../../../sandbox-engine/base/errors.ts';
import { createLabels } from '../../../sandbox-engine/container/labels.ts';
import type { Session } from '../../../sandbox-engine/contract/model.ts';
import { newSession } from '../../../sandbox-engine/session/new-session.ts';
import type { SessionDeps } from '../../../sandbox-engine/session/session-parts.ts';
import { createSessions } from '../../../sandbox-engine/session/sessions.ts';
import { createRedactor } from '../../../sandbox-engine/stream/redact.ts';
import { noGates } from '../../runtime/support/no-gates.ts';
import { anEnvironment, aPlan } from '../../runtime/support/session-house.ts';
import { openHere, temporaryFolder } from '../registry/temporary-folder.ts';

const hour = 3_600_000;

const openHouse = async (over: Partial<Session>, idleSeconds = 0, isAway = false) => {
  const time = { ms: Date.parse('2026-11-29T12:00:00.000Z') };
  const clock = { now: () => time.ms, iso: () => new Date(time.ms).toISOString(), monotonic: () => time.ms };
  const registry = await openHere(await temporaryFolder());
  const session = { ...newSession(clock, aPlan(anEnvironment(), 'i'), 'ses_1'), container_id: 'c1', ...over };
  await registry.sessions.save(session);
  const calls: string[] = [];
  const starting = { wait: Promise.resolve() };
  const volumes = [{ name: 'sandlot-ses_1' }];
  const runtime = {
    listVolumes: async () => volumes,
    startContainer: () => starting.wait,
    stopContainer: async () => undefined,
    readUsage: async () => ({ cpuMs: 0, networkBytes: 0 }),
    removeContainer: async (id: string) => void calls.push(`container ${id}`),
    removeVolume: async (name: string) => void calls.push(`volume ${name}`),
  };
  const told: Session[] = [];
  const nothing = () => undefined;
  const sessions = createSessions({
    ...{
      sessionStore: registry.sessions,
      runtimeOf: () => {
        if (isAway) throw new SandlotError('runtime_unavailable', 'It is stopped.');
        return { id: 'test', ...runtime };
      },
      networks: noGates,
      clock,
      secrets: createRedactor(),
    },
    ...{ makeLabels: createLabels('home', 'owner'), newId: (kind: string) => `${kind}_1` },
    lifetimes: { idleSecondsOf: async () => idleSeconds, retentionSecondsOf: async () => 1_800, keptIdle: {} },
    emit: { session: (one: Session) => void told.push(one), terminal: nothing, exec: nothing, sessionRemoved: nothing },
  } as unknown as SessionDeps);
  onTestFinished(() => sessions.close({ stop: false }));
  const pass = (ms: number): void => {
    time.ms += ms;
  };
  return { sessions, told, calls, starting, pass, volumes };
};

const stopped = { status: 'stopped', stopped_at: '2026-11-29T12:00:00.000Z' } as const;

test('what is due goes; what is being resumed in that moment does not', async () => {
  const { sessions, calls, starting, pass } = await openHouse(stopped);
  let go: () => void = () => undefined;
  starting.wait = new Promise((resolve) => {
    go = resolve;
  });
  pass(hour);
  const resuming = sessions.resume('ses_1');
  const looking = sessions.life.look();
  await expect.poll(async () => (await sessions.get('ses_1')).delete_at).toBe('2026-11-29T12:30:00.000Z');
  go();
  await Promise.all([resuming, looking]);
  expect([calls, (await sessions.get('ses_1')).status]).toEqual([[], 'running']);
  await sessions.stop('ses_1');
  pass(hour);
  await sessions.life.look();
  expect([calls, (await sessions.get('ses_1')).deleted_by_itself]).toEqual([[], true]);
  pass(25 * hour);
  await sessions.life.look();
  expect([calls, await sessions.list()]).toEqual([['container c1', 'volume sandlot-ses_1'], []]);
});

test('a host begins, and leaves its sessions as they are, while their runtime is away', async () => {
  const { sessions } = await openHouse({ status: 'running' }, 0, true);
  await sessions.recover([]);
  expect((await sessions.get('ses_1')).status).toBe('running');
});

test('an undeleting that comes before the turn of the removal saves it', async () => {
  const { sessions, calls, pass } = await openHouse({ ...stopped, keep_forever: true });
  await sessions.life.softDelete('ses_1', 600);
  pass(hour);
  const [undeleted] = await Promise.all([sessions.life.undelete('ses_1'), sessions.life.look()]);
  expect(undeleted.deleted_at).toBeNull();
  expect([calls, (await sessions.get('ses_1')).status]).toEqual([[], 'stopped']);
});

test('a session that is stopped for being idle says why in the moment in which it is told to be stopped', async () => {
  const { sessions, told, pass } = await openHouse({ status: 'running' }, 120);
  for (let look = 0; look < 6; look += 1) {
    pass(30_000);
    await sessions.life.look();
  }
  expect(told.filter(({ status }) => status === 'stopped')[0]).toMatchObject({
    message: 'Stopped after 2 minutes without activity.',
    idle_stop_at: null,
  });
});

test('a session that is stopped with the host says so to the next one', async () => {
  const { sessions, told } = await openHouse({ status: 'running' });
  await sessions.close({ stop: true });
  expect(told.at(-1)).toMatchObject({ status: 'stopped', message: 'Stopped because Sandlot was ended with its sessions.' });
});

test('a session whose sandbox is gone is not resumed, and says what to do', async () => {
  const { sessions } = await openHouse({ ...stopped, container_id: null });
  await expect(sessions.resume('ses_1')).rejects.toMatchObject({
    code: 'session_not_running',
    nextAction: 'Replace its sandbox: sandlot session replace ses_1',
  });
});

test.each<[string, (sessions: Awaited<ReturnType<typeof openHouse>>['sessions']) => Promise<unknown>]>([
  ['resumed', (sessions) => sessions.resume('ses_1')],
  ['replaced', (sessions) => sessions.replace('ses_1', aPlan(anEnvironment(), 'i'))],
])('a session whose sandbox and then workspace were removed outside has ended when it is to be %s, and says so', async (_how, goOn) => {
  const { sessions, volumes } = await openHouse({ ...stopped, container_id: null });
  volumes.length = 0;
  await expect(goOn(sessions)).rejects.toMatchObject({
    code: 'session_not_running',
    message: expect.stringMatching(/is ended.*\. Its sandbox and its workspace were removed outside Sandlot\.$/),
    nextAction: 'Launch a new session.',
  });
  expect(await sessions.get('ses_1')).toMatchObject({
    status: 'ended',
    message: 'Its sandbox and its workspace were removed outside Sandlot.',
    ended_at: '2026-11-29T12:00:00.000Z',
  });
});

test.each<[string, (sessions: Awaited<ReturnType<typeof openHouse>>['sessions']) => Promise<unknown>]>([
  ['a command', (sessions) => sessions.startExec('ses_1', { command: ['true'] })],
  ['a terminal', (sessions) => sessions.openTerminal('ses_1', { cols: 80, rows: 24 })],
  ['a start script', (sessions) => sessions.retryStartScript('ses_1', anEnvironment())],
])('%s in a session that is stopped says how it is reached again, with its sandbox or without', async (_what, use) => {
  const { sessions } = await openHouse(stopped);
  await expect(use(sessions)).rejects.toMatchObject({ nextAction: 'Resume it first: sandlot session resume ses_1' });
  await sessions.keep('ses_1', { container_id: null } as never);
  await expect(use(sessions)).rejects.toMatchObject({ nextAction: 'Replace its sandbox: sandlot session replace ses_1' });
});

test('deleted and resumed in the same moment, it is stopped and deleted; who resumes it from then on is told so', async () => {
  const { sessions } = await openHouse({ status: 'running' });
  await Promise.all([sessions.life.softDelete('ses_1', 600), sessions.resume('ses_1')]);
  expect(await sessions.get('ses_1')).toMatchObject({ status: 'stopped', deleted_at: '2026-11-29T12:00:00.000Z' });
  await expect(sessions.resume('ses_1')).rejects.toMatchObject({
    code: 'session_not_running',
    nextAction: 'Take that back first: sandlot session undelete ses_1',
  });
});

test.each<[string, (sessions: Awaited<ReturnType<typeof openHouse>>['sessions']) => Promise<unknown>, string[]]>([
  ['stopped', (sessions) => sessions.stop('ses_1'), ['stopped ']],
  ['deleted', (sessions) => sessions.life.softDelete('ses_1', 600), ['stopped deleted']],
  ['deleted for good', (sessions) => sessions.remove('ses_1'), []],
])('a session whose replacement waits for an image is %s at once', async (_how, end, left) => {
  const { sessions } = await openHouse({ status: 'running' });
  let replaced: Promise<string> = Promise.resolve('');
  const asked = new Promise<void>((resolve) => {
    const image = () => {
      resolve();
      return new Promise<string>(() => undefined);
    };
    const replacing = sessions.replace('ses_1', { ...aPlan(anEnvironment(), 'i'), image });
    replaced = replacing.then(String, (thrown: { code: string; message: string }) => `${thrown.code}: ${thrown.message}`);
  });
  await asked;
  await end(sessions);
  expect(await replaced).toMatch(/^cancelled: .*the session was stopped or deleted meanwhile\.$/);
  expect((await sessions.list()).map(({ status, deleted_at }) => `${status} ${deleted_at ? 'deleted' : ''}`)).toEqual(left);
});
