// Whether a running session is under other rules than its environment has by now: what was granted to it for good is no difference.
import { expect, test } from 'vitest';
import type { NetworkPolicy, NetworkRule, Session } from '../../../sandbox-engine/contract/model.ts';
import { isBehindByGrantsOnly, keepsOtherRules } from '../../../sandbox-engine/engine/session-rules.ts';
import { environmentId, openDesk, sessionId } from './egress-house.ts';

const allow = (host: string): NetworkRule => ({ action: 'allow', hosts: [host], ports: [443] });
const denied: NetworkRule = { action: 'deny', hosts: ['*.b.example'] };
const began = { version: 'v1' as const, rules: [allow('a.example'), denied] };

const open = async () => {
  const { grant, registry, live, calls } = await openDesk(began);
  live.set(sessionId, { policy: began, presets: {}, revision: 1 });
  const isOther = async () => {
    const [session, environment] = [await registry.sessions.find(sessionId), await registry.environments.find(environmentId)];
    if (session === null || environment === null) throw new Error('they are in the house');
    const gated: Session = { ...session, network: 'gate', environment_revision: 1 };
    return await keepsOtherRules({ registry, livePolicy: (id) => live.get(id) ?? null }, gated, environment);
  };
  const forGood = async (destination: string, of: object = { session_id: sessionId }) => {
    const { network_policy, privileged } = (await registry.environments.find(environmentId)) ?? { privileged: false };
    const seen = { expected_access: { network_policy: network_policy ?? {}, privileged } };
    return await grant({ ...of, destination, for: 'always', ...seen });
  };
  const change = async (network_policy: NetworkPolicy) => {
    const stored = await registry.environments.find(environmentId);
    if (stored === null) throw new Error('it is in the house');
    await registry.environments.replace({ ...stored, network_policy, revision: stored.revision + 1 }, stored.revision);
  };
  const isByGrants = async (revision: number) => {
    const [session, environment] = [await registry.sessions.find(sessionId), await registry.environments.find(environmentId)];
    if (session === null || environment === null) throw new Error('they are in the house');
    return await isBehindByGrantsOnly({ registry }, { ...session, environment_revision: revision }, environment);
  };
  return { isOther, isByGrants, forGood, change, revoke: calls['egress.revoke'] };
};

test('a session that was granted for good what its environment has since is not behind it, before a deny rule and after all rules', async () => {
  const { isOther, forGood } = await open();
  expect(await isOther()).toBe(false);
  await forGood('x.b.example:443');
  await forGood('c.example:443');
  await forGood('d.example:443');
  expect(await isOther()).toBe(false);
});

test('a note that was written to a rule is no other rule', async () => {
  const { isOther, change } = await open();
  await change({ version: 'v1', rules: began.rules.map((rule) => ({ ...rule, note: 'Ours' })) });
  expect(await isOther()).toBe(false);
  await change({ version: 'v1', rules: began.rules.slice(0, 1) });
  expect(await isOther()).toBe(true);
});

test('it is behind when somebody else changed the rules, or when what was granted is taken back', async () => {
  const { isOther, forGood, revoke } = await open();
  const { grant } = await forGood('c.example:443');
  await revoke({ grant_id: grant?.id ?? '' });
  expect(await isOther()).toBe(true);
  const other = await open();
  await other.forGood('c.example:443');
  await other.forGood('d.example:443', { environment_id: environmentId });
  expect(await other.isOther()).toBe(true);
});

test('each revision that a grant to the session made is none that it is behind; one of somebody else, or taken back, is', async () => {
  const { isByGrants, forGood, revoke } = await open();
  await forGood('c.example:443');
  const { grant } = await forGood('d.example:443');
  expect([await isByGrants(1), await isByGrants(2)]).toEqual([true, true]);
  await revoke({ grant_id: grant?.id ?? '' });
  expect([await isByGrants(1), await isByGrants(2)]).toEqual([false, false]);
  const other = await open();
  await other.forGood('c.example:443');
  await other.change(began);
  expect(await other.isByGrants(1)).toBe(false);
});
