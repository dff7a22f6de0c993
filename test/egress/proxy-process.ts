// A host process with nothing but a policy proxy, for tests that kill it. Opens one sandbox in the folder that it is given and says so.
import { createPolicyProxy } from '../../sandbox-engine/egress/policy-proxy.ts';
import type { RouteEntry } from '../../sandbox-engine/egress/worker-messages.ts';
import { policyP1 } from './world-policy.ts';

const [socketFolder = '', routes = '[]'] = process.argv.slice(2);
const proxy = createPolicyProxy({
  onAttempts: () => undefined,
  own: { interfaces: [], gateways: [], ownPorts: [] },
  upstream: { resolve: async () => ({ ok: true, addresses: ['20.0.0.10'], ttlSeconds: 60 }), routes: JSON.parse(routes) as RouteEntry[] },
});
await proxy.open({ sandboxId: 'ses_child', socketFolder, policy: policyP1, presets: {}, revision: 1 });
process.stdout.write('open\n');
