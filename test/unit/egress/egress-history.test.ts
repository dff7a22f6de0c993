// What a policy would have said about the past, a policy made from the past, and one rule put where it decides.
import { expect, test } from 'vitest';
import type { EgressTally, NetworkPolicy, NetworkRule } from '../../../sandbox-engine/contract/model.ts';
import { checkPolicy } from '../../../sandbox-engine/egress/check-policy.ts';
import { explain } from '../../../sandbox-engine/egress/explain.ts';
import { insertRule } from '../../../sandbox-engine/egress/insert-rule.ts';
import { compilePolicy, decide } from '../../../sandbox-engine/egress/policy.ts';
import { proposePolicy } from '../../../sandbox-engine/egress/propose-policy.ts';
import { replayPolicy } from '../../../sandbox-engine/egress/replay-policy.ts';
import { sumDestinations } from '../../../sandbox-engine/egress/sum-destinations.ts';

const policy = (...rules: NetworkRule[]): NetworkPolicy => ({ version: 'v1', rules });
const compiled = (...rules: NetworkRule[]) => compilePolicy(policy(...rules), {});
const none = compiled();
const allow = (...hosts: string[]): NetworkRule => ({ action: 'allow', hosts });
const replayed = (after: ReturnType<typeof compiled>, past: EgressTally[], before = none) => replayPolicy(after, before, past);

const tally = (host: string | null, fields: Partial<EgressTally> = {}): EgressTally => ({
  ...{ host, port: 443, protocol: 'tls', verdict: 'allowed', reason: 'allowed', attempts: 1, bytes_sent: 1, bytes_received: 2 },
  ...{ first_at: '2026-11-29T10:00:00.000Z', last_at: '2026-11-29T10:00:01.000Z' },
  ...fields,
});
const blocked = (host: string, reason: EgressTally['reason'], fields: Partial<EgressTally> = {}) =>
  tally(host, { verdict: 'blocked', reason, ...fields });

test('a replay counts the attempts that would be blocked, and names them with the reason of now', () => {
  const past = [
    tally('a.example', { attempts: 400 }),
    tally('b.example', { attempts: 2 }),
    tally('b.example', { port: 80, protocol: 'http', attempts: 9 }),
    tally('c.example', { attempts: 1 }),
  ];
  const replay = replayed(
    compiled(allow('a.example'), { action: 'allow', hosts: ['b.example'], ports: [80] }),
    past,
    compiled(allow('a.example', 'b.example', 'c.example')),
  );
  expect([replay.sentence, replay.would_be_blocked, replay.attempts]).toEqual(['3 of 412 attempts would now be blocked.', 3, 412]);
  expect(replay.blocked.map(({ host, port, attempts, now }) => [host, port, attempts, now.reason])).toEqual([
    ['b.example', 443, 2, 'port_not_allowed'],
    ['c.example', 443, 1, 'no_rule'],
  ]);
  expect(replay.allowed).toEqual([]);
});

test('a replay compares the edit with the rules as they are saved, not with what was decided before they were', () => {
  const saved = compiled(allow('a.example', 'b.example'));
  const past = [tally('a.example', { attempts: 2 }), blocked('b.example', 'no_rule', { attempts: 2 }), tally('c.example', { attempts: 9 })];
  expect(replayPolicy(compiled({ action: 'deny', hosts: ['a.example'] }, allow('b.example')), saved, past)).toMatchObject({
    ...{ sentence: '2 of 13 attempts would now be blocked.', would_be_blocked: 2, would_be_allowed: 0, allowed: [] },
    blocked: [{ host: 'a.example' }],
  });
  expect(replayPolicy(saved, saved, past).sentence).toBe('Nothing would change for the 13 attempts that were seen.');
});

test('what passed only because it was observed counts as what the policy in force says about it', () => {
  const past = [tally('a.example', { reason: 'observed', attempts: 3 }), tally('b.example', { reason: 'observed', attempts: 2 })];
  expect(replayed(compiled(allow('a.example')), past).sentence).toBe('3 of 5 attempts would now be allowed.');
  expect(replayed(none, past).sentence).toBe('Nothing would change for the 5 attempts that were seen.');
  const inForce = compiled(allow('a.example', 'b.example'));
  expect(replayPolicy(compiled(allow('a.example')), inForce, past).sentence).toBe('2 of 5 attempts would now be blocked.');
  const nameless = tally('a.example', { reason: 'observed', protocol: 'tcp' });
  expect(replayed(compiled(allow('a.example')), [nameless]).would_be_allowed).toBe(0);
});

