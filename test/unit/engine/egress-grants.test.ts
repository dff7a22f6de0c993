import { expect, test } from 'vitest';
import { activeGrants } from '../../../sandbox-engine/engine/egress-grants.ts';
import { bridge, environmentId, openDesk, refused, sessionId } from './egress-house.ts';

const rule = { action: 'allow', hosts: ['b.example'], ports: [443] } as const;
const closed = { version: 'v1' as const, rules: [] };
const access = { expected_access: { network_policy: closed, privileged: false } };
const running = { policy: closed, presets: {}, revision: 1 };

test('a grant for a session reaches the running sandbox, changes no policy, and is kept with who and when', async () => {
  const { grant, live, registry, clock, events, calls } = await openDesk();
  live.set(sessionId, running);
  const answer = await grant({ session_id: sessionId });
  expect(answer).toMatchObject({ rule, insert_at: null, network_policy: null, applied_to: [sessionId] });
  expect(answer.grant).toMatchObject({
    granted_by: 'ann',
    granted_at: clock.iso(),
    until: null,
    for: 'session',
    destination: 'b.example:443',
  });
  expect(live.get(sessionId)?.grants).toEqual([{ rule, until: null, endsAt: Number.POSITIVE_INFINITY }]);
  expect((await registry.environments.find(environmentId))?.revision).toBe(1);
  expect(events).toMatchObject([{ name: 'grant.changed', payload: answer.grant }]);
  expect(await calls['egress.grants']({ session_id: sessionId })).toEqual({ grants: [answer.grant] });
});

test('a grant for 15 minutes ends by itself, and one that is taken back ends now', async () => {
  const { grant, live, registry, grantTimes, time, calls } = await openDesk();
  live.set(sessionId, running);
  const given = await grant({ session_id: sessionId, for: '15m' });
  const until = new Date(time.now + 900_000).toISOString();
  const one = { rule, until, endsAt: expect.any(Number) };
  expect(live.get(sessionId)?.grants).toEqual([one]);
  const active = () => activeGrants({ registry, grantTimes }, sessionId, environmentId);
  time.now += 899_999;
  expect(await active()).toEqual([one]);
  time.now += 1;
  expect(await active()).toEqual([]);
  time.now -= 1;
  await calls['egress.revoke']({ grant_id: given.grant!.id });
  expect([await active(), live.get(sessionId)?.grants]).toEqual([[], []]);
});

test('a grant to an environment for a while reaches each sandbox of it that is up', async () => {
  const { grant, live } = await openDesk();
  live.set(sessionId, running);
  expect((await grant({ environment_id: environmentId, for: '15m' })).applied_to).toEqual([sessionId]);
  await expect(grant({ environment_id: environmentId, for: 'session' })).rejects.toMatchObject({ code: 'invalid_request' });
});

test('for good: the rule stands before the deny rule that would catch it, and needs the access that was seen', async () => {
  const policy = {
    version: 'v1' as const,
    rules: [
      { action: 'allow' as const, hosts: ['a.example'] },
      { action: 'deny' as const, hosts: ['*.b.example'] },
    ],
  };
  const { grant, registry, live } = await openDesk(policy);
  const asked = { environment_id: environmentId, destination: 'https://x.b.example/page', for: 'always' } as const;
  const wanted = { action: 'allow', hosts: ['x.b.example'], ports: [443] };
  const after = { version: 'v1', rules: [policy.rules[0], wanted, policy.rules[1]] };
  const preview = await grant({ ...asked, preview: true });
  expect(preview).toMatchObject({ rule: wanted, insert_at: 1, network_policy: after, grant: null });
  expect((await registry.environments.find(environmentId))?.network_policy).toEqual(policy);
  await expect(grant(asked)).rejects.toMatchObject({ code: 'precondition_required' });
  const other = { network_policy: {}, privileged: false };
  await expect(grant({ ...asked, expected_access: other })).rejects.toMatchObject({ code: 'precondition_failed' });
  live.set(sessionId, running);
  const seen = { network_policy: policy, privileged: false };
  expect(await grant({ ...asked, expected_access: seen })).toMatchObject({ grant: { policy_revision: 2 }, applied_to: [] });
  expect((await registry.environments.find(environmentId))?.network_policy).toEqual(after);
  expect(live.get(sessionId)).toEqual(running);
});

