// A policy made from the past knows the addresses of this computer, as the proxy does.
import { expect, test } from 'vitest';
import type { EgressTally } from '../../../sandbox-engine/contract/model.ts';
import { compilePolicy } from '../../../sandbox-engine/egress/policy.ts';
import { proposePolicy } from '../../../sandbox-engine/egress/propose-policy.ts';

const blocked = (host: string, port: number): EgressTally => ({
  ...{ host, port, protocol: 'http', verdict: 'blocked', reason: 'private_address', attempts: 1, bytes_sent: 0, bytes_received: 0 },
  ...{ first_at: '2026-11-29T10:00:00.000Z', last_at: '2026-11-29T10:00:01.000Z' },
});

test('no rule is proposed for an address of this computer that none opens, whatever it was blocked for before', () => {
  const own = () => ({ interfaces: ['172.17.0.1'], gateways: ['172.17.0.1'], ownPorts: [] });
  const past = [blocked('172.17.0.1', 18_180), blocked('172.17.0.9', 8080)];
  const { policy: proposed, leftOut } = proposePolicy(past, {
    inForce: compilePolicy({ version: 'v1', rules: [] }, {}, own),
    includeBlocked: true,
  });
  expect([proposed, leftOut.map(({ host, because }) => [host, because])]).toEqual([
    { version: 'v1', rules: [{ action: 'allow', hosts: ['172.17.0.9'], ports: [8080], allow_private: true }] },
    [['172.17.0.1', 'never_allowed']],
  ]);
});
