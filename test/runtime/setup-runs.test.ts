// Whole setup runs on real runtimes: what ends how, what is saved, what is released.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Environment } from '../../sandbox-engine/contract/model.ts';
import { refreshSetup } from '../../sandbox-engine/engine/refresh-setup.ts';
import { codeOf } from './support/code-of.ts';
import { oddValues } from './support/odd-values.ts';
import { environmentWith, openSetupHouse, testRuntimes } from './support/setup-house.ts';

describe.each(testRuntimes)('on $kind', ({ kind }) => {
  let house: Awaited<ReturnType<typeof openSetupHouse>>;
  beforeAll(async () => {
    house = await openSetupHouse();
  });
  afterAll(() => house.close());

  const here = (script: string, part: Partial<Environment> = {}): Environment => environmentWith(script, { runtime: kind, ...part });
  const containersOf = (id: string) => house.runtimeOf(kind).listContainers({ 'dev.sandlot.setup-run': id });
  const timed = (script: string, seconds: number): Environment => here(script, { setup: { script, timeout_seconds: seconds } });

  /** Boots a prepared image and answers what a command prints there. */
  const inImage = async (image: string, script: string): Promise<string> => {
    const runtime = house.runtimeOf(kind);
    const spec = {
      name: `sandlot-look-${house.home}`,
      image,
      command: ['sleep', '60'],
      env: [],
      labels: { 'dev.sandlot.home': house.home },
    };
    const id = await runtime.createContainer({ ...spec, network: 'none' });
    await runtime.startContainer(id);
    const handle = await runtime.exec(id, { command: ['bash', '-c', script], stdin: false });
    let text = '';
    for await (const { bytes } of handle.output) text += bytes.toString();
    await runtime.removeContainer(id);
    return text;
  };

  test('a passing run saves /workspace and the recipe, and nothing of the run', async () => {
    const script = 'echo made > /workspace/made\nsleep 300 &\necho "$SECRETISH"\necho done';
    const began = performance.now();
    const run = await house.runToEnd(here(script, { env_vars: { SECRETISH: 'tok_4f9a2c7d1e', https_proxy: 'http://p:1' } }));
    expect(performance.now() - began).toBeLessThan(30_000);
    expect(run).toMatchObject({ status: 'succeeded', exit_code: 0, failed_line: null, hint: null, phase: 'cleanup' });
    expect(run.phases.map(({ phase, status }) => `${phase} ${status}`)).toEqual([
      'provision succeeded',
      'gpu_check skipped',
      'setup succeeded',
      'profile succeeded',
      'commit succeeded',
      'cleanup succeeded',
    ]);
    expect(run.line_times.map(({ line, count }) => [line, count])).toEqual([
      [1, 1],
      [2, 1],
      [3, 1],
      [4, 1],
    ]);
    const lines = await house.linesOf(run.id);
    expect(lines.filter(({ stream }) => stream === 'marker').map(({ line, text }) => [line, text])).toEqual([
      [1, 'echo made > /workspace/made'],
      [2, 'sleep 300 &'],
      [3, 'echo "$SECRETISH"'],
      [4, 'echo done'],
    ]);
    expect(lines.filter(({ stream, text }) => stream === 'system' && /sleep 300/.test(text))).toHaveLength(1);
    const image = await house.runtimeOf(kind).inspectImage(run.prepared_image_id ?? '');
    expect(image?.env.join('\n')).toMatch(/FROM_IMAGE=yes/);
    expect(image?.env.join('\n')).not.toMatch(/proxy|tok_4f9a|LANG|DEBIAN_FRONTEND/i);
    expect(image?.user).toBe('sandbox');
    expect(image?.labels['dev.sandlot.role']).toBe('prepared');
    const found = await inImage(
      run.prepared_image_id ?? '',
      'cat /workspace/made; pgrep -c "^sleep" ; ls -A /tmp; ls -A ~ | sort | tr "\\n" " "',
    );
    expect(found).toBe('made\n1\n.bash_logout .bashrc .profile ');
    expect(await containersOf(run.id)).toEqual([]);
  });

  test('a failing run names line, command, code and a hint, and masks a secret everywhere', async () => {
    house.redactor.set([{ name: 'TOKEN', value: 'tok_4f9a2c7d1e' }]);
    const run = await house.runToEnd(
      here(
        [
          'printf "tok_4f9a"; sleep 0.4; printf "2c7d1e\\n"',
          'printf "tok_4f9a\\n"',
          "printf '\\033[31mred\\033[0m\\n' >&2",
          'echo "tok_4f9a2c7d1e" >&2; false',
        ].join('\n'),
      ),
    );
    house.redactor.set([]);
    expect(run).toMatchObject({
      status: 'failed',
      exit_code: 1,
      failed_line: 4,
      failed_command: 'false',
      phase: 'setup',
      failure_code: 'environment_setup_failed',
      hint_code: 'unknown',
    });
    expect(run.stderr_tail).toBe('***');
    const lines = await house.linesOf(run.id);
    expect(JSON.stringify([lines, run.failed_command, house.told.map((told) => ({ ...told, script: '' }))])).not.toContain(
      'tok_4f9a2c7d1e',
    );
    expect(lines.filter(({ stream }) => stream === 'stdout').map(({ text }) => text)).toEqual(['***', 'tok_4f9a']);
    expect(await containersOf(run.id)).toEqual([]);
  });

  test('a redrawn line is stored in its last state', async () => {
    const run = await house.runToEnd(
      here("for i in $(seq 1 20000); do printf 'Get %s\\r' \"$i\"; done; printf '\\n'; printf '\\033[32mok\\033[0m\\n'"),
    );
    const out = (await house.linesOf(run.id)).filter(({ stream }) => stream === 'stdout');
    expect(out).toHaveLength(2);
    expect(out[0]?.text).toContain('Get 20000');
    expect(JSON.stringify(out).length).toBeLessThan(1024);
  });

  test('a script that takes too long is ended with all its children: 124', async () => {
    const run = await house.runToEnd(timed('bash -c "sleep 100 & sleep 100" &\nsleep 200', 10));
    expect(run).toMatchObject({ status: 'failed', exit_code: 124, failed_line: 2, failed_command: 'sleep 200', hint_code: 'timeout' });
    expect(await containersOf(run.id)).toEqual([]);
  });

  test('two starts in one millisecond make one run; a key replays; four manual runs in all', async () => {
    const environment = here('sleep 100');
    const both = await Promise.allSettled([
      house.runs.start(environment, { kind: 'manual', idempotencyKey: 'one' }),
      house.runs.start(environment, { kind: 'manual', idempotencyKey: 'two' }),
    ]);
    const [first, second] = both;
    expect([first?.status, second?.status]).toEqual(['fulfilled', 'rejected']);
    const id = first?.status === 'fulfilled' ? first.value.id : '';
    expect(second?.status === 'rejected' ? [second.reason.code, second.reason.details.setup_run_id] : []).toEqual([
      'setup_run_in_progress',
      id,
    ]);
    expect((await house.runs.start(environment, { kind: 'manual', idempotencyKey: 'one' })).id).toBe(id);
    const others = await Promise.all([1, 2, 3].map(() => house.runs.start(here('sleep 100'), { kind: 'manual' })));
    expect(await codeOf(house.runs.start(here('true'), { kind: 'manual' }))).toBe('too_many_setup_runs');
    const cancelling = house.runs.cancel(id);
    await cancelling;
    const again = await house.runs.start(environment, { kind: 'manual', idempotencyKey: 'three' });
    expect(again.id).not.toBe(id);
    await Promise.all([again, ...others].map((run) => house.runs.cancel(run.id)));
    expect(await codeOf(house.runs.start(environmentWith(null), { kind: 'manual' }))).toBe('invalid_request');
    expect(await codeOf(house.runs.get('run_00000000000000000000000000', 0))).toBe('not_found');
  });

  test('a refresh waits for a run that is observed, which leaves no image, and makes its own', async () => {
    const environment = here('echo made');
    await house.runs.start(environment, { kind: 'manual', observe: true, idempotencyKey: 'observed' });
    const image = await refreshSetup({ setupRuns: house.runs }, environment, () => undefined);
    const runs = await house.runs.list(environment.id, 5);
    expect(runs.map(({ kind: what, observed, status, prepared_image_id }) => [what, observed, status, prepared_image_id])).toEqual([
      ['refresh', false, 'succeeded', image],
      ['manual', true, 'succeeded', null],
    ]);
  });

  test('a script that takes more memory than there is, is told so', async () => {
    const run = await house.runToEnd(
      here('perl -e \'$x = "y" x 900_000_000; print length $x\'', {
        resources: { size: 'custom', cpus: 1, memory_gib: 0.125, gpu: false },
      }),
    );
    expect([run.status, run.exit_code, run.failed_line]).toEqual(['failed', 137, 1]);
    expect(['out_of_memory', 'killed']).toContain(run.hint_code);
  });

  test('100,000 lines and one giant line: the beginning is kept, markers go on, pages join', async () => {
    const run = await house.runToEnd(here("seq 1 100000\nhead -c 8388608 /dev/zero | tr '\\0' x\necho; echo end"));
    expect(run).toMatchObject({ status: 'succeeded', truncated: true });
    const lines = await house.linesOf(run.id);
    expect(lines.map(({ seq }) => seq)).toEqual(lines.map((_, index) => index + 1));
    expect(lines.filter(({ stream }) => stream === 'marker').map(({ line }) => line)).toEqual([1, 2, 3]);
    expect(
      lines
        .filter(({ stream }) => stream === 'stdout')
        .slice(0, 3)
        .map(({ text }) => text),
    ).toEqual(['1', '2', '3']);
    expect(lines.some(({ text }) => text === '100000')).toBe(true);
    expect(lines.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)).toBeLessThanOrEqual(4_194_304);
  });

  test('values with quotes, dollars, backslashes and newlines arrive byte for byte', async () => {
    const env_vars = oddValues;
    const run = await house.runToEnd(
      here(
        Object.keys(env_vars)
          .map((name) => `printf '%s' "$${name}" | base64 -w0; echo`)
          .join('\n'),
        { env_vars },
      ),
    );
    const out = (await house.linesOf(run.id))
      .filter(({ stream }) => stream === 'stdout')
      .map(({ text }) => Buffer.from(text, 'base64').toString());
    expect(out).toEqual(Object.values(env_vars));
  });

  test('a host that died in mid-run leaves a failed run, no container and no image', async () => {
    const run = await house.runToEnd(here('true'));
    const id = await house.runtimeOf(kind).createContainer({
      name: `sandlot-left-${run.id}`,
      image: run.prepared_image_id ?? '',
      command: ['sleep', '60'],
      env: [],
      labels: { 'dev.sandlot.setup-run': run.id, 'dev.sandlot.role': 'setup-run' },
      network: 'none',
    });
    const begun = { phase: 'setup', started_at: run.created_at, duration_ms: null, status: 'running' } as const;
    await house.store.save({ ...run, status: 'running', phases: [begun], finished_at: null });
    await house.runs.recover();
    expect(await house.runs.get(run.id, 0)).toMatchObject({
      ...{ status: 'failed', failure_code: 'host_stopped' },
      phases: [{ ...begun, status: 'failed' }],
    });
    expect(await house.runtimeOf(kind).inspectContainer(id)).toBeNull();
    expect(await house.runtimeOf(kind).listImages({ 'dev.sandlot.setup-run': run.id })).toEqual([]);
  });
});
