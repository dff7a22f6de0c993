// Values, images and repositories through a real host: what was typed is what a sandbox sees.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EnvironmentView, Session } from '../../sandbox-engine/contract/model.ts';
import { startGitDaemon } from './support/git-daemon.ts';
import { askRuntime, type RealHost, removeRealHost, startRealHost, until } from './support/real-host.ts';
import { testRuntimes } from './support/test-image.ts';

const run = promisify(execFile);

const typed = `base: debian:bookworm-slim
env:
  COUNTRY: no
  ACCEPT: Y
  DEBUG: true
  PORT: 8080
  EMPTY: ""
  SPACED: "a  b "
  QUOTED: "it's \\"fine\\""
  DOLLAR: "$HOME \${X:-y} $$"
  BACK: 'C:\\tools\\'
  MULTI: "one\\ntwo"
  EQ: "k=v=w"
  HASH: "a #b"
  _ok: x
  lower_case: y
  __proto__: kept
`;
const wanted: [string, string][] = [
  ['COUNTRY', 'no'],
  ['ACCEPT', 'Y'],
  ['DEBUG', 'true'],
  ['PORT', '8080'],
  ['EMPTY', ''],
  ['SPACED', 'a  b '],
  ['QUOTED', 'it\'s "fine"'],
  ['DOLLAR', '$HOME ${X:-y} $$'],
  ['BACK', 'C:\\tools\\'],
  ['MULTI', 'one\ntwo'],
  ['EQ', 'k=v=w'],
  ['HASH', 'a #b'],
  ['_ok', 'x'],
  ['lower_case', 'y'],
  ['__proto__', 'kept'],
];
// Each value in brackets, so that blanks at its ends can be seen in a log of lines.
const printAll = `for n in ${wanted.map(([name]) => name).join(' ')}; do printf '[%s]\\n' "$(printenv "$n" && echo .)"; done`;
const printed = wanted.map(([, value]) => `[${value}\n.]`).join('\n');

