// Terminals and start scripts across hosts: what runs inside goes on, and the next host finds it.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSessionHouse } from './support/session-house.ts';
import { ensureTestImage, testRuntimes } from './support/test-image.ts';

type House = Awaited<ReturnType<typeof openSessionHouse>>;
interface Begun {
  session: string;
  terminal: string;
  stream: string;
}

const runUntilKilled = async (args: string[]): Promise<Begun> => {
  const script = new URL('support/killed-host.ts', import.meta.url).pathname;
  const host = spawn(process.execPath, ['--import', 'tsx', script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(host, 'exit');
  for await (const line of createInterface({ input: host.stdout })) {
    host.kill('SIGKILL');
    await exited;
    return JSON.parse(line) as Begun;
  }
  throw new Error('the host ended before it was killed');
};

describe.each(testRuntimes)('terminals across hosts on $kind', (where) => {
  let house: House;
  let begun: Begun;

  const run = async (script: string): Promise<string> => {
    const { id } = await house.sessions.startExec(begun.session, { command: ['bash', '-c', script] });
    return await house.textOf((await house.sessions.getExec(id, 30)).stdout_stream_id);
  };
  const typeIn = (id: string, text: string | Buffer) => house.sessions.writeTerminal(id, Buffer.from(text));
  const rowOf = (id: string) => house.registry.sessions.findTerminal(id);
  const openTerminal = () => house.sessions.openTerminal(begun.session, { cols: 80, rows: 24 });
  const nextHouse = () => openSessionHouse({ ...where, folder: house.folder, home: house.home });
  const changeHost = async () => {
    await house.close();
    house = await nextHouse();
  };

  beforeAll(async () => {
    const image = await ensureTestImage(where.socket);
    const [folder, home] = [await mkdtemp(join(tmpdir(), 'sandlot-sessions-')), randomUUID()];
    begun = await runUntilKilled([where.kind, where.socket, folder, home, image]);
    house = await openSessionHouse({ ...where, folder, home });
  });
  afterAll(() => house.removeAll());

  test('after kill -9 a program counts on in the same stream, in its size, and its shell still reports its exit code', async () => {
    const { size } = await house.streams.read(begun.stream, Number.MAX_SAFE_INTEGER, 1);
    await house.sessions.recover();
    expect(await rowOf(begun.terminal)).toMatchObject({ status: 'running', cols: 100, rows: 30 });
    await house.until(begun.stream, /not connected until [\d-]+ [\d:]+ UTC[\s\S]*\nn-\d+\r\nn-\d+\r/);
    const numbers = (text: string) => [...text.matchAll(/\nn-(\d+)\r/g)].map(([, number]) => Number(number));
    const text = await house.textOf(begun.stream);
    const [before, after] = [numbers(text.slice(0, size)), numbers(text.slice(size))];
    // What was printed meanwhile is there, but for what was on its way to the host that was killed.
    expect(after[0]).toBeGreaterThan(before.at(-1) ?? 0);
    expect(after[0]).toBeLessThan((before.at(-1) ?? 0) + 4);
    expect(after.slice(1).every((number, at) => number === (after[at] ?? 0) + 1)).toBe(true);
    expect(text).not.toContain('\u001b[H\u001b[J');
    await typeIn(begun.terminal, '\u0003');
    await typeIn(begun.terminal, 'stty size; exit 3\n');
    await house.until(begun.stream, /[\r\n]30 100\r/);
    await expect.poll(() => rowOf(begun.terminal)).toMatchObject({ status: 'exited', exit_code: 3 });
  });

  test('a start script that went on without a host is followed to its end', async () => {
    expect((await house.sessions.get(begun.session)).start_script.status).toBe('running');
    await run('touch /workspace/go');
    await expect
      .poll(async () => (await house.sessions.get(begun.session)).start_script, { timeout: 10_000 })
      .toMatchObject({ status: 'failed', exit_code: 4 });
    const { stream_id: stream } = (await house.sessions.get(begun.session)).start_script;
    expect(await house.textOf(stream ?? '')).toMatch(/== slow[\s\S]*ended with code 4/);
  });

  test('the shell sees every byte that is typed, and no variable or open file of its holder', async () => {
    const terminal = await openTerminal();
    await typeIn(terminal.id, 'stty size\n');
    await house.until(terminal.stream_id, /[\r\n]24 80\r/);
    await typeIn(
      terminal.id,
      'ls /proc/self/fd | tr "\\n" " "; env | grep -ci holder; stty raw -echo; echo ready; head -c 256 | md5sum; stty sane\n',
    );
    expect(await house.until(terminal.stream_id, /[\r\n]ready/)).toMatch(/0 1 2 3 0\r\n/);
    await typeIn(terminal.id, Buffer.from([...Array(256).keys()]));
    await house.until(terminal.stream_id, /e2c865db4162bed963bfaa9ef6ac18f0/);
    await house.sessions.closeTerminal(terminal.id);
  });

  test('T-04: closing a terminal that was attached again ends all of it and leaves the others alone', async () => {
    const [first, second] = await Promise.all([openTerminal(), openTerminal()]);
    expect([first.title, second.title].sort()).toEqual(['bash', 'bash 2']);
    // Perl: bash forgets a signal that comes while its trap runs.
    await typeIn(second.id, `perl -e '$SIG{WINCH} = sub { system "stty size" }; system "echo ready"; 1 until sysread STDIN, $_, 9'\n`);
    await house.until(second.stream_id, /[\r\n]ready\r/);
    await typeIn(first.id, 'sudo sleep 1002 & setsid sleep 1003 & sleep 1001\n');
    await expect.poll(() => run("ps -ef | grep -c '[s]leep 100[123]'"), { timeout: 10_000 }).toMatch(/^[4-9]/);
    await changeHost();
    await house.sessions.recover();
    await house.sessions.closeTerminal(first.id);
    // The holder of the second, and its client.
    expect(await run(`ps -ef | grep -c '[s]leep 100[123]'; ps -ef | grep -c '[s]andlot-terminal'; ls -d /tmp/.sandlot-trm*`)).toBe(
      `0\n2\n/tmp/.sandlot-${second.id}\n`,
    );
    expect((await rowOf(first.id))?.status).toBe('exited');
    // The size changes for a moment, so that a program that paints the whole screen does so anew.
    await house.until(second.stream_id, /not connected[\s\S]*23 80\r\n24 80\r/);
    await typeIn(second.id, '\necho still-$((40+2)); exit 6\n');
    await house.until(second.stream_id, /still-42/);
    await expect.poll(() => rowOf(second.id)).toMatchObject({ status: 'exited', exit_code: 6 });
  });

  test('a connection that breaks off is made again, and only then', async () => {
    const terminal = await openTerminal();
    await house.until(terminal.stream_id, /\$ $/);
    await typeIn(terminal.id, 'read -r line; echo got-$line\n');
    await changeHost();
    await house.sessions.recover();
    await house.until(terminal.stream_id, /not connected until /);
    const client = `ps -e -o pid=,ppid=,args= | while read -r pid parent name; do [ "$name" = sandlot-terminal ] && ! ps -o pid= --ppid "$pid" >/dev/null && echo "$pid"; done`;
    await run(`sleep 1.1; kill -9 $(${client})`);
    await house.until(terminal.stream_id, /not connected from [^\n]+ until /);
    expect((await run(client)).trim().split('\n')).toHaveLength(1);
    await typeIn(terminal.id, 'you\n');
    await house.until(terminal.stream_id, /\ngot-you/);
    await house.sessions.closeTerminal(terminal.id);
  });

  test('a shell that ended while no host was there shows its code; one that cannot be reached is lost and its output readable', async () => {
    const [ended, gone] = await Promise.all([openTerminal(), openTerminal()]);
    // Far more than is kept for the next host: nobody reads it, and that stops nothing.
    await typeIn(ended.id, 'until [ -e /workspace/end ]; do sleep 0.1; done; seq 2000000; exit 5\n');
    await typeIn(gone.id, 'echo kept-$((1+1)); nohup sleep 1005\n');
    await house.until(gone.stream_id, /kept-2/);
    await changeHost();
    await run(`touch /workspace/end; until [ -s /tmp/.sandlot-${ended.id}/code ]; do sleep 0.1; done; rm -rf /tmp/.sandlot-${gone.id}`);
    await house.sessions.recover();
    expect(await rowOf(ended.id)).toMatchObject({ status: 'exited', exit_code: 5 });
    expect(await house.textOf(ended.stream_id)).toMatch(
      /not connected[^\n]* follows but for its first \d{8} bytes\.[\s\S]*\n1900000\r[\s\S]*\n2000000\r/,
    );
    expect(await rowOf(gone.id)).toMatchObject({ status: 'lost', exit_code: null });
    expect(await house.textOf(gone.stream_id)).toMatch(/kept-2[\s\S]*this terminal went with it/);
    expect(await run("ps -ef | grep -c '[s]leep 1005'; ls -A /tmp | grep -c sandlot-trm")).toBe('0\n0\n');
    await expect(typeIn(gone.id, 'x')).rejects.toMatchObject({ code: 'terminal_closed' });
  });
});
