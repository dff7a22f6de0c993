// What somebody does to a sandbox and its gate behind Sandlot's back, on real runtimes: it is refused by the runtime, or seen before the
// sandbox goes on. Source: NETWORK.md G14, L11.
import { execFileSync } from 'node:child_process';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { gateName } from '../../sandbox-engine/gate/gate-container.ts';
import { openGateHouse } from '../runtime/support/gate-house.ts';
import { testRuntimes } from '../runtime/support/test-image.ts';

type House = Awaited<ReturnType<typeof openGateHouse>>;
type Opened = Awaited<ReturnType<House['openSandbox']>>;

/** Tells a runtime something as a stranger would; answers its status. */
const tell = (socketPath: string, method: string, path: string, body: object = {}): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = request({ socketPath, method, path, headers: { host: 'runtime', 'content-type': 'application/json' } }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
    });
    sent.on('error', reject).end(JSON.stringify(body));
  });

const isRoot = process.getuid?.() === 0;

describe.each(testRuntimes)('behind the back of Sandlot on $kind', (place) => {
  let house: House;
  beforeAll(async () => {
    house = await openGateHouse(place);
    await house.gates.ensureImage('test', new AbortController().signal, () => undefined);
  }, 300_000);
  afterAll(async () => await house.removeAll());

  const known = ({ id }: Pick<Opened, 'id'>) => ({
    runtimeId: 'test',
    sandboxId: id,
    kind: 'session' as const,
    listen: house.listenFor(id),
  });
  const read = async ({ containerId }: Opened) =>
    (
      await house.run(containerId, [
        'bash',
        '-c',
        "exec 2>&1; timeout 2 bash -c 'exec 3<>/dev/tcp/203.0.113.9/443 && head -n1 <&3' || echo no",
      ])
    ).text;
  const fine = 'to 203.0.113.9:443';
  const ordinary = place.kind === 'docker' ? 'bridge' : 'podman';

  test('G14: neither of them gets another network', async () => {
    const one = await house.openSandbox();
    const connect = (id: string) => tell(place.socket, 'POST', `/networks/${ordinary}/connect`, { Container: id });
    expect(await connect(one.containerId)).toBeGreaterThanOrEqual(400);
    // Docker says yes for a gate, whose network it knows nothing of, and puts nothing into it.
    const said = await connect(one.gateId);
    expect(place.kind === 'docker' ? said === 200 || said >= 400 : said >= 400).toBe(true);
    expect([await read(one), await house.gates.heal(known(one), one.containerId)]).toEqual([fine, { state: 'whole' }]);
    const interfaces = await house.run(one.containerId, ['ls', '/sys/class/net']);
    expect(interfaces.text.split(/\s+/).filter((name) => /^eth|^veth/.test(name))).toEqual([]);
  });

  test.skipIf(place.kind === 'podman')('G14: an update of their limits opens nothing', async () => {
    const one = await house.openSandbox();
    for (const id of [one.containerId, one.gateId])
      expect(await tell(place.socket, 'POST', `/containers/${id}/update`, { CpuShares: 512 })).toBe(200);
    expect([await read(one), await house.gates.heal(known(one), one.containerId)]).toEqual([fine, { state: 'whole' }]);
  });

  test('G14: a gate that was renamed is no gate to resume behind', async () => {
    const one = await house.openSandbox();
    await house.runtime.stopContainer(one.containerId, 0);
    await house.gates.rest(known(one));
    const renamed = `${gateName(one.id)}-x`;
    expect(await tell(place.socket, 'POST', `/containers/${one.gateId}/rename?name=${renamed}`)).toBe(204);
    await expect(house.gates.resume(known(one))).rejects.toMatchObject({
      code: 'gate_failed',
      message: expect.stringContaining('renamed'),
    });
    // Another one in its place is not the one that the sandbox joins.
    const other = await house.openSandbox();
    expect(await tell(place.socket, 'POST', `/containers/${other.gateId}/rename?name=${gateName(one.id)}`)).toBe(204);
    await expect(house.gates.resume(known(one))).rejects.toMatchObject({
      code: 'gate_failed',
      message: expect.stringContaining('made anew'),
    });
    expect(await house.gates.heal(known(other), other.containerId)).toMatchObject({
      state: 'cut_off',
      reason: expect.stringContaining('renamed'),
    });
  });

  test.skipIf(!isRoot || place.kind === 'podman')(
    'G14: an interface that somebody puts into its namespace is seen, and opens nothing',
    async () => {
      const one = await house.openSandbox();
      const pid = (await house.runtime.inspectContainer(one.gateId)) as { pid: number } | null;
      const name = `sl${String(pid?.pid).slice(-6)}`;
      const ip = (...words: string[]) => execFileSync('ip', words, { stdio: 'ignore' });
      ip('link', 'add', name, 'type', 'veth', 'peer', 'name', 'eth9', 'netns', String(pid?.pid));
      const inside = ['nsenter', '-t', String(pid?.pid), '-n', 'ip'];
      execFileSync(inside[0] ?? '', [...inside.slice(1), 'addr', 'add', '10.99.0.2/24', 'dev', 'eth9']);
      execFileSync(inside[0] ?? '', [...inside.slice(1), 'link', 'set', 'eth9', 'up']);
      execFileSync(inside[0] ?? '', [...inside.slice(1), 'route', 'add', 'default', 'dev', 'eth9']);
      expect(await house.gates.heal(known(one), one.containerId)).toMatchObject({
        state: 'cut_off',
        reason: expect.stringContaining('eth9'),
      });
      // All that is sent is still caught.
      expect(await read(one)).toBe(fine);
    },
  );
});
