// A gate and its sandbox on the Podman of an ordinary user: the gate proves itself, rules decide, nothing gets out, and the canary finds all sealed.
// Source: issue 4 ("rootful and rootless"); RUNTIMES.md "Podman", rootless.
import { randomUUID } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDockerRuntime } from '../../sandbox-engine/container/docker-runtime.ts';
import { canaryCommand, judgeCanary } from '../../sandbox-engine/gate/canary.ts';
import { gateVersion } from '../../sandbox-engine/gate/gate-image.ts';
import { addressPattern, type Capture, canCapture, startCapture, textPattern } from '../runtime/support/capture.ts';
import { closedProbes, probeAddress, probeText } from '../runtime/support/closed-probes.ts';
import { openGateHouse } from '../runtime/support/gate-house.ts';
import { startRootlessPodman } from '../runtime/support/rootless-podman.ts';
import { ensureTestImage, testImage, testRuntimes } from '../runtime/support/test-image.ts';
import { openWorldHouse, type WorldHouse } from './world-house.ts';

const never = new AbortController().signal;

/** Carries the gate's image and the test's over from the machine's own Podman: an ordinary user's has no mirror's cache of its own. */
const carryImages = async (from: string, to: string): Promise<void> => {
  const rootful = await openGateHouse({ kind: 'podman', socket: from });
  const target = createDockerRuntime({ id: 'to', kind: 'podman', connection: { kind: 'socket', address: `unix://${to}`, socketPath: to } });
  try {
    await rootful.gates.ensureImage('test', never, () => undefined);
    await ensureTestImage(from);
    for (const reference of [testImage, `sandlot/gate:${gateVersion}`]) {
      await target.loadImage(await rootful.runtime.saveImage(`docker.io/${reference}`), never);
    }
  } finally {
    target.close();
    await rootful.removeAll();
  }
};

const rootful = testRuntimes.find(({ kind }) => kind === 'podman');
const folder = await mkdtemp('/var/tmp/sandlot-rl.');
const started =
  rootful === undefined
    ? 'there is no Podman of this machine to take images from'
    : await startRootlessPodman(folder, { hasNetwork: false });
if (typeof started === 'string') {
  process.stderr.write(`skipped: rootless Podman cannot be had here: ${started}\n`);
  await rm(folder, { recursive: true, force: true });
}

describe.skipIf(typeof started === 'string')('a gate on the Podman of an ordinary user', () => {
  const podman = typeof started === 'string' ? { socket: '', stop: async () => undefined } : started;
  let house: WorldHouse;
  let capture: Capture | null = null;
  beforeAll(async () => {
    await carryImages(rootful?.socket ?? '', podman.socket);
    house = await openWorldHouse({ kind: 'podman', socket: podman.socket });
    // The host of these tests is root, and that user has to pass through to what is mounted: in real life both are the same user.
    await chmod(house.folder, 0o755);
    await mkdir(join(house.folder, 'gates'), { recursive: true, mode: 0o755 });
    if (canCapture) capture = await startCapture([addressPattern(probeAddress), textPattern(probeText)]);
  }, 600_000);
  afterAll(async () => {
    await capture?.stop();
    await house?.closeAll();
    await podman.stop();
  }, 120_000);

  test('it proves itself, and the rules decide what passes', async () => {
    expect(await house.runtime.info()).toMatchObject({ kind: 'podman', rootless: true });
    const one = await house.openWorldSandbox();
    const get = (name: string) =>
      `exec 3<>/dev/tcp/${name}/80 && printf 'GET / HTTP/1.1\\r\\nHost: ${name}\\r\\nConnection: close\\r\\n\\r\\n' >&3 && tr -d '\\r' <&3 | sed -n '1p;$p'`;
    const said = await Promise.all(['plain.test', 'blocked.test'].map((name) => house.run(one.containerId, ['bash', '-c', get(name)])));
    expect(said.map(({ text }) => text.split('\n')[0])).toEqual([
      'HTTP/1.1 200 OK',
      expect.stringContaining('403 Forbidden (Sandlot: no_rule)'),
    ]);
    expect(house.world.sinks.get('blocked.test')?.connections()).toBe(0);
  });

  test.each([
    ['its user', []],
    ['root', ['sudo']],
  ])('nothing gets out of its sandbox as %s, and the canary finds every way sealed', async (_, as) => {
    const one = await house.openWorldSandbox();
    await house.run(one.containerId, [...as, 'perl', '-e', closedProbes]);
    expect(capture?.hits ?? []).toEqual([]);
    const nonce = `canary-${randomUUID()}`;
    const { text } = await house.run(one.containerId, [...as, ...canaryCommand(nonce)]);
    await house.world.proxy.flush();
    const probes = judgeCanary(nonce, text, house.world.attemptsOf(one.sandboxId));
    expect(probes.filter(({ result }) => result !== 'sealed')).toEqual([]);
    expect(probes.length).toBe(9);
  });
});
