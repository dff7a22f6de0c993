// Start scripts on real runtimes: whoever comes too early is told, and a script can be run again with the steps of today.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Environment } from '../../sandbox-engine/contract/model.ts';
import { anEnvironment, aPlan, openSessionHouse } from './support/session-house.ts';
import { ensureTestImage, testRuntimes } from './support/test-image.ts';

const waiting = [{ name: 'wait', run: 'until [ -e /workspace/go ]; do sleep 0.05; done; cat /workspace/go' }];

describe.each(testRuntimes)('sessions on $kind', (place) => {
  let house: Awaited<ReturnType<typeof openSessionHouse>>;
  let image: string;
  const environments = new Map<string, Environment>();
  beforeAll(async () => {
    image = await ensureTestImage(place.socket);
    house = await openSessionHouse({ ...place, environmentOf: async ({ environment_id: id }) => environments.get(id) ?? null });
  });
  afterAll(() => house.removeAll());

  const scriptOf = async (id: string) => (await house.sessions.get(id)).start_script;
  const ended = async (id: string) => {
    await expect.poll(async () => (await scriptOf(id)).status, { timeout: 20_000 }).toMatch(/succeeded|failed/);
    return await scriptOf(id);
  };

  test('a terminal and a command that come too early say so, and the terminal says how it ended', { timeout: 60_000 }, async () => {
    const environment = anEnvironment({ session_start: waiting });
    const { id } = await house.sessions.launch(aPlan(environment, image));
    await house.sessions.launched(id);
    await expect.poll(async () => (await scriptOf(id)).status, { timeout: 20_000 }).toBe('running');
    const terminal = await house.sessions.openTerminal(id, { cols: 200, rows: 24 });
    const opening = await house.until(terminal.stream_id, /\$ /);
    expect(opening.startsWith(`\u001b[0;2m[The start script is still running`)).toBe(true);
    await expect(house.sessions.retryStartScript(id, environment)).rejects.toMatchObject({ code: 'start_script_running' });

    const exec = await house.sessions.startExec(id, { command: ['sh', '-c', 'echo "exit 5" >/workspace/go'] });
    expect(exec.note).toContain('The start script is still running');
    expect((await house.sessions.getExec(exec.id, 10)).exit_code).toBe(0);
    expect(await house.textOf(exec.stdout_stream_id)).toBe('');
    expect(await ended(id)).toMatchObject({ status: 'succeeded', exit_code: 0 });
    // The prompt comes again below what was said.
    await house.until(terminal.stream_id, /\[The start script is done\.\][\s\S]*\$ /);

    const changed = { ...environment, session_start: [{ name: 'other', run: 'echo other; exit 9' }] };
    const retried = await house.sessions.retryStartScript(id, changed);
    expect(retried.start_script.status).toBe('running');
    const after = await ended(id);
    expect([after.exit_code, (await house.textOf(after.stream_id ?? '')).includes('other')]).toEqual([9, true]);
    const late = await house.sessions.startExec(id, { command: ['true'] });
    expect(late.note).toBeUndefined();
    await expect(house.sessions.retryStartScript(id, anEnvironment())).rejects.toMatchObject({ code: 'invalid_request' });
  });

  test('what it started is there again after a resume, and its log goes on', { timeout: 90_000 }, async () => {
    const serve = "echo begins; nohup sh -c 'while :; do date +%s%N >/tmp/beat; sleep 0.1; done' >/dev/null 2>&1 &";
    const environment = anEnvironment({ session_start: [{ name: 'serve', run: serve }] });
    environments.set(environment.id, environment);
    const { id } = await house.sessions.launch(aPlan(environment, image));
    await house.sessions.launched(id);
    await expect.poll(async () => (await scriptOf(id)).status, { timeout: 20_000 }).toBe('succeeded');
    const { stream_id: log } = await scriptOf(id);

    // Stopped while it runs: the end of the one before is not taken for that of the next.
    environments.set(environment.id, { ...environment, session_start: [...environment.session_start, ...waiting] });
    await house.sessions.restart(id);
    await house.until(log ?? '', /runs again\.\][\s\S]*begins/);
    expect((await scriptOf(id)).status).toBe('running');
    await house.sessions.stop(id);
    await house.sessions.resume(id);
    await house.until(log ?? '', /(\[The session was resumed: the start script runs again\.\][\s\S]*){2}== wait/);
    expect(await scriptOf(id)).toEqual({ status: 'running', exit_code: null, stream_id: log });
    const command = ['sh', '-c', 'test $(( $(date +%s) - $(cut -c1-10 /tmp/beat) )) -le 2 && echo go >/workspace/go'];
    const beats = await house.sessions.startExec(id, { command });
    expect((await house.sessions.getExec(beats.id, 10)).exit_code).toBe(0);
    expect(await ended(id)).toMatchObject({ status: 'succeeded', exit_code: 0 });
    expect((await house.textOf(log ?? '')).match(/begins/g)).toHaveLength(3);
  });
});
