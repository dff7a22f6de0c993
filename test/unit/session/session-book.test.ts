import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../sandbox-engine/base/clock.ts';
import type { Session } from '../../../sandbox-engine/contract/model.ts';
import { openRegistry } from '../../../sandbox-engine/registry/open-registry.ts';
import { freeName } from '../../../sandbox-engine/session/free-name.ts';
import { createSessionBook } from '../../../sandbox-engine/session/session-book.ts';
import type { SessionDeps } from '../../../sandbox-engine/session/session-parts.ts';
import { createRedactor, type Secret } from '../../../sandbox-engine/stream/redact.ts';

const openBook = async (secrets: Secret[] = []) => {
  const folder = await mkdtemp(join(tmpdir(), 'sandlot-book-'));
  const registry = await openRegistry({ folder, clock: systemClock });
  onTestFinished(async () => {
    await registry.close();
    await rm(folder, { recursive: true });
  });
  const told: Session[] = [];
  let now = 0;
  const nothing = () => undefined;
  const emit = { session: (session: Session) => void told.push(session), terminal: nothing, exec: nothing, sessionRemoved: nothing };
  const clock = { ...systemClock, monotonic: () => now };
  const book = createSessionBook({
    sessionStore: registry.sessions,
    clock,
    emit,
    secrets: createRedactor(secrets),
  } as unknown as SessionDeps);
  const session = {
    id: 'ses_1',
    environment_id: 'e',
    created_at: systemClock.iso(),
    status: 'starting',
    message: null,
    steps: [],
  } as unknown as Session;
  await book.insert(session);
  return {
    ...{ book, told, registry },
    tick: (ms: number) => {
      now += ms;
    },
  };
};

test('a step shows the newest line it said, without colours, four times a second at most, and none once it is over', async () => {
  const { book, told, tick } = await openBook();
  let late: (line: string) => void = () => undefined;
  await book.step('ses_1', 'image', async (say) => {
    late = say;
    say('\u001b[32mI: Retrieving\u001b[0m Release');
    say('too soon');
    tick(300);
    say(' 10%\r 20%\r 30%');
    tick(300);
    say('   ');
  });
  tick(300);
  late('too late');
  const { steps } = await book.get('ses_1');
  expect([steps.map(({ name, status, message, duration_ms }) => ({ name, status, message, duration_ms }))]).toEqual([
    [{ name: 'image', status: 'succeeded', message: undefined, duration_ms: 600 }],
  ]);
  expect(told.flatMap((one) => one.steps.map(({ message }) => message))).toEqual([undefined, 'I: Retrieving Release', '30%', undefined]);
});

test('a step that failed says why from the moment it has', async () => {
  const { book, told } = await openBook();
  const run = book.step('ses_1', 'repository', () => Promise.reject(new Error('The large files were not fetched.')));
  await expect(run).rejects.toThrow('not fetched');
  const seen = told.flatMap(({ steps }) => steps.map(({ status, message }) => [status, message]));
  expect(seen).toEqual([
    ['running', undefined],
    ['failed', 'The large files were not fetched.'],
  ]);
});

test('a session that was removed is never saved again, whatever still reports about it', async () => {
  const { book, registry } = await openBook();
  const removal = book.remove('ses_1');
  book.note('ses_1', { message: 'late' });
  await expect(book.change('ses_1', { message: 'late' })).rejects.toMatchObject({ code: 'not_found' });
  await removal;
  await expect(book.get('ses_1')).rejects.toMatchObject({ code: 'not_found' });
  expect(await registry.sessions.list()).toEqual([]);
});

test('what a step says and why a session failed is kept and told without secrets', async () => {
  const secret = 'tok_4f9a2c7d1e';
  const { book, told, registry } = await openBook([{ name: 'TOKEN', value: secret }]);
  await book.step('ses_1', 'repository', async (say) => say(`Cloning from https://user:${secret}@host`));
  await book.change('ses_1', { message: `not cloned: ${secret}` });
  expect((await registry.sessions.find('ses_1'))?.message).toBe('not cloned: ***');
  expect(told.flatMap(({ steps }) => steps.flatMap(({ message }) => message ?? []))).toContain('Cloning from https://user:***@host');
  expect(JSON.stringify(told)).not.toContain(secret);
});

test.each<[string, string, string[]]>([
  ['web', 'web', []],
  ['web', 'web', ['web shop', 'web 2']],
  ['web 2', 'web', ['web']],
  ['web 3', 'web', ['web', 'web 2', 'web 4']],
  [`${'x'.repeat(254)} 2`, 'x'.repeat(256), ['x'.repeat(256)]],
])('a session gets the name %s where %s is wanted and %j are taken', (name, wanted, taken) =>
  expect(freeName(wanted, new Set(taken))).toBe(name),
);

test('sessions that are launched in the same moment get names of their own, also beside one of an earlier host', async () => {
  const { book, registry } = await openBook();
  const { name: _, ...first } = { ...(await book.get('ses_1')), name: '' };
  await registry.sessions.save({ ...first, id: 'ses_0', name: '100% web_shop' });
  const launch = async (id: string) => {
    const find = await book.nameFinder('100% web_shop');
    const name = find();
    await book.insert({ ...first, id, name });
    return name;
  };
  const names = await Promise.all(['ses_2', 'ses_3'].map(launch));
  await book.change('ses_2', { name: 'renamed' });
  expect([...names, await launch('ses_4')]).toEqual(['100% web_shop 2', '100% web_shop 3', '100% web_shop 2']);
});