describe.each(testRuntimes)('a host on $kind', ({ kind, socket }) => {
  let host: RealHost;
  let folder: string;

  const create = (name: string, recipe_yaml: string, more: object = {}): Promise<EnvironmentView> =>
    host.call('environments.create', { body: { name, recipe_yaml, runtime: kind, network_policy: {}, ...more } });
  const get = (id: string) => host.call('environments.get', { environment_id: id });
  const buildAndPin = async (id: string) => {
    const { id: build_id } = await host.call('builds.start', { environment_id: id, pin: true });
    const build = await until(
      () => host.call('builds.get', { build_id }),
      ({ finished_at }) => finished_at !== null,
    );
    expect([build.status, build.error]).toEqual(['succeeded', null]);
    // Whoever hears of the success may launch: the pin is there.
    const built = await get(id);
    expect(built.image.state).toBe('active');
    return built;
  };
  const launch = async (environment_id: string): Promise<Session> => {
    const { id } = await host.call('sessions.launch', { environment_id });
    return await until(
      () => host.call('sessions.get', { session_id: id }),
      ({ status }) => status !== 'starting',
    );
  };
  const shell = async (session_id: string, script: string) => {
    const { id } = await host.call('execs.start', { session_id, command: ['bash', '-c', script] });
    const { exit_code, stdout_stream_id, stderr_stream_id } = await host.call('execs.get', { exec_id: id, wait_seconds: 30 });
    return { code: exit_code, out: await host.text(stdout_stream_id), err: await host.text(stderr_stream_id) };
  };
  const started = (id: string) =>
    until(
      () => host.call('sessions.get', { session_id: id }),
      ({ start_script: { status }, message }) => message !== null || status === 'succeeded' || status === 'failed',
      30_000,
    );

  beforeAll(async () => {
    host = await startRealHost();
    folder = await mkdtemp(join(tmpdir(), 'sandlot-repos-'));
  });
  afterAll(async () => {
    await removeRealHost(host);
    await rm(folder, { recursive: true, force: true });
  });

  test('Y-01, E-01, E-02, W-02: values are the same bytes in image, setup run and session, whatever the environment is called', {
    timeout: 300_000,
  }, async () => {
    const { id } = await create('team/web β #1', typed, { setup: { script: printAll } });
    const built = await buildAndPin(id);
    expect(built.name).toBe('team/web β #1');
    const image = (await askRuntime(socket, 'GET', `/images/${built.image.image_id ?? ''}/json`)) as { Config: { Env: string[] } };
    for (const [name, value] of wanted) expect(image.Config.Env).toContain(`${name}=${value}`);
    const { id: run_id } = await host.call('setup_runs.create', { environment_id: id, idempotency_key: 'one' });
    const ended = await until(
      () => host.call('setup_runs.get', { setup_run_id: run_id, wait_seconds: 5 }),
      ({ finished_at }) => finished_at !== null,
    );
    expect([ended.status, ended.hint]).toEqual(['succeeded', null]);
    const { lines } = await host.call('setup_runs.logs', { setup_run_id: run_id, limit: 2000 });
    expect(lines.flatMap(({ stream, text }) => (stream === 'stdout' ? [text] : [])).join('\n')).toBe(printed);
    const session = await launch(id);
    expect([session.status, session.image_source, session.message]).toEqual(['running', 'prepared', null]);
    expect(await shell(session.id, printAll)).toEqual({ code: 0, out: `${printed}\n`, err: '' });
  });

  test('I-06: when the pinned image was removed, all say so, sessions fall back with a banner, and a new build can be pinned', {
    timeout: 300_000,
  }, async () => {
    const { id } = await create('pruned', `base: debian:bookworm-slim\ninitialize:\n  - run: echo ${Date.now()} > /opt/mark\n`);
    const { image } = await buildAndPin(id);
    expect((await launch(id)).fallback).toBeNull();
    for (const { id: session_id } of (await host.call('sessions.list', { environment_id: id })).sessions)
      await host.call('sessions.delete', { session_id });
    await askRuntime(socket, 'DELETE', `/images/${image.image_id ?? ''}?force=true`);
    const missing = await until(
      () => get(id),
      (now) => now.image.state === 'missing',
      10_000,
    );
    expect([missing.image.state, missing.image.message]).toEqual(['missing', expect.stringMatching(/missing|gone/)]);
    const session = await launch(id);
    expect([session.status, session.image_source, session.fallback]).toEqual([
      'running',
      'default',
      expect.stringMatching(/pinned image is missing.*default base/),
    ]);
    expect((await shell(session.id, 'cat /opt/mark')).code).toBe(1);
    await host.call('app.prune', { dry_run: true });
    expect((await buildAndPin(id)).image.state).toBe('active');
    const again = await launch(id);
    expect([again.fallback, (await shell(again.id, 'cat /opt/mark')).code]).toEqual([null, 0]);
  });

  test('prune takes an image away with all its names, and leaves one that a person has named', { timeout: 120_000 }, async () => {
    const build = async (name: string) => {
      const { id } = await create(name, `base: debian:bookworm-slim\ninitialize:\n  - run: echo ${name} ${folder} > /opt/mark\n`);
      const { id: build_id } = await host.call('builds.start', { environment_id: id });
      const made = await until(
        () => host.call('builds.get', { build_id }),
        ({ finished_at }) => finished_at !== null,
      );
      return made.image_id ?? '';
    };
    const [ours, theirs] = [await build('twice'), await build('named')];
    await askRuntime(socket, 'POST', `/images/${ours}/tag?repo=sandlot/env&tag=${process.pid}`);
    const theirTag = `team/kept:${process.pid}`;
    await askRuntime(socket, 'POST', `/images/${theirs}/tag?repo=team/kept&tag=${process.pid}`);
    const { items } = await host.call('app.prune', { dry_run: false });
    const idsLeft = async () => ((await askRuntime(socket, 'GET', '/images/json')) as { Id: string }[]).map(({ Id }) => Id.slice(-64));
    const left = await idsLeft();
    await askRuntime(socket, 'DELETE', `/images/${theirTag}`);
    expect([left.includes(ours.slice(-64)), left.includes(theirs.slice(-64))]).toEqual([false, true]);
    expect(items.filter(({ kind, name }) => kind === 'image' && name.includes('kept'))).toEqual([]);
  });

  test('the list of images says who needs each; one that is needed is not removed, one that is not goes', {
    timeout: 120_000,
  }, async () => {
    const { id } = await create('listed', `base: debian:bookworm-slim\ninitialize:\n  - run: echo listed ${folder} > /opt/mark\n`);
    const { image } = await buildAndPin(id);
    const image_id = image.image_id ?? '';
    const find = async () => (await host.call('images.list', {})).images.find((one) => one.id === image_id);
    expect(await find()).toMatchObject({
      ...{ runtime: kind, kind: 'build', is_unused: false },
      used_by: [{ environment_id: id, name: 'listed', how: 'pinned' }],
    });
    await expect(host.call('images.remove', { runtime: kind, image_id })).rejects.toMatchObject({ code: 'image_in_use' });
    await host.call('pins.remove', { environment_id: id });
    const [{ items }, unused] = [await host.call('app.prune', { dry_run: true }), await find()];
    const freed = items.find(({ name }) => name === (unused?.tags[0] ?? image_id));
    expect(unused).toMatchObject({ used_by: [], is_unused: true, frees_bytes: freed?.size });
    await host.call('images.remove', { runtime: kind, image_id });
    expect(await find()).toBeUndefined();
  });

  test('W-01, W-02: a branch with slashes is cloned whole by URL and copied from a folder, and git trusts it without asking', {
    timeout: 120_000,
  }, async () => {
    const source = join(folder, 'shop.git');
    await mkdir(join(source, 'sub'), { recursive: true });
    const git = (...words: string[]) =>
      run('git', ['-C', source, '-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'safe.directory=*', ...words]);
    await git('init', '-q', '-b', 'main');
    await writeFile(join(source, 'sub', 'größe.txt'), 'main\n');
    await git('add', '.');
    await git('commit', '-q', '-m', 'one');
    await git('switch', '-q', '-c', 'feat/a/b');
    await writeFile(join(source, 'sub', 'größe.txt'), 'branch\n');
    await git('commit', '-q', '-a', '-m', 'two');
    const head = (await git('rev-parse', 'HEAD')).stdout.trim();
    await git('switch', '-q', 'main');
    // A file larger than any buffer on the way, and empty ones, belong to a folder as well.
    await writeFile(join(source, 'large.bin'), Buffer.alloc(40_000_000, 7));
    await writeFile(join(source, 'empty'), '');
    const daemon = await startGitDaemon(folder, 'shop.git');
    try {
      const recipe = 'base: debian:bookworm-slim\nsession_start:\n  - name: look\n    run: git status --short && git rev-parse HEAD\n';
      const of = (name: string, from: string) => create(name, recipe, { repo: { source: from, branch: 'feat/a/b' } });
      const byUrl = await launch((await of('by url', `${daemon.base}shop.git/`)).id);
      const copied = await of('by folder', source);
      const folders = [{ path: source, use: 'repository' as const, read_only: true }];
      await host.call('environments.agree_folders', { environment_id: copied.id, folders });
      const byFolder = await launch(copied.id);
      for (const { id } of [byUrl, byFolder]) {
        const { message, steps, start_script } = await started(id);
        // The steps say where it stands when it is not there in time.
        const undone = steps.filter(({ status }) => status !== 'succeeded');
        const stream_id = start_script.stream_id ?? '';
        expect([message, undone, start_script]).toEqual([null, [], { status: 'succeeded', exit_code: 0, stream_id }]);
        expect(await host.text(stream_id)).toContain(head);
        const seen = await shell(
          id,
          'cd /workspace/repo && cat sub/* && git branch --show-current && stat -c %U . .git sub | sort -u; git config --get-all safe.directory; true',
        );
        expect(seen).toEqual({ code: 0, out: 'branch\nfeat/a/b\nsandbox\n', err: '' });
      }
      expect((await shell(byFolder.id, 'cd /workspace/repo && stat -c %s large.bin empty')).out).toBe('40000000\n0\n');
      const lost = await launch((await of('no such', `${daemon.base}none/`)).id);
      expect([lost.status, (await started(lost.id)).message]).toEqual(['running', expect.stringMatching(/was not cloned: /)]);
    } finally {
      daemon.stop();
    }
  });

  test('deleting an environment ends its setup run and its build; nothing of them stays', async () => {
    const { id } = await create('short-lived', 'base: debian\ninitialize:\n  - name: Wait\n    run: sleep 100\n', {
      setup: { script: 'sleep 100' },
    });
    const { id: build_id } = await host.call('builds.start', { environment_id: id });
    const { id: setup_run_id } = await host.call('setup_runs.create', { environment_id: id, idempotency_key: 'short' });
    const run = () => host.call('setup_runs.get', { setup_run_id, wait_seconds: 0 });
    await until(run, ({ status }) => status === 'running');
    await host.call('environments.delete', { environment_id: id });
    expect(await run()).toMatchObject({ status: 'cancelled', prepared_image_id: null });
    expect((await host.call('builds.get', { build_id })).status).toBe('cancelled');
    const filters = encodeURIComponent(JSON.stringify({ label: [`dev.sandlot.setup-run=${setup_run_id}`] }));
    expect(await askRuntime(socket, 'GET', `/containers/json?all=1&filters=${filters}`)).toEqual([]);
  });
});
