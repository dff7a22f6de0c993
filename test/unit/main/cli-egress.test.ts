// What `sandlot egress` asks and prints, over a host that answers from the test.
import type { ChildProcess } from 'node:child_process';
import { expect, test } from 'vitest';
import type { LoggedAttempt } from '../../../sandbox-engine/contract/model.ts';
import { environment, id, openEgressHost as open } from './egress-host.ts';

const attempt = (digit: string, host: string, fields: Partial<LoggedAttempt> = {}): LoggedAttempt => ({
  ...{ id: `att_${digit}`, at: `2026-11-29T10:00:0${digit}.000Z`, sandbox_id: id('run'), environment_id: id('env'), session_id: null },
  ...{ setup_run_id: id('run'), host, port: 443, protocol: 'tls', mode: 'transparent', verdict: 'blocked', reason: 'no_rule', rule: null },
  ...{ detail: null, policy_revision: 1, bytes_sent: 0, bytes_received: 2048, duration_ms: 1, count: 2 },
  ...{ cause: { kind: 'setup_line', line: 7 }, sentence: `${host}:443 was blocked: no rule names this host.` },
  ...fields,
});

test('egress log asks with its filters, prints a row an attempt, and as JSON the answer whole', async () => {
  const page = { attempts: [attempt('2', 'b.example'), attempt('1', 'a.example')], next_after: '17', older: 5 };
  const { asked, run } = await open(() => ({ 'egress.log': async () => page }));
  const table = await run(['log', 'web', '--run', id('run'), '--blocked', '--text', 'ex']);
  const scope = { environment_id: id('env'), setup_run_id: id('run'), verdict: 'blocked', text: 'ex' };
  expect(asked).toEqual([{ 'egress.log': scope }]);
  expect(table.stdout.split('\n')[1]).toMatch(
    /^2026-11-29T10:00:02.000Z +blocked +b.example:443 +tls +no_rule +- +2 +0 B \/ 2.0 KiB +line 7/,
  );
  expect(table.stderr).toContain('5 older attempts');
  expect(table.stderr).toContain('--cursor 17');
  expect(JSON.parse((await run(['log', '-o', 'json'])).stdout)).toEqual(page);
});

test('what was not found or not reached is not called blocked, is asked for by --failed, and has no rule to add', {
  timeout: 60_000,
}, async () => {
  const gone = { reason: 'resolve_failed' as const, instead: 'Check the spelling.' };
  const now = { verdict: 'blocked', reason: 'resolve_failed', how_to_allow: null, instead: gone.instead };
  const sums = { host: 'gone.example', port: 443, allowed: 0, blocked: 0, failed: 3, bytes_sent: 0, bytes_received: 0 };
  const { asked, run } = await open((bus) => ({
    'egress.log': async () => {
      setImmediate(() =>
        bus.emit('egress.attempts', { attempts: [attempt('2', 'b.example'), attempt('3', 'last.example', gone)], left_off: 0 }),
      );
      return { attempts: [attempt('1', 'gone.example', gone)], next_after: null, older: 1 };
    },
    'egress.summary': async () => ({
      destinations: [
        { ...sums, last_reason: 'resolve_failed', last_verdict: 'blocked', last_at: '2026-11-29T10:00:00.000Z', now } as never,
      ],
      ...{ allowed: 0, blocked: 0, failed: 3, left_off: 1 },
    }),
  }));
  const table = await run(['log', 'web', '--failed']);
  expect(table.stdout.split('\n')[1]).toMatch(/^\S+ +not found +gone\.example:443 /);
  expect(table.stderr).toContain('1 older attempt is counted by destination only');
  expect((await run(['log', 'web', '--grouped'])).stdout).toMatch(
    /3 +resolve_failed .* not found +-\n\n0 allowed, 0 blocked, 3 failed, 1 destination more\ngone\.example:443: no rule helps\. Check the spelling\.\n/,
  );
  const stopAtEnd = (child: ChildProcess) =>
    child.stdout?.on('data', (data) => String(data).includes('last.example') && child.kill('SIGINT'));
  const { stdout } = await run(['log', '--failed', '--follow'], { onStart: stopAtEnd });
  expect(stdout.split('\n').map((line) => line.split(' ').slice(1, 4).join(' '))).toEqual([
    'not found gone.example:443',
    'not found last.example:443',
    '',
  ]);
  expect(asked.map((one) => JSON.stringify(one)).filter((one) => one.includes('"verdict":"failed"')).length).toBe(2);
});

test('egress log --follow prints the newest, then what comes and is meant, each once', async () => {
  const { run } = await open((bus) => ({
    'egress.log': async () => {
      const open = { ...attempt('3', 'c.example'), verdict: 'allowed' as const };
      const attempts = [attempt('2', 'b.example'), open, attempt('4', 'd.example')];
      setImmediate(() => bus.emit('egress.attempts', { attempts: [attempt('5', 'e.example')], left_off: 0 }));
      // Came while the page was being read, and is in both.
      bus.emit('egress.attempts', { attempts, left_off: 0 });
      return { attempts: [attempt('2', 'b.example'), attempt('1', 'a.example')], next_after: null, older: 0 };
    },
  }));
  const stopAtEnd = (child: ChildProcess) => child.stdout?.on('data', (data) => String(data).includes('e.example') && child.kill('SIGINT'));
  const { stdout } = await run(['log', '--blocked', '--follow', '-o', 'json'], { onStart: stopAtEnd });
  const hosts = stdout
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as LoggedAttempt).host);
  expect(hosts).toEqual(['a.example', 'b.example', 'd.example', 'e.example']);
});

