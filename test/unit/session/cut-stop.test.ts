// A stop that was begun: who is killed meanwhile leaves it to the next host, and one that the runtime refuses is over.
import { expect, test } from 'vitest';
import { SandlotError } from '../../../sandbox-engine/base/errors.ts';
import type { Seal, Session } from '../../../sandbox-engine/contract/model.ts';
import { settle, settleNetwork } from '../../../sandbox-engine/session/recover.ts';
import type { SessionBook } from '../../../sandbox-engine/session/session-book.ts';
import { sealSession } from '../../../sandbox-engine/session/session-network.ts';
import type { SessionDeps } from '../../../sandbox-engine/session/session-parts.ts';
import { stop } from '../../../sandbox-engine/session/stop.ts';

const at = '2026-12-01T12:00:00.000Z';
const why = 'Stopped after 2 minutes without activity.';

const leaking: Seal = { passed: 0, total: 1, probes: [{ name: 'dns', result: 'open', message: 'it answered' }] } as never;

const openHouse = (
  over: Partial<Session>,
  container: object | null = null,
  { failure = null, isDiskFull = false }: { failure?: SandlotError | null; isDiskFull?: boolean } = {},
) => {
  const calls: string[] = [];
  let now = {
    id: 'ses_1',
    status: 'running',
    container_id: 'c1',
    network: 'gate',
    steps: [],
    stopped_at: null,
    ...over,
  } as never as Session;
  const saved: Session[] = [];
  const change = async (_id: string, patch: Partial<Session>): Promise<Session> => {
    now = { ...now, ...patch };
    if (isDiskFull) throw new SandlotError('disk_full', 'The disk is full.');
    saved.push(now);
    return now;
  };
  const book = {
    get: async () => now,
    change,
    note: (id: string, patch: Partial<Session>) => void change(id, patch).catch(() => undefined),
  };
  const runtime = {
    inspectContainer: async () => container,
    listVolumes: async () => [{ name: now.volume }],
    stopContainer: async (id: string) => {
      calls.push(`stop ${id}, ${JSON.stringify(now.stopping)}`);
      if (failure !== null) throw failure;
    },
  };
  const deps = {
    ...{ runtimeOf: () => runtime, clock: { iso: () => at }, sandboxEnds: () => calls.push('terminals') },
    networks: { rest: async () => void calls.push('gate rests'), probe: async () => leaking },
  };
  return { deps: deps as never as SessionDeps, book: book as never as SessionBook, calls, saved, now: () => now };
};

test('it is written down, with its reason, before the sandbox is touched', async () => {
  const { deps, book, calls, now } = openHouse({});
  await stop(deps, book, 'ses_1', why);
  expect(calls).toEqual(['terminals', `stop c1, {"message":"${why}"}`, 'gate rests']);
  expect(now()).toMatchObject({ status: 'stopped', message: why, stopped_at: at, stopping: null });
});

test('a full disk keeps no sandbox running', async () => {
  const { deps, book, calls, now } = openHouse({}, null, { isDiskFull: true });
  await expect(stop(deps, book, 'ses_1')).rejects.toMatchObject({ code: 'disk_full' });
  expect([calls.filter((call) => call.startsWith('stop')).length, now().status]).toEqual([1, 'stopped']);
});

test('one that leaks is stopped, also where that cannot be written down', async () => {
  const { deps, book, calls, now } = openHouse({}, null, { isDiskFull: true });
  await sealSession(deps, book, 'ses_1').catch(() => undefined);
  expect([calls.filter((call) => call.startsWith('stop')).length, now().status]).toEqual([1, 'stopped']);
});

test('of one that is stopped while its network is looked at, nothing is said of the network', async () => {
  const { deps, book, now } = openHouse({ message: null });
  const healing = {
    heal: async () => {
      await stop(deps, book, 'ses_1', why);
      return { state: 'cut_off', reason: 'the sandbox does not run' };
    },
  };
  const looking = { ...deps, networks: { ...deps.networks, ...healing } } as never as SessionDeps;
  expect((await settleNetwork(looking, book, now())).message).toBe(why);
  expect(now()).toMatchObject({ status: 'stopped', message: why });
});

test('one that the runtime refuses is over, and nothing stops the session later', async () => {
  const { deps, book, now } = openHouse({}, null, { failure: new SandlotError('runtime_unavailable', 'It is stopped.') });
  await expect(stop(deps, book, 'ses_1')).rejects.toMatchObject({ code: 'runtime_unavailable' });
  expect([now().status, now().stopping]).toEqual(['running', null]);
});

test.each([['running'], ['exited']])(
  'after a host that was killed meanwhile, one whose sandbox is %s is stopped as was asked',
  async (status) => {
    const begun = { stopping: { message: why }, steps: [{ name: 'files', status: 'running' }] } as never;
    const { deps, book, calls, saved, now } = openHouse(begun, { id: 'c1', status, oomKilled: false, exitCode: 137 });
    await settle(deps, book, now());
    expect(calls).toEqual([`stop c1, {"message":"${why}"}`, 'gate rests']);
    expect(now()).toMatchObject({ status: 'stopped', message: why, stopped_at: at, stopping: null });
    expect([now().steps.map((step) => step.status), saved.map(({ message }) => message)]).toEqual([['failed'], [why, why]]);
  },
);

test('one whose sandbox is gone by then says that, and is not being stopped any more', async () => {
  const { deps, book, now } = openHouse({ stopping: { message: why }, volume: 'v' });
  await settle(deps, book, now());
  expect(now()).toMatchObject({
    status: 'stopped',
    container_id: null,
    message: expect.stringContaining('removed outside'),
    stopping: null,
  });
});
