// A process with our policy proxy, compiled, and two sandboxes in it. Says the folders of their sockets. Only the public network is not real:
// one public address leads to the servers of the bench.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { createPolicyProxy as Create } from '../../sandbox-engine/egress/policy-proxy.ts';

const [source = 0, echo = 0, web = 0] = process.argv.slice(2).map(Number);
const built = join(import.meta.dirname, '../../dist/sandbox-engine/egress/policy-proxy.js');
const { createPolicyProxy } = (await import(built)) as { createPolicyProxy: typeof Create };

const proxy = createPolicyProxy({
  onAttempts: () => undefined,
  own: { interfaces: [], gateways: [], ownPorts: [] },
  upstream: {
    resolve: async () => ({ ok: true, addresses: ['20.0.0.10'], ttlSeconds: 60 }),
    routes: [source, echo, web].map((port) => ({ address: '20.0.0.10', port, to: { address: '127.0.0.1', port } })),
  },
});
const folders: string[] = [];
for (const sandboxId of ['ses_one', 'ses_two']) {
  const socketFolder = mkdtempSync(join(tmpdir(), 'sandlot-bench-egress-'));
  folders.push(socketFolder);
  const rules = [
    { action: 'allow' as const, hosts: ['bench.test'], ports: [source, echo], protocol: 'tcp' as const },
    { action: 'allow' as const, hosts: ['bench.test'], ports: [web] },
  ];
  await proxy.open({ sandboxId, socketFolder, policy: { version: 'v1', rules }, presets: {}, revision: 1 });
}
process.send?.({ folders });
process.on('SIGTERM', () => void proxy.stop().then(() => process.exit()));
