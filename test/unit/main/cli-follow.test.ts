// What the command line does while something goes on: follows its bytes, waits for its end, takes over its exit code, stops it on Ctrl-C.
import { expect, test } from 'vitest';
import type { EventBus } from '../../../sandbox-engine/base/event-bus.ts';
import type { Handlers } from '../../../sandbox-engine/index.ts';
import { runSandlot } from './run-sandlot.ts';
import { startSmallHost } from './small-host.ts';

const id = (prefix: string) => `${prefix}_${'0'.repeat(26)}`;
const streamIds = { out: `str_${'1'.repeat(26)}`, err: `str_${'2'.repeat(26)}` };

/** A stream in memory that nudges like the real one. */
const createStream = (bus: EventBus, streamId: string) => {
  let bytes = Buffer.alloc(0);
  let ended = false;
  const tell = () => bus.emit('stream.grew', { stream_id: streamId, size: bytes.length, ended });
  return {
    write: (text: string) => {
      bytes = Buffer.concat([bytes, Buffer.from(text)]);
      tell();
    },
    end: () => {
      ended = true;
      tell();
    },
    read: (from: number, most: number) => {
      const part = bytes.subarray(from, from + most);
      return { data: part.toString('base64'), from, next: from + part.length, start: 0, size: bytes.length, ended };
    },
  };
};

type Streams = Record<'out' | 'err', ReturnType<typeof createStream>>;

const open = async (more: (bus: EventBus, streams: Streams) => Partial<Handlers>) =>
  await startSmallHost(undefined, (bus) => {
    const streams = { out: createStream(bus, streamIds.out), err: createStream(bus, streamIds.err) };
    return {
      'sessions.get': async () => ({ id: id('ses'), name: 's', status: 'running' }) as never,
      'environments.get': async () => ({ id: id('env'), name: 'e' }) as never,
      'stream.read': async ({ stream_id, from, max_bytes }) =>
        streams[stream_id === streamIds.out ? 'out' : 'err'].read(from, max_bytes ?? 1000),
      ...more(bus, streams),
    };
  });

const execOf = (status: string, exitCode: number | null) =>
  ({
    id: id('exe'),
    session_id: id('ses'),
    command: [],
    status,
    exit_code: exitCode,
    stdout_stream_id: streamIds.out,
    stderr_stream_id: streamIds.err,
  }) as never;

/** An exec that says `lines` in many pieces, then ends with 7. */
const speakingExec = (bus: EventBus, { out, err }: Streams): Partial<Handlers> => {
  let exec = execOf('running', null);
  const speak = async () => {
    for (let count = 0; count < 50; count += 1) {
      out.write(`line ${count} é\n`);
      await new Promise((resolve) => setImmediate(resolve));
    }
    err.write('oh\n');
    exec = execOf('exited', 7);
    bus.emit('exec.changed', exec);
    out.end();
    err.end();
  };
  return {
    'execs.start': async () => {
      void speak();
      return exec;
    },
    'execs.get': async () => exec,
  };
};
const allLines = Array.from({ length: 50 }, (_, count) => `line ${count} é\n`).join('');

test('exec: both streams, whole and in order, and its exit code', async () => {
  const { dataFolder } = await open(speakingExec);
  expect(await runSandlot(dataFolder, ['session', 'exec', id('ses'), '--', 'x', '-o', 'y'])).toEqual({
    code: 7,
    stdout: allLines,
    stderr: 'oh\n',
  });
});

test('exec -o json: one value, same exit code', async () => {
  const { dataFolder } = await open(speakingExec);
  const { code, stdout, stderr } = await runSandlot(dataFolder, ['session', 'exec', id('ses'), '-o', 'json', '--', 'x']);
  expect([code, JSON.parse(stdout), stderr]).toEqual([7, { exit_code: 7, stdout: allLines, stderr: 'oh\n' }, '']);
});

test('Ctrl-C kills the exec and ends with 130', async () => {
  const killed: string[] = [];
  let tellStarted: () => void = () => undefined;
  const started = new Promise<void>((resolve) => {
    tellStarted = resolve;
  });
  const { dataFolder } = await open(() => ({
    'execs.start': async () => execOf('running', null),
    'execs.get': async () => {
      tellStarted();
      return execOf('running', null);
    },
    'execs.kill': async ({ exec_id }) => {
      killed.push(exec_id);
      return { ok: true };
    },
  }));
  const { code } = await runSandlot(dataFolder, ['session', 'exec', id('ses'), '--', 'sleep', '100'], {
    onStart: (child) => void started.then(() => child.kill('SIGINT')),
  });
  expect([code, killed]).toEqual([130, [id('exe')]]);
});

