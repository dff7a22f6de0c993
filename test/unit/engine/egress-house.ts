// The engine's book of attempts, its grants and calls over a real registry and bus; time stands still unless a test moves it.

import { createEventBus } from '../../../sandbox-engine/base/event-bus.ts';
import { createIds } from '../../../sandbox-engine/base/ids.ts';
import type { CallArguments } from '../../../sandbox-engine/contract/calls.ts';
import type { AppEvent } from '../../../sandbox-engine/contract/events.ts';
import type { Attempt, Environment, NetworkPolicy, Session, SetupRun } from '../../../sandbox-engine/contract/model.ts';
import type { SandboxPolicy } from '../../../sandbox-engine/egress/loaded-policy.ts';
import { createEgressBook } from '../../../sandbox-engine/engine/egress-book.ts';
import { activeGrants, createGrants } from '../../../sandbox-engine/engine/egress-grants.ts';
import { createEgressLogCalls, tellAttempts } from '../../../sandbox-engine/engine/egress-log-calls.ts';
import { createGrantTimes } from '../../../sandbox-engine/engine/grant-times.ts';
import { applyPatch } from '../../../sandbox-engine/registry/environment-rules.ts';
import type { Registry } from '../../../sandbox-engine/registry/registry.ts';
import { exampleEnvironment } from '../registry/example-environment.ts';
import { openHere, temporaryFolder } from '../registry/temporary-folder.ts';

/** A bridge of this computer, as the proxy knows it. */
export const bridge = '172.17.0.1';

const start = Date.UTC(2026, 10, 29, 10);

export const sessionId = `ses_${'1'.repeat(26)}`;
export const runId = `run_${'2'.repeat(26)}`;
export const environmentId = exampleEnvironment(1).id;

/** An attempt as the proxy tells of it. */
export const attempted = (fields: Partial<Attempt> = {}): Attempt => ({
  ...{ id: `att_${Math.random()}`, at: new Date(start).toISOString(), sandbox_id: sessionId, host: 'a.example', port: 443 },
  ...{ protocol: 'tls', mode: 'transparent', verdict: 'allowed', reason: 'allowed', rule: 0, detail: null, policy_revision: 1 },
  ...{ bytes_sent: 0, bytes_received: 0, duration_ms: 1, count: 1 },
  ...fields,
});

/** One that no rule allowed. */
export const refused = (host: string, fields: Partial<Attempt> = {}): Attempt =>
  attempted({ host, verdict: 'blocked', reason: 'no_rule', rule: null, ...fields });

/** Saves an environment with this policy, a running session of it and a setup run. */
const furnish = async (registry: Registry, policy: NetworkPolicy): Promise<Environment> => {
  const environment = await registry.environments.insert({ ...exampleEnvironment(1), network_policy: policy });
  const common = { environment_id: environmentId, created_at: new Date(start).toISOString() };
  await registry.sessions.save({ ...common, id: sessionId, status: 'running', start_script: { status: 'none' } } as Session);
  await registry.setupRuns.save({
    ...common,
    id: runId,
    kind: 'manual',
    status: 'running',
    runtime: 'docker',
    prepared_image_id: null,
  } as SetupRun);
  return environment;
};

/** The desk of a host with one environment. `live` are the sandboxes behind the proxy. */
export const openDesk = async (policy: NetworkPolicy = { version: 'v1', rules: [] }) => {
  const registry = await openHere(await temporaryFolder());
  await furnish(registry, policy);
  const time = { now: start };
  const clock = { now: () => time.now, iso: () => new Date(time.now).toISOString(), monotonic: () => time.now };
  const bus = createEventBus();
  const events: AppEvent[] = [];
  bus.subscribe((event) => void events.push(event));
  const rooms = { registry, presetsFor: async () => ({}), own: () => ({ interfaces: [bridge], gateways: [bridge], ownPorts: [] }) };
  const flushed = { count: 0 };
  const book = createEgressBook({
    ...{ registry, bus, now: clock.now, redactText: (text) => text.replace('hunter2', '***') },
    flush: async () => {
      flushed.count += 1;
    },
    tell: (attempts) => tellAttempts(rooms, attempts),
  });
  const live = new Map<string, SandboxPolicy>();
  const grantTimes = createGrantTimes(clock);
  const grants = createGrants({
    ...{ registry, bus, clock, grantTimes, newId: createIds(clock.now), user: () => 'ann', presetsFor: rooms.presetsFor, own: rooms.own },
    livePolicy: (id) => live.get(id) ?? null,
    applyGrants: async (id: string) => {
      const known = live.get(id);
      if (known !== undefined) live.set(id, { ...known, grants: await activeGrants({ registry, grantTimes }, id, environmentId) });
      return known !== undefined;
    },
    updateEnvironment: async (id, patch) => {
      const stored = (await registry.environments.find(id)) as Environment;
      return await registry.environments.replace(applyPatch(stored, patch, { now: clock.iso() }).environment, stored.revision);
    },
  });
  const calls = createEgressLogCalls(rooms, grants);
  const take = async (...attempts: Attempt[]) => {
    book.take(attempts);
    await book.settled();
  };
  const grant = (asked: Partial<CallArguments<'egress.grant'>>) =>
    calls['egress.grant']({ destination: 'b.example:443', for: 'session', ...asked });
  return { registry, clock, grantTimes, time, bus, events, book, calls, live, take, grant, flushed };
};