test.each<[string, EgressTally, NetworkRule, boolean]>([
  ['no rule named it', blocked('a.example', 'no_rule'), allow('a.example'), true],
  ['a private address, still not allowed', blocked('a.example', 'private_address'), allow('a.example'), false],
  ['a private address, allowed', blocked('a.example', 'private_address'), { ...allow('a.example'), allow_private: true }, true],
  [
    'bytes of another protocol, still looked at',
    blocked('a.example', 'not_recognised', { port: 22 }),
    { ...allow('a.example'), ports: [22] },
    false,
  ],
  [
    'bytes of another protocol, no longer looked at',
    blocked('a.example', 'not_recognised', { port: 22 }),
    { ...allow('a.example'), ports: [22], protocol: 'tcp' },
    true,
  ],
  ['the network was down', blocked('a.example', 'upstream_failed'), allow('a.example'), false],
  ['a hidden name', blocked('a.example', 'ech'), allow('a.example'), false],
])('what was blocked because of %s would be allowed: %#', (_why, past, rule, isAllowed) => {
  const replay = replayed(compiled(rule), [past]);
  expect([replay.would_be_allowed, replay.would_be_blocked]).toEqual([isAllowed ? 1 : 0, 0]);
});

test('what went through uninspected would be blocked by a rule that looks, where it cannot be TLS or HTTP', () => {
  const tcp = { protocol: 'tcp' } as const;
  const look = compiled({ ...allow('a.example'), ports: [22, 443] });
  const replay = replayed(
    look,
    [tally('a.example', { ...tcp, port: 22 }), tally('a.example', { ...tcp, port: 443, attempts: 5 })],
    compiled({ ...allow('a.example'), ports: [22, 443], protocol: 'tcp' }),
  );
  expect(replay.blocked.map(({ port, now }) => [port, now.reason])).toEqual([[22, 'not_recognised']]);
});

test('questions and connections without a host are no part of a replay', () => {
  const replay = replayed(compiled(), [blocked('a.example', 'no_rule', { protocol: 'dns', port: null }), tally(null, { port: null })]);
  expect([replay.attempts, replay.sentence]).toEqual([0, 'Nothing was tried yet, so there is nothing to compare with.']);
});

test('a proposal covers exactly what was contacted: hosts with the same ports in one rule, no wildcard, in canonical form', () => {
  const past = [
    ...['b.example', 'a.example', 'x.a.example', 'y.a.example'].map((host) => tally(host)),
    tally('both.example'),
    tally('both.example', { port: 80, protocol: 'http' }),
    tally('ssh.example', { port: 22, protocol: 'tcp' }),
    tally('10.1.2.3', { port: 5432, protocol: 'tcp' }),
    blocked('bad.example', 'no_rule', { attempts: 3 }),
  ];
  const { policy: proposed, leftOut, destinations } = proposePolicy(past, { inForce: null });
  expect(proposed).toEqual(
    policy(
      { action: 'allow', hosts: ['a.example', 'b.example', 'x.a.example', 'y.a.example'], ports: [443] },
      { action: 'allow', hosts: ['both.example'] },
      { action: 'allow', hosts: ['ssh.example'], ports: [22], protocol: 'tcp' },
      { action: 'allow', hosts: ['10.1.2.3'], ports: [5432], protocol: 'tcp', allow_private: true },
    ),
  );
  expect(destinations).toBe(8);
  expect(leftOut).toEqual([{ host: 'bad.example', port: 443, attempts: 3, because: 'was_blocked' }]);
  expect(checkPolicy(proposed)).toMatchObject({ ok: true, policy: proposed });
  const passed = past.filter(({ verdict }) => verdict === 'allowed');
  expect(replayed(compilePolicy(proposed, {}), passed, compilePolicy({}, {})).would_be_blocked).toBe(0);
});

test('of two ways to group the rules the shorter one is proposed', () => {
  const past = [443, 8080].flatMap((port) => [tally('a.example', { port }), tally(port === 443 ? 'b.example' : 'c.example', { port })]);
  expect(proposePolicy(past, { inForce: null }).policy).toEqual(
    policy(
      { action: 'allow', hosts: ['a.example', 'b.example'], ports: [443] },
      { action: 'allow', hosts: ['a.example', 'c.example'], ports: [8080] },
    ),
  );
});

test('what was blocked is covered only when that is asked for, and never what no rule can allow', () => {
  const past = [
    blocked('lan.example', 'private_address'),
    blocked('odd.example', 'not_recognised', { port: 2222 }),
    blocked('169.254.169.254', 'special_address', { port: 80 }),
    blocked('localhost', 'special_address'),
    blocked('down.example', 'upstream_failed'),
    blocked('gone.example', 'resolve_failed'),
    tally(null, { port: null, verdict: 'blocked', reason: 'malformed_request' }),
  ];
  const { policy: proposed, leftOut } = proposePolicy(past, { inForce: null, includeBlocked: true });
  expect(proposed).toEqual(
    policy(
      { action: 'allow', hosts: ['lan.example'], ports: [443], allow_private: true },
      { action: 'allow', hosts: ['odd.example'], ports: [2222], protocol: 'tcp' },
    ),
  );
  expect(leftOut.map(({ host, because }) => [host, because])).toEqual([
    ['169.254.169.254', 'never_allowed'],
    ['localhost', 'never_allowed'],
    ['down.example', 'not_reached'],
    ['gone.example', 'not_found'],
    [null, 'no_host'],
  ]);
});

