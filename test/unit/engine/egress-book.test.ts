import { expect, test } from 'vitest';
import type { Terminal } from '../../../sandbox-engine/contract/model.ts';
import { attempted, environmentId, openDesk, refused, runId, sessionId } from './egress-house.ts';

const terminal = (digit: string, status: Terminal['status'] = 'running'): Terminal =>
  ({ id: `trm_${digit.repeat(26)}`, session_id: sessionId, status, created_at: '2026-11-29T09:00:00.000Z' }) as Terminal;

test('an attempt is kept with its environment, told with its sentence, and found in the log', async () => {
  const { take, calls, events } = await openDesk();
  await take(refused('b.example', { id: 'att_1' }));
  const kept = {
    ...{ id: 'att_1', environment_id: environmentId, session_id: sessionId, setup_run_id: null, cause: null },
    sentence: 'b.example:443 was blocked: no rule names this host.',
  };
  expect(events.map(({ name, payload }) => ({ name, payload }))).toMatchObject([
    { name: 'egress.attempts', payload: { attempts: [kept], left_off: 0 } },
  ]);
  expect(await calls['egress.log']({ session_id: sessionId })).toMatchObject({ attempts: [kept], next_after: null, older: 0 });
});

test('an empty batch, as one is when all of it was a canary, is nothing to wait for', async () => {
  const { book, events } = await openDesk();
  book.take([]);
  await book.settled();
  expect(events).toEqual([]);
});

test('what a setup run tries is joined to the line that was running', async () => {
  const { take, book, time, calls } = await openDesk();
  const began = time.now;
  book.lineBegan(runId, 3, began);
  book.lineBegan(runId, 5, began + 1_000);
  const at = (ms: number) => new Date(began + ms).toISOString();
  const of = (host: string, ms: number) => refused(host, { sandbox_id: runId, at: at(ms) });
  await take(of('before.example', -1), of('three.example', 999), of('five.example', 1_000), of('late.example', 60_000));
  const { attempts } = await calls['egress.log']({ setup_run_id: runId });
  expect(attempts.map(({ host, cause }) => [host, cause]).reverse()).toEqual([
    ['before.example', null],
    ['three.example', { kind: 'setup_line', line: 3 }],
    ['five.example', { kind: 'setup_line', line: 5 }],
    ['late.example', { kind: 'setup_line', line: 5 }],
  ]);
});

test('what was blocked at the failing line is asked of the proxy first, and earlier lines are left out', async () => {
  const { take, book, time, flushed } = await openDesk();
  book.lineBegan(runId, 1, time.now);
  await take(refused('early.example', { sandbox_id: runId }));
  time.now += 10;
  book.lineBegan(runId, 2, time.now);
  const at = new Date(time.now).toISOString();
  book.take([attempted({ sandbox_id: runId, at })]);
  book.take([refused('b.example', { sandbox_id: runId, at }), refused('b.example', { sandbox_id: runId, at, port: 80 })]);
  book.take([refused('gone.example', { sandbox_id: runId, at, reason: 'resolve_failed' })]);
  expect(await book.blockedAtLine(runId)).toEqual([
    { host: 'b.example', port: 80, reason: 'no_rule' },
    { host: 'b.example', port: 443, reason: 'no_rule' },
    { host: 'gone.example', port: 443, reason: 'resolve_failed' },
  ]);
  expect(flushed.count).toBe(1);
  expect(await book.blockedAtLine(`run_${'9'.repeat(26)}`)).toEqual([]);
});

test('all that was blocked in a run is told by its lines, each destination once a line', async () => {
  const { take, book, time } = await openDesk();
  const at = (ms: number) => new Date(time.now + ms).toISOString();
  const of = (host: string, ms: number) => refused(host, { sandbox_id: runId, at: at(ms) });
  book.lineBegan(runId, 2, time.now);
  book.lineBegan(runId, 9, time.now + 10);
  await take(of('b.example', 12), of('b.example', 1), of('b.example', 2), of('a.example', 3), attempted({ sandbox_id: runId, at: at(4) }));
  expect(await book.blockedInRun(runId)).toEqual([
    { line: 2, host: 'a.example', port: 443, reason: 'no_rule' },
    { line: 2, host: 'b.example', port: 443, reason: 'no_rule' },
    { line: 9, host: 'b.example', port: 443, reason: 'no_rule' },
  ]);
});

test('a line that is heard of after what it tried gets that all the same, in the log, in the event and in the hint', async () => {
  const { take, book, time, calls, events } = await openDesk();
  const began = time.now;
  const at = (ms: number) => new Date(began + ms).toISOString();
  book.lineBegan(runId, 1, began);
  await take(
    refused('one.example', { id: 'att_1', sandbox_id: runId, at: at(5) }),
    refused('two.example', { id: 'att_2', sandbox_id: runId, at: at(10) }),
  );
  book.lineBegan(runId, 2, began + 10);
  expect(await book.blockedAtLine(runId)).toEqual([{ host: 'two.example', port: 443, reason: 'no_rule' }]);
  const { attempts } = await calls['egress.log']({ setup_run_id: runId });
  expect(attempts.map(({ host, cause }) => [host, cause]).reverse()).toEqual([
    ['one.example', { kind: 'setup_line', line: 1 }],
    ['two.example', { kind: 'setup_line', line: 2 }],
  ]);
  expect(events.at(-1)?.payload).toMatchObject({ attempts: [{ id: 'att_2', cause: { line: 2 } }] });
});

