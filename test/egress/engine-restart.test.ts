// A runtime that is restarted while sandboxes are set to be started again by it: whatever it starts, and in whatever order, a sandbox is
// behind its own gate or nowhere. Source: NETWORK.md G12; L11.
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { gateVersion } from '../../sandbox-engine/gate/gate-image.ts';
import { addressPattern, type Capture, canCapture, startCapture } from '../runtime/support/capture.ts';
import { openGateHouse } from '../runtime/support/gate-house.ts';
import { until } from '../runtime/support/real-host.ts';
import { ensureTestImage, testImage, testRuntimes } from '../runtime/support/test-image.ts';
import { hasOwnDocker, type OwnDocker, startOwnDocker } from './own-docker.ts';

const docker = testRuntimes.find(({ kind }) => kind === 'docker');
if (!hasOwnDocker || docker === undefined)
  process.stderr.write('skipped: a Docker daemon that may be restarted can be had by root only, where Docker is installed\n');

const startAgainAlways = (socketPath: string, id: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = request(
      { socketPath, method: 'POST', path: `/containers/${id}/update`, headers: { host: 'runtime', 'content-type': 'application/json' } },
      (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
      },
    );
    sent.on('error', reject).end(JSON.stringify({ RestartPolicy: { Name: 'always' } }));
  });

describe.skipIf(!hasOwnDocker || docker === undefined)('a Docker daemon that is restarted', () => {
  let own: OwnDocker;
  let house: Awaited<ReturnType<typeof openGateHouse>>;
  let capture: Capture | null = null;

  beforeAll(async () => {
    const from = docker?.socket ?? '';
    await ensureTestImage(from);
    const other = await openGateHouse({ kind: 'docker', socket: from });
    await other.gates.ensureImage('test', new AbortController().signal, () => undefined);
    await other.removeAll();
    own = await startOwnDocker();
    for (const image of [testImage, `sandlot/gate:${gateVersion}`]) await own.take(from, image);
    house = await openGateHouse({ kind: 'docker', socket: own.socket });
    if (canCapture) capture = await startCapture([addressPattern('203.0.113.9')]);
  }, 300_000);
  afterAll(async () => {
    await capture?.stop();
    await house?.removeAll();
    await own?.close();
  }, 120_000);

  test.each(['SIGTERM', 'SIGKILL'] as const)(
    'G12: after %s its sandboxes are behind their own gates, or do not run',
    { timeout: 180_000 },
    async (signal) => {
      const one = await house.openSandbox();
      for (const id of [one.gateId, one.containerId]) expect(await startAgainAlways(own.socket, id)).toBe(200);
      await own.restart(signal);
      const look = () => Promise.all([one.gateId, one.containerId].map((id) => house.runtime.inspectContainer(id)));
      const settled = await until(look, ([gate, sandbox]) => gate?.status === 'running' && sandbox?.status !== 'restarting', 60_000);
      const [gate, sandbox] = settled;
      expect(sandbox?.networkMode).toBe(`container:${one.gateId}`);
      const known = { runtimeId: 'test', sandboxId: one.id, kind: 'session' as const, listen: house.listenFor(one.id) };
      if (sandbox?.status === 'running') {
        expect(Date.parse(gate?.startedAt ?? '')).toBeLessThanOrEqual(Date.parse(sandbox.startedAt ?? ''));
        expect(
          (await house.run(one.containerId, ['ls', '/sys/class/net'])).text.split(/\s+/).filter((name) => /^e|^veth/.test(name)),
        ).toEqual([]);
      } else {
        await house.gates.resume(known);
        await house.runtime.startContainer(one.containerId);
      }
      expect(['whole', 'mended']).toContain((await house.gates.heal(known, one.containerId)).state);
      const said = await house.run(one.containerId, ['bash', '-c', 'exec 3<>/dev/tcp/203.0.113.9/443 && head -n1 <&3']);
      expect([said.text, capture?.hits ?? []]).toEqual(['to 203.0.113.9:443', []]);
    },
  );
});
