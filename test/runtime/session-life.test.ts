// How long sessions go on and are kept, and moving one to another configuration, on real runtimes. The clock is the test's own.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { labelKeys } from '../../sandbox-engine/container/labels.ts';
import type { Session } from '../../sandbox-engine/contract/model.ts';
import { codeOf } from './support/code-of.ts';
import { until } from './support/real-host.ts';
import { anEnvironment, aPlan, openSessionHouse } from './support/session-house.ts';
import { ensureTestImage, testRuntimes } from './support/test-image.ts';

describe.each(testRuntimes)('sessions on $kind', ({ kind, socket }) => {
  const time = { ms: Date.parse('2026-11-29T12:00:00.000Z') };
  const clock = { now: () => time.ms, iso: () => new Date(time.ms).toISOString(), monotonic: () => time.ms };
  const minutes = (count: number) => {
    time.ms += count * 60_000;
  };
  const lifetimes = { idleSecondsOf: async () => 300, retentionSecondsOf: async () => 3_600, keptIdle: {} };
  let house: Awaited<ReturnType<typeof openSessionHouse>>;
  let image: string;

  const launch = async (over: Parameters<typeof anEnvironment>[0] = {}) => {
    const { id } = await house.sessions.launch(aPlan(anEnvironment(over), image));
    return await house.sessions.launched(id);
  };
  const run = async (id: string, script: string): Promise<string> => {
    const exec = await house.sessions.startExec(id, { command: ['bash', '-c', script] });
    const { exit_code } = await house.sessions.getExec(exec.id, 20);
    return `${(await house.textOf(exec.stdout_stream_id)).trim()} [${exit_code}]`;
  };
  /** Looks once a minute, as often as that. */
  const idleFor = async (count: number) => {
    for (let minute = 0; minute < count; minute += 1) {
      minutes(1);
      await house.sessions.life.look();
    }
  };
  const containers = () =>
    house.runtime.listContainers({ [labelKeys.home]: house.home }).then((all) => all.map(({ name, status }) => `${name} ${status}`));

  beforeAll(async () => {
    house = await openSessionHouse({ kind, socket, clock, lifetimes });
    image = (await house.runtime.inspectImage(await ensureTestImage(socket)))?.id ?? '';
  });
  afterAll(async () => {
    await house.removeAll();
  });

  test('one that works goes on; one in which nothing happens is warned, stopped with its reason, and comes back', {
    timeout: 60_000,
  }, async () => {
    const { id, container_id } = await launch();
    await house.sessions.life.look();
    // Nobody is connected to it, and nothing passes its network: only its counters tell.
    const busy = await house.runtime.exec(container_id ?? '', { command: ['bash', '-c', 'while :; do :; done'], stdin: false });
    const spent = async () => (await house.runtime.readUsage(container_id ?? '')).cpuMs;
    const before = await spent();
    // A minute of the test's clock is work when the counters moved by more than a fiftieth of it.
    await until(spent, (ms) => ms - before > 1_300, 20_000);
    await idleFor(1);
    expect(house.sessions.life.times()[id]).toBe(0);
    busy.close();
    await run(id, 'pkill bash');

    await idleFor(5);
    expect((await house.sessions.get(id)).idle_stop_at).toBe(new Date(time.ms + 60_000).toISOString());
    expect((await house.sessions.life.keepRunning(id)).idle_stop_at).toBeNull();
    await idleFor(2);
    expect(house.sessions.life.times()[id]).toBeGreaterThan(0);
    // Whoever opens a terminal is there, before anything is typed.
    const { id: terminalId } = await house.sessions.openTerminal(id, { cols: 80, rows: 24 });
    expect(house.sessions.life.times()[id]).toBe(0);
    // What it still prints would be activity, too.
    await house.sessions.closeTerminal(terminalId);
    await until(
      () => house.registry.sessions.findTerminal(terminalId),
      (one) => one?.status !== 'running',
      10_000,
    );
    await idleFor(6);
    const stopped = await house.sessions.get(id);
    expect([stopped.status, stopped.message, stopped.idle_stop_at]).toEqual(['stopped', 'Stopped after 5 minutes without activity.', null]);
    // An hour from when it stopped; the look that stops it writes that down, too.
    expect(stopped.delete_at).toBe(new Date(Date.parse(stopped.stopped_at ?? '') + 3_600_000).toISOString());
    expect((await house.sessions.resume(id)).status).toBe('running');
    await run(id, 'echo kept > /workspace/a');
    await house.sessions.life.softDelete(id, 600);
    expect(await codeOf(house.sessions.resume(id))).toBe('session_not_running');
    expect((await house.sessions.life.undelete(id)).status).toBe('stopped');
    minutes(50);
    await house.sessions.life.look();
    expect((await house.sessions.list()).map(({ status }) => status)).toEqual(['stopped']);
    await idleFor(20);
    const deletedBy = ({ deleted_at, delete_at, deleted_by_itself }: Session) => [
      deleted_by_itself,
      Date.parse(delete_at ?? '') - Date.parse(deleted_at ?? ''),
    ];
    expect(deletedBy(await house.sessions.get(id))).toEqual([true, 86_400_000]);
    // It would go again at once: who brings it back keeps it.
    expect(await house.sessions.life.undelete(id)).toMatchObject({
      status: 'stopped',
      deleted_at: null,
      delete_at: null,
      keep_forever: true,
    });
    await idleFor(20);
    await house.sessions.resume(id);
    expect(await run(id, 'cat /workspace/a')).toBe('kept [0]');
    await house.sessions.stop(id);
    await house.sessions.life.keep(id, false);
    await idleFor(61);
    expect(deletedBy(await house.sessions.get(id))).toEqual([true, 86_400_000]);
    minutes(1_438);
    await house.sessions.life.look();
    expect((await house.sessions.list()).length).toBe(1);
    await idleFor(2);
    expect([await house.sessions.list(), await containers()]).toEqual([[], []]);
  });

  test('one that is replaced has its workspace and nothing else; when the new sandbox cannot start, the old one goes on as it was', {
    timeout: 60_000,
  }, async () => {
    const { id, container_id } = await launch({ env_vars: { WHO: 'one' } });
    await run(id, 'echo kept > /workspace/a; echo lost > /home/sandbox/b');
    const terminal = await house.sessions.openTerminal(id, { cols: 80, rows: 24 });
    const two = anEnvironment({ name: 'two', env_vars: { WHO: 'two' } });
    const replaced = await house.sessions.replace(id, aPlan(two, image));
    expect([replaced.environment_name, replaced.status, replaced.container_id !== container_id]).toEqual(['two', 'running', true]);
    expect(await run(id, 'echo $WHO; cat /workspace/a; ls /home/sandbox/b 2>/dev/null')).toBe('two\nkept [2]');
    expect(await containers()).toEqual([`sandlot-${id} running`]);
    await until(
      () => house.registry.sessions.findTerminal(terminal.id),
      (one) => one?.status !== 'running',
      10_000,
    );

    await run(id, 'echo still > /home/sandbox/c; (sleep 900 & echo $! > /tmp/pid)');
    const broken = aPlan(two, image, { memoryBytes: 1_000_000 });
    const message = await house.sessions.replace(id, broken).then(String, (thrown: Error) => thrown.message);
    expect(message).toMatch(/^"two" could not take the place of the sandbox of "test", which goes on as it was: /);
    expect(await run(id, 'cat /home/sandbox/c; kill -0 $(cat /tmp/pid) && echo alive')).toBe('still\nalive [0]');
    expect(await codeOf(house.sessions.replace(id, { ...broken, runtimeId: 'another' }))).toBe('runtime_differs');
    expect(await containers()).toEqual([`sandlot-${id} running`]);

    const { removeContainer } = house.runtime;
    house.runtime.removeContainer = async (one) => {
      if (one === replaced.container_id) throw new Error('it is in use');
      await removeContainer(one);
    };
    const beside = await house.sessions.replace(id, aPlan(two, image));
    expect([beside.status, beside.message]).toEqual(['running', 'The old sandbox could not be removed and may still run: it is in use']);
    expect((await house.runtime.inspectContainer(replaced.container_id ?? ''))?.status).toBe('exited');
    house.runtime.removeContainer = removeContainer;
    await removeContainer(replaced.container_id ?? '');
    await house.sessions.remove(id);
  });
});