test('egress replay reads a policy or a body with one, and prints what would be blocked', { timeout: 60_000 }, async () => {
  const now = { sentence: 'The sandbox policy blocked b.example:443: no rule names this host.' };
  const replay = {
    ...{ sentence: '3 of 412 attempts would now be blocked.', attempts: 412, would_be_blocked: 3, would_be_allowed: 0, allowed: [] },
    blocked: [{ host: 'b.example', port: 443, attempts: 3, last_at: '2026-11-29T10:00:00.000Z', now: now as never }],
  };
  const { asked, run } = await open(() => ({ 'egress.replay': async () => replay }));
  const policy = { version: 'v1', rules: [] };
  const said = await run(['replay', 'web', '--file', '-'], { input: JSON.stringify({ network_policy: policy }) });
  expect(asked).toEqual([{ 'egress.replay': { environment_id: id('env'), network_policy: policy } }]);
  expect(said.stdout).toBe(`${replay.sentence}\n     3  ${now.sentence}\n`);
  expect((await run(['replay', 'web', '-f', '-'], { input: 'rules:' })).code).toBe(2);
});

test('egress propose --save sends the policy with what was seen, only when that is agreed to', { timeout: 60_000 }, async () => {
  const policy = { version: 'v1' as const, rules: [{ action: 'allow' as const, hosts: ['a.example'], ports: [443] }] };
  const { asked, run } = await open(() => ({
    'egress.propose': async () => ({ policy, warnings: [], destinations: 1, left_out: [] }),
    'setup_runs.get': async () => ({ environment_id: id('env') }) as never,
    'environments.update': async () => environment as never,
  }));
  const patchOf = async (...words: string[]) => {
    asked.length = 0;
    const said = await run(['propose', id('run'), ...words]);
    expect(JSON.parse(said.stdout)).toEqual(policy);
    return asked.find((one) => 'environments.update' in one)?.['environments.update'];
  };
  const { network_policy, privileged, revision } = environment;
  expect(await patchOf()).toBeUndefined();
  expect(await patchOf('--save')).toEqual({ environment_id: id('env'), patch: { network_policy: policy, revision } });
  expect(await patchOf('--save', '--accept-access')).toEqual({
    environment_id: id('env'),
    patch: { network_policy: policy, revision, expected_access: { network_policy, privileged } },
  });
});

test('egress access prints when each host was last seen, and a remark that several rules have once', async () => {
  const row = {
    host: 'a.example',
    ports: [{ port: 22, inspected: 'not_inspected', decided_by: null }],
    rule: 0,
    preset: null,
    from: 'rule 1',
  };
  const rest = { note: null, marks: [], shadowed: false, cut_by: [] };
  const seen = {
    last_allowed_at: '2026-11-29T10:00:00.000Z',
    last_blocked_at: '2026-11-29T11:00:00.000Z',
    last_not_found_at: null,
    last_not_reached_at: null,
  };
  const remark = { code: 'uninspected_tcp', message: 'The bytes of a tcp rule are not looked at.' };
  const access = {
    ...{ access: 'limited', headline: '2 hosts', hosts: 2, wildcards: 0, presets: [], always_blocked: [], not_governed: [] },
    ...{ environment_id: id('env'), revision: 3, sessions_on_older_revisions: 2 },
    rows: [
      { ...row, ...rest, ...seen },
      {
        ...row,
        ...rest,
        host: 'b.example',
        rule: 1,
        from: 'rule 2',
        last_allowed_at: null,
        last_blocked_at: null,
        last_not_found_at: null,
        last_not_reached_at: null,
      },
      { ...row, ...rest, ...seen, host: 'c.example', rule: 1, from: 'rule 2', last_not_found_at: '2026-11-29T12:00:00.000Z' },
    ],
    denials: [],
    warnings: [0, 1].map((rule) => ({ ...remark, path: `/rules/${rule}/protocol` })),
  };
  const { run } = await open(() => ({ 'egress.access': async () => access as never }));
  const { stdout } = await run(['access', 'web']);
  expect(stdout).toContain('2 hosts (revision 3, running sessions on older revisions: 2)');
  expect(stdout).toMatch(/a\.example +22 +not inspected +rule 1 +blocked 2026-11-29T11:00:00\.000Z/);
  expect(stdout).toMatch(/b\.example +22 +not inspected +rule 2 +never/);
  expect(stdout).toMatch(/c\.example +22 +not inspected +rule 2 +not found 2026-11-29T12:00:00\.000Z/);
  expect(stdout).toContain(`  Rule 1 (a.example), rule 2 (b.example, c.example): ${remark.message}\n`);
  expect(stdout.split(remark.message).length).toBe(2);
});