test('what a rule let into private networks is taken for private: the proposal says so, and a rule that does not would block it', () => {
  const inForce = compiled({ ...allow('db.example'), allow_private: true });
  expect(proposePolicy([tally('db.example')], { inForce }).policy).toEqual(
    policy({ action: 'allow', hosts: ['db.example'], ports: [443], allow_private: true }),
  );
  expect(replayPolicy(compiled(allow('db.example')), inForce, [tally('db.example')]).blocked[0]?.now.reason).toBe('private_address');
  expect(replayPolicy(inForce, inForce, [tally('db.example')]).would_be_blocked).toBe(0);
  expect(replayPolicy(compiled(allow('db.example')), compilePolicy({}, {}), [tally('db.example')]).would_be_blocked).toBe(0);
});

test('nothing contacted proposes a closed policy, not an open one', () => {
  expect(proposePolicy([], { inForce: null }).policy).toEqual({ version: 'v1', rules: [] });
});

test('the proposed rule, put where it is said to stand, allows the destination and nothing that a deny rule kept', () => {
  const before = policy({ action: 'deny', hosts: ['secret.a.example'] }, allow('*.a.example'));
  const asked = explain(compilePolicy(before, {}), 'secret.a.example:443');
  const { policy: after, at } = insertRule(before, asked.how_to_allow!, asked.insert_at!);
  const now = compilePolicy(after, {});
  const verdictOf = (host: string, port: number) => decide(now, { host, port }).verdict;
  expect(at).toBe(0);
  expect([verdictOf('secret.a.example', 443), verdictOf('secret.a.example', 80), verdictOf('x.secret.a.example', 443)]).toEqual([
    'allowed',
    'blocked',
    'allowed',
  ]);
});

test('a rule that would stand last joins the last one when only its hosts differ', () => {
  const wanted: NetworkRule = { action: 'allow', hosts: ['b.example'], ports: [443] };
  const alike: NetworkRule = { action: 'allow', hosts: ['a.example'], ports: [443] };
  expect(insertRule(policy(alike), wanted, 1)).toEqual({ policy: policy({ ...alike, hosts: ['a.example', 'b.example'] }), at: 0 });
  const other: NetworkRule = { ...alike, note: 'mine' };
  expect(insertRule(policy(other), wanted, 1)).toEqual({ policy: policy(other, wanted), at: 1 });
  expect(insertRule({}, wanted, 0).policy).toEqual({});
});

test('tallies of one destination come together, the last tried first, with what the policy says now', () => {
  const sums = sumDestinations(
    [
      tally('a.example', { attempts: 5, bytes_sent: 7, first_at: '2026-11-29T09:00:00.000Z' }),
      blocked('a.example', 'no_rule', { attempts: 2, last_at: '2026-11-29T11:00:00.000Z' }),
      tally('b.example', { last_at: '2026-11-29T10:30:00.000Z' }),
    ],
    compiled(allow('b.example')),
  );
  expect(sums.map(({ host, allowed, blocked: no, last_verdict, now }) => [host, allowed, no, last_verdict, now?.verdict])).toEqual([
    ['a.example', 5, 2, 'blocked', 'blocked'],
    ['b.example', 1, 0, 'allowed', 'allowed'],
  ]);
  expect(sums[0]).toMatchObject({ bytes_sent: 8, first_at: '2026-11-29T09:00:00.000Z', now: { insert_at: 1 } });
});

test('of a destination whose name led to a reserved address no rule is offered, also when a rule is all that was missing since', () => {
  const tried = [
    blocked('a.example', 'special_address'),
    blocked('a.example', 'no_rule', { last_at: '2026-11-29T11:00:00.000Z' }),
    blocked('lan.example', 'private_address'),
    blocked('lan.example', 'no_rule', { last_at: '2026-11-29T10:30:00.000Z' }),
    blocked('gone.example', 'resolve_failed', { last_at: '2026-11-29T10:20:00.000Z' }),
    blocked('back.example', 'resolve_failed', { attempts: 3 }),
    blocked('back.example', 'no_rule', { last_at: '2026-11-29T10:10:00.000Z' }),
    tally('ssh.example', { reason: 'observed', protocol: 'tcp', port: 2222 }),
  ];
  const offered = (destinations: ReturnType<typeof sumDestinations>) =>
    destinations.map(({ host, now }) => [host, now?.reason, now?.how_to_allow ?? null]);
  const rule = (host: string, extra: object = {}) => ({ ...allow(host), ports: [443], ...extra });
  expect(offered(sumDestinations(tried, none))).toEqual([
    ['a.example', 'special_address', null],
    ['lan.example', 'private_address', rule('lan.example', { allow_private: true })],
    ['gone.example', 'resolve_failed', null],
    // That a name was not found once says nothing of now.
    ['back.example', 'no_rule', rule('back.example')],
    ['ssh.example', 'not_recognised', rule('ssh.example', { ports: [2222], protocol: 'tcp' })],
  ]);
  expect(sumDestinations(tried, none).map(({ blocked: no, failed }) => [no, failed])).toEqual([
    [2, 0],
    [2, 0],
    [0, 1],
    [1, 3],
    [0, 0],
  ]);
});