test('attach without a terminal: what comes in is typed in order, the shell ends the command with its code', async () => {
  const typed: Buffer[] = [];
  const terminal = (status: string, exitCode: number | null) =>
    ({ id: id('trm'), session_id: id('ses'), status, exit_code: exitCode, stream_id: streamIds.out }) as never;
  const { dataFolder } = await open((bus, { out }) => {
    let now = terminal('running', null);
    return {
      'terminals.open': async () => now,
      'terminals.list': async () => ({ terminals: [now] }),
      'terminals.write': async ({ data }) => {
        typed.push(Buffer.from(data, 'base64'));
        out.write('echo\r\n');
        if (Buffer.concat(typed).includes(4)) {
          now = terminal('exited', 3);
          bus.emit('terminal.changed', now);
          out.end();
        }
        return { ok: true };
      },
    };
  });
  const { code, stdout } = await runSandlot(dataFolder, ['session', 'attach', id('ses')], { input: 'one\ntwo\n' });
  expect([code, Buffer.concat(typed).toString(), stdout.startsWith('echo\r\n')]).toEqual([3, 'one\ntwo\n\u0004', true]);
});

// Without a terminal a log has no colours.
test.each([
  ['succeeded', 0],
  ['failed', 1],
  ['cancelled', 1],
])('build: the log on the way, the finished build as JSON, a build that %s ends with %i', async (status, code) => {
  const build = (now: string) =>
    ({
      id: id('bld'),
      status: now,
      stream_id: streamIds.out,
      failed_step: now === 'failed' ? 'step' : null,
      error: null,
      boot_test: null,
    }) as never;
  const { dataFolder } = await open((bus, { out }) => {
    let now = build('running');
    return {
      'builds.start': async () => {
        setImmediate(() => {
          // A colour in two pieces, and what would set the title of a window.
          for (const piece of ['\u001b[3', '1ma log\u001b[0m line\u001b]0;title', '\u0007\n']) out.write(piece);
          now = build(status);
          bus.emit('build.changed', now);
          out.end();
        });
        return now;
      },
      'builds.get': async () => now,
    };
  });
  const said = await runSandlot(dataFolder, ['build', id('env'), '-o', 'json']);
  expect([said.code, (JSON.parse(said.stdout) as { status: string }).status, said.stderr.startsWith('a log line\n')]).toEqual([
    code,
    status,
    true,
  ]);
});

test('setup run --wait: log lines on the way, without colours where there is no terminal, exit 1 when it failed; setup logs -o json is a list of lines', async () => {
  const run = (status: string) => ({ id: id('run'), status, stderr_tail: '', hint: 'why', failed_line: 2 }) as never;
  const lines = [1, 2, 3].map((seq) => ({
    seq,
    at: '2026-01-01T00:00:00.000Z',
    stream: seq === 1 ? 'marker' : 'stdout',
    text: `\u001b[1mt${seq}\u001b[0m`,
    line: seq === 1 ? 1 : null,
  })) as never[];
  const { dataFolder } = await open(() => ({
    'setup_runs.create': async () => run('queued'),
    'setup_runs.get': async () => run('failed'),
    'setup_runs.logs': async ({ after = 0 }) => ({
      lines: lines.slice(after, after + 2),
      next_after: Math.min(3, after + 2),
      truncated: false,
      status: 'failed',
    }),
  }));
  const waited = await runSandlot(dataFolder, ['setup', 'run', id('env'), '--wait', '-o', 'json']);
  expect([waited.code, (JSON.parse(waited.stdout) as { status: string }).status, waited.stderr]).toEqual([
    1,
    'failed',
    '+ line 1: t1\nt2\nt3\n',
  ]);
  const logs = await runSandlot(dataFolder, ['setup', 'logs', id('run'), '-o', 'json']);
  expect([logs.code, JSON.parse(logs.stdout)]).toEqual([0, lines]);
});

test('what is for good is done with --yes only, where nobody can be asked', async () => {
  const deleted: string[] = [];
  const { dataFolder } = await open(() => ({
    'environments.delete': async ({ environment_id }) => {
      deleted.push(environment_id);
      return { ok: true };
    },
  }));
  const refused = await runSandlot(dataFolder, ['env', 'delete', id('env')], { input: 'e\n' });
  expect([refused.code, refused.stderr.includes(`sandlot env delete ${id('env')} --yes`), deleted]).toEqual([2, true, []]);
  expect([(await runSandlot(dataFolder, ['env', 'delete', id('env'), '--yes'])).code, deleted]).toEqual([0, [id('env')]]);
});

test('a name that means two environments is refused with both ids', async () => {
  const two = ['same', 'same-2'].map((slug, at) => ({ id: `env_${String(at).repeat(26)}`, name: 'same', slug }));
  const { dataFolder } = await open(() => ({
    'environments.list': async () => ({ environments: two, next_cursor: null, total: 2 }) as never,
  }));
  const { code, stderr } = await runSandlot(dataFolder, ['env', 'get', 'same']);
  expect([code, stderr.includes(two[0]?.id ?? '-') && stderr.includes(two[1]?.id ?? '-')]).toEqual([2, true]);
});
