import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { labelKeys } from '../../sandbox-engine/container/labels.ts';
import type { Session, Terminal } from '../../sandbox-engine/contract/model.ts';
import { anEnvironment, aPlan, openSessionHouse } from './support/session-house.ts';
import { ensureTestImage, testRuntimes } from './support/test-image.ts';

type House = Awaited<ReturnType<typeof openSessionHouse>>;

describe.each(testRuntimes)('sessions on $kind', (where) => {
  let house: House;
  let image: string;
  let session: Session;

  const run = async (id: string, script: string): Promise<{ code: number | null; out: string; err: string }> => {
    const { id: execId } = await house.sessions.startExec(id, { command: ['bash', '-c', script] });
    const ended = await house.sessions.getExec(execId, 30);
    return { code: ended.exit_code, out: await house.textOf(ended.stdout_stream_id), err: await house.textOf(ended.stderr_stream_id) };
  };
  const typeIn = (id: string, text: string) => house.sessions.writeTerminal(id, Buffer.from(text));

  beforeAll(async () => {
    image = await ensureTestImage(where.socket);
    house = await openSessionHouse(where);
    const envVars = { SPACED: 'a  b ', DOLLAR: '$HOME ${X:-y} $$', BACK: 'C:\\tools\\', MULTI: 'one\ntwo', ['__proto__']: 'kept' };
    const environment = anEnvironment({
      env_vars: Object.fromEntries(Object.entries(envVars)),
      network_policy: { version: 'v1', rules: [] },
      knowledge: [{ name: '../how to', contents: 'read me' }],
      runbook: '# run',
      session_start: [
        { name: 'one', run: 'echo begun >/workspace/begun; echo hello' },
        { name: 'two', run: 'false | true\necho never' },
      ],
    });
    const launched = await house.sessions.launch(aPlan(environment, image));
    session = await house.sessions.launched(launched.id);
  });
  afterAll(() => house.removeAll());

  test('a launch ends running, with its steps timed', () => {
    expect(session.message).toBeNull();
    const steps = session.steps.filter(({ name }) => name === 'create' || name === 'start');
    expect([session.status, steps.map(({ name, status }) => `${name} ${status}`)]).toEqual([
      'running',
      ['create succeeded', 'start succeeded'],
    ]);
  });

  test('variables arrive byte for byte, over those of the image, and the sandbox user owns the workspace', async () => {
    const seen = await run(session.id, 'printf "%s|" "$SPACED" "$DOLLAR" "$BACK" "$MULTI" "$FROM_IMAGE" "$LANG"; printenv __proto__');
    expect(seen).toEqual({ code: 0, out: 'a  b |$HOME ${X:-y} $$|C:\\tools\\|one\ntwo|yes|C.UTF-8|kept\n', err: '' });
    const owner = await run(
      session.id,
      "touch -d '2020-01-01' /workspace/a && mkdir /workspace/b && id -un && stat -c %U /workspace; ls /sys/class/net",
    );
    expect(owner.out).toBe('sandbox\nsandbox\nlo\n');
  });

  test('the start script runs aside, stops at its first failure and keeps its output; what is carried in is there', async () => {
    await expect.poll(async () => (await house.sessions.get(session.id)).start_script.status, { timeout: 10_000 }).toBe('failed');
    const { start_script: script } = await house.sessions.get(session.id);
    expect(await house.textOf(script.stream_id ?? '')).toContain('== two');
    expect(await house.textOf(script.stream_id ?? '')).not.toContain('never');
    expect(
      (await run(session.id, 'cat /workspace/begun ~/.sandlot/knowledge/* ~/.sandlot/runbook.md; echo x >> ~/.sandlot/runbook.md')).out,
    ).toBe('begun\nread me# run');
  });

  test('T-01: a terminal has its size, its colours and UTF-8 from the first prompt, and a late resize is silent', async () => {
    const terminal = await house.sessions.openTerminal(session.id, { cols: 120, rows: 40 });
    await typeIn(terminal.id, "stty size; echo $TERM; tput colors; printf 'ä' | wc -m; echo first-done\n");
    expect(await house.until(terminal.stream_id, /\r\nfirst-done\r\n/)).toMatch(/[\r\n]40 120\r\nxterm-256color\r\n256\r\n1\r\n/);
    await house.sessions.resizeTerminal(terminal.id, 100, 30);
    await typeIn(terminal.id, 'stty size; exit 3\n');
    await house.until(terminal.stream_id, /[\r\n]30 100\r\n/);
    await expect.poll(async () => (await house.registry.sessions.findTerminal(terminal.id))?.exit_code).toBe(3);
    await house.sessions.resizeTerminal(terminal.id, 90, 20);
    await expect(typeIn(terminal.id, 'x')).rejects.toMatchObject({ code: 'terminal_closed' });
  });

  test('T-02: a flood nobody reads neither fills memory nor disk, and Ctrl-C answers within a second', async () => {
    const terminal = await house.sessions.openTerminal(session.id, { cols: 80, rows: 24 });
    await house.until(terminal.stream_id, /\$ $/);
    const before = process.memoryUsage().rss;
    await typeIn(terminal.id, 'yes\n');
    await expect
      .poll(async () => (await house.streams.read(terminal.stream_id, Number.MAX_SAFE_INTEGER, 1)).size, { timeout: 20_000 })
      .toBeGreaterThan(30_000_000);
    await typeIn(terminal.id, '\u0003');
    await house.until(terminal.stream_id, /\^C[\s\S]*\$ $/, 1_500);
    const { start, size } = await house.streams.read(terminal.stream_id, Number.MAX_SAFE_INTEGER, 1);
    expect(size - start).toBeLessThanOrEqual(8_388_608 + 1_048_576);
    expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000);
    await house.sessions.closeTerminal(terminal.id);
  });

  test('T-04: closing a terminal ends what ran in it, also under sudo, and leaves the others alone', async () => {
    const [first, second] = await Promise.all([1, 2].map(() => house.sessions.openTerminal(session.id, { cols: 80, rows: 24 })));
    await typeIn(first!.id, 'sudo sleep 1002 & setsid sleep 1003 & sleep 1001\n');
    await expect
      .poll(async () => (await run(session.id, "ps -ef | grep -c '[s]leep 100[123]'")).out.trim(), { timeout: 10_000 })
      .not.toBe('0');
    const began = Date.now();
    await house.sessions.closeTerminal(first!.id);
    expect(Date.now() - began).toBeLessThan(5_000);
    expect((await run(session.id, "ps -ef | grep -c '[s]leep 100[123]'")).out.trim()).toBe('0');
    await typeIn(second!.id, 'echo still-$((40+2)); exit 3\n');
    await house.until(second!.stream_id, /still-42/);
    await expect.poll(async () => (await house.registry.sessions.findTerminal(second!.id))?.exit_code).toBe(3);
    expect((await house.registry.sessions.findTerminal(first!.id))?.status).toBe('exited');
  });

  test('a killed command ends, and one that ends by itself reports its code and both streams', async () => {
    const { id } = await house.sessions.startExec(session.id, { command: ['sleep', '1004'] });
    await house.sessions.killExec(id);
    expect((await house.sessions.getExec(id, 5)).status).toBe('exited');
    expect(await run(session.id, 'echo out; echo err >&2; exit 7')).toEqual({ code: 7, out: 'out\n', err: 'err\n' });
  });

  test('nothing inside ends the session itself: neither a killed sleep nor a kill of everything', async () => {
    await run(session.id, 'pkill sleep; sudo pkill -9 sleep; true');
    await run(session.id, 'kill -9 -1');
    expect((await run(session.id, 'echo still here')).out).toBe('still here\n');
  });

  test('stop takes less than five seconds, the workspace outlives it, and a stopped session refuses terminals', async () => {
    const open = () => house.sessions.openTerminal(session.id, { cols: 80, rows: 24 });
    const ended: Terminal[] = [await open()];
    await house.until(ended[0]!.stream_id, /\$ $/);
    const began = Date.now();
    expect((await house.sessions.stop(session.id)).status).toBe('stopped');
    expect(Date.now() - began).toBeLessThan(5_000);
    await expect(house.sessions.openTerminal(session.id, { cols: 80, rows: 24 })).rejects.toMatchObject({ code: 'session_not_running' });
    expect((await house.sessions.resume(session.id)).status).toBe('running');
    expect((await run(session.id, 'cat /workspace/begun')).out).toBe('begun\n');
    // What was asked for is no failure of theirs, whatever code the runtime gives to what it kills.
    ended.push(await open());
    await house.sessions.restart(session.id);
    for (const { id } of ended) {
      const row = () => house.registry.sessions.findTerminal(id);
      await expect.poll(row).toMatchObject({ status: 'exited', exit_code: null, ended_with_session: true });
    }
  });

  test('O-01: after the host went away its sessions and terminals are found again, and its orphans are removed', async () => {
    const terminal = await house.sessions.openTerminal(session.id, { cols: 80, rows: 24 });
    await typeIn(terminal.id, 'echo kept-$((1+1)); read -r line; echo got-$line\n');
    await house.until(terminal.stream_id, /kept-2/);
    const make = async (labels: Record<string, string>) => {
      const id = await house.runtime.createContainer({
        name: `sandlot-orphan-${Math.random().toString(36).slice(2)}`,
        image,
        command: ['sleep', '900'],
        env: [],
        labels,
        network: 'none',
      });
      await house.runtime.startContainer(id);
      return id;
    };
    const dead = { [labelKeys.owner]: `${process.pid}:1` };
    const ours = house.makeLabels('setup-run');
    const orphan = await make({ ...ours, ...dead });
    const unknown = await make({ ...house.makeLabels('session', { session: 'ses_unknown' }), ...dead });
    const foreign = await make({});
    const neighbour = await make({ ...ours, ...dead, [labelKeys.home]: 'another-home' });
    const live = await make(house.makeLabels('setup-run'));
    await house.close();

    house = await openSessionHouse({ ...where, folder: house.folder, home: house.home });
    await house.sessions.recover();
    const there = await Promise.all(
      [orphan, unknown, foreign, neighbour, live].map(async (id) => (await house.runtime.inspectContainer(id)) !== null),
    );
    for (const id of [foreign, neighbour, live]) await house.runtime.removeContainer(id);
    expect(there).toEqual([false, false, true, true, true]);
    expect((await house.sessions.get(session.id)).status).toBe('running');
    await typeIn(terminal.id, 'me\n');
    expect(await house.until(terminal.stream_id, /\ngot-me/)).toMatch(/kept-2[\s\S]*not connected until[\s\S]*got-me/);
  });

  test('a container removed outside Sandlot leaves its session stopped; a replaced sandbox goes on with the workspace', async () => {
    const { container_id: id } = await house.sessions.get(session.id);
    await house.runtime.removeContainer(id ?? '');
    house.sessions.containerDied(id ?? '');
    await expect.poll(async () => (await house.sessions.get(session.id)).status).toBe('stopped');
    expect(await house.sessions.get(session.id)).toMatchObject({
      container_id: null,
      message: 'The container was removed outside Sandlot. /workspace is kept: replace the sandbox to go on.',
    });
    await expect(house.sessions.resume(session.id)).rejects.toMatchObject({
      code: 'session_not_running',
      nextAction: `Replace its sandbox: sandlot session replace ${session.id}`,
    });
    const environment = anEnvironment({ network_policy: { version: 'v1', rules: [] } });
    expect((await house.sessions.replace(session.id, aPlan(environment, image))).status).toBe('running');
    expect((await run(session.id, 'cat /workspace/begun')).out).toBe('begun\n');
    await house.sessions.remove(session.id);
    expect(await house.runtime.listVolumes({ [labelKeys.session]: session.id })).toEqual([]);
  });

  test('a privileged restricted session and an ungranted mount are refused before anything is made', async () => {
    const launch = (over: Parameters<typeof anEnvironment>[0]) => house.sessions.launch(aPlan(anEnvironment(over), image));
    await expect(launch({ network_policy: { version: 'v1', rules: [] }, privileged: true })).rejects.toMatchObject({
      code: 'network_policy_not_supported',
    });
    await expect(launch({ mounts: [{ source: '/etc', target: '/x', read_only: true }] })).rejects.toMatchObject({
      code: 'folder_not_agreed',
    });
    expect(await house.sessions.list()).toEqual([]);
  });
});