test('a terminal is named only when it is the one that can have done it', async () => {
  const { take, registry, calls } = await openDesk();
  const causeOfNext = async () => {
    await take(refused('b.example'));
    return (await calls['egress.log']({ limit: 1 })).attempts[0]?.cause;
  };
  expect(await causeOfNext()).toBeNull();
  await registry.sessions.saveTerminal(terminal('1'));
  await registry.sessions.saveTerminal(terminal('3', 'exited'));
  expect(await causeOfNext()).toEqual({ kind: 'terminal', terminal_id: terminal('1').id });
  await registry.sessions.saveTerminal(terminal('2'));
  expect(await causeOfNext()).toBeNull();
});

test('a flood is told in one bounded event, and all of it is kept', async () => {
  const { take, events, calls } = await openDesk();
  await take(...Array.from({ length: 1_000 }, (_, index) => refused(`h${index}.example`)));
  expect(events.map(({ payload }) => payload)).toMatchObject([{ left_off: 800 }]);
  expect((await calls['egress.log']({ limit: 2_000 })).attempts.length).toBe(1_000);
});

test('a secret that is carried in a name does not come into the log, and a sandbox that nobody knows leaves no line', async () => {
  const { take, calls, events } = await openDesk();
  await take(refused('hunter2.example', { detail: 'hunter2' }), refused('b.example', { sandbox_id: `ses_${'8'.repeat(26)}` }));
  const { attempts } = await calls['egress.log']({});
  expect(attempts.map(({ host, detail }) => [host, detail])).toEqual([['***.example', '***']]);
  expect(JSON.stringify(events)).not.toContain('hunter2');
});

test('J15: a log that cannot be written is said once, and what comes after it is written', async () => {
  const { take, registry, events, time, calls } = await openDesk();
  const { save } = registry.egressLog;
  registry.egressLog.save = async () => {
    throw new Error('the disk is full');
  };
  await take(refused('b.example'));
  await take(refused('b.example'));
  expect(events.map(({ name }) => name)).toEqual(['notice']);
  registry.egressLog.save = save;
  time.now += 1;
  await take(refused('c.example'));
  expect((await calls['egress.log']({})).attempts.map(({ host }) => host)).toEqual(['c.example']);
});

test('the sums say of each destination what the policy says about it now, and the rule that would allow it', async () => {
  const { take, calls } = await openDesk({ version: 'v1', rules: [{ action: 'allow', hosts: ['a.example'] }] });
  await take(attempted(), attempted({ count: 4 }), refused('b.example', { at: '2026-11-29T11:00:00.000Z' }));
  const sums = await calls['egress.summary']({ environment_id: environmentId });
  expect(sums).toMatchObject({ allowed: 5, blocked: 1, left_off: 0 });
  expect(sums.destinations.map(({ host, now }) => [host, now?.verdict, now?.how_to_allow?.hosts])).toEqual([
    ['b.example', 'blocked', ['b.example']],
    ['a.example', 'allowed', undefined],
  ]);
  expect((await calls['egress.summary']({ limit: 1 })).left_off).toBe(1);
});

test('a policy that cannot be saved cannot be replayed: the problem has its place', async () => {
  const { take, calls } = await openDesk({ version: 'v1', rules: [{ action: 'allow', hosts: ['a.example', 'b.example'] }] });
  await take(attempted({ count: 409 }), attempted({ host: 'b.example', count: 3 }));
  const replay = (hosts: string[]) =>
    calls['egress.replay']({ environment_id: environmentId, network_policy: { version: 'v1', rules: [{ action: 'allow', hosts }] } });
  expect((await replay(['a.example'])).sentence).toBe('3 of 412 attempts would now be blocked.');
  await expect(replay(['*'])).rejects.toMatchObject({
    code: 'invalid_request',
    details: { path: '/network_policy/rules/0/hosts/0', problems: [{ code: 'wildcard_all' }] },
  });
});

test('a policy is proposed from one run, and not from what others did', async () => {
  const { take, calls } = await openDesk();
  await take(attempted({ sandbox_id: runId }), attempted({ host: 'other.example' }), refused('b.example', { sandbox_id: runId }));
  expect(await calls['egress.propose']({ setup_run_id: runId })).toEqual({
    policy: { version: 'v1', rules: [{ action: 'allow', hosts: ['a.example'], ports: [443] }] },
    ...{ warnings: [], destinations: 1 },
    left_out: [{ host: 'b.example', port: 443, attempts: 1, because: 'was_blocked' }],
  });
  expect((await calls['egress.propose']({ setup_run_id: runId, include_blocked: true })).destinations).toBe(2);
  await expect(calls['egress.propose']({})).rejects.toMatchObject({ code: 'invalid_request' });
});