test('for good from a session: the rule is saved, and the session that keeps its older policy gets it too', async () => {
  const { grant, live, calls } = await openDesk();
  live.set(sessionId, running);
  const answer = await grant({ session_id: sessionId, for: 'always', ...access });
  expect(answer).toMatchObject({ insert_at: 0, network_policy: { rules: [rule] }, applied_to: [sessionId] });
  expect(live.get(sessionId)?.grants).toEqual([{ rule, until: null, endsAt: Number.POSITIVE_INFINITY }]);
  // The environment has it already, an older session does not: nothing is written twice.
  live.set(sessionId, running);
  const again = await grant({ session_id: sessionId, for: 'always' });
  expect(again).toMatchObject({ insert_at: null, network_policy: null, applied_to: [sessionId] });
  expect((await calls['egress.grants']({ environment_id: environmentId })).grants.length).toBe(2);
});

test('a preview warns of the new rule only, also where it joins another', async () => {
  const lan = { action: 'allow' as const, hosts: ['lan.example'], allow_private: true };
  const asked = { environment_id: environmentId, for: 'always', preview: true } as const;
  const other = await openDesk({ version: 'v1', rules: [lan] });
  expect((await other.grant(asked)).warnings).toEqual([]);
  const joined = await openDesk({ version: 'v1', rules: [lan, { action: 'allow', hosts: ['github.com'], ports: [443] }] });
  expect(await joined.grant(asked)).toMatchObject({ insert_at: 1, warnings: [] });
  expect((await other.grant({ ...asked, destination: '10.1.2.3:80' })).warnings.map(({ code, path }) => [code, path])).toEqual([
    ['plain_http', '/rules/1/ports/0'],
    ['private_allowed', '/rules/1/allow_private'],
  ]);
});

test('a rule cannot be taken back as a grant, and what is allowed or never allowed cannot be granted', async () => {
  const { grant, calls } = await openDesk();
  const { grant: forGood } = await grant({ environment_id: environmentId, for: 'always', ...access });
  await expect(calls['egress.revoke']({ grant_id: forGood!.id })).rejects.toMatchObject({ code: 'invalid_request' });
  await expect(grant({ environment_id: environmentId, for: '15m' })).rejects.toThrow(/nothing to grant/);
  await expect(grant({ session_id: sessionId, destination: '169.254.169.254:80' })).rejects.toThrow(/no rule can allow/);
  await expect(grant({ session_id: `ses_${'7'.repeat(26)}` })).rejects.toMatchObject({ code: 'not_found' });
});

test.each([
  ['not_recognised', { protocol: 'tcp' }],
  ['private_address', { allow_private: true }],
] as const)('what only the connection showed (%s) is part of the rule', async (reason, more) => {
  const { grant } = await openDesk({ version: 'v1', rules: [{ action: 'allow', hosts: ['b.example'], ports: [443] }] });
  const answer = await grant({ session_id: sessionId, reason });
  expect(answer.rule).toEqual({ ...rule, ...more });
});

test('what led to a reserved address, or was not found, is not granted: it is said why, and what helps instead', async () => {
  const { grant } = await openDesk();
  const refusal = (reason: 'special_address' | 'resolve_failed') => grant({ session_id: sessionId, reason, preview: true });
  await expect(refusal('special_address')).rejects.toMatchObject({
    message: expect.stringMatching(/reserved address.*no rule can allow\./),
    nextAction: expect.stringContaining('inside the sandbox'),
  });
  await expect(refusal('resolve_failed')).rejects.toMatchObject({
    message: expect.stringMatching(/^b\.example:443 was not found.*No rule helps\.$/),
  });
});

test.each(['session', '15m', 'always'] as const)(
  'an address of this computer that no rule opens is granted for no time, whatever it was blocked for: %s',
  async (term) => {
    const { grant, take, calls } = await openDesk();
    const asked = { session_id: sessionId, destination: `${bridge}:18180`, for: term };
    for (const reason of [undefined, 'no_rule', 'private_address'] as const) {
      await expect(grant({ ...asked, ...(reason && { reason }) })).rejects.toMatchObject({
        message: expect.stringMatching(/no rule can allow\.$/),
        nextAction: expect.stringContaining('inside the sandbox'),
      });
    }
    await take(refused(bridge, { port: 18_180, reason: 'private_address' }));
    const { destinations } = await calls['egress.summary']({ session_id: sessionId });
    expect(destinations[0]?.now).toMatchObject({ reason: 'special_address', how_to_allow: null });
  },
);

test('what was blocked for want of a rule has nothing to be granted once there is one', async () => {
  const { grant } = await openDesk({ version: 'v1', rules: [{ action: 'allow', hosts: ['b.example'], ports: [443] }] });
  await expect(grant({ session_id: sessionId, reason: 'no_rule' })).rejects.toThrow(/nothing to grant/);
});
