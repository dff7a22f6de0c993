// What is in a session's workspace, on real runtimes: repositories that come by copy or as a branch of their own, changes, files. Whoever is
// root inside, or wrote the repository, tries to have something run or read that nobody asked for.
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Environment, Session, Transfer } from '../../sandbox-engine/contract/model.ts';
import { anEnvironment, aPlan, openSessionHouse } from './support/session-house.ts';
import { ensureTestImage, testImage, testRuntimes } from './support/test-image.ts';

type Repo = NonNullable<Environment['repo']>;

const who = {
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@b',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@b',
  GIT_CONFIG_GLOBAL: '/dev/null',
};

let folder: string;
let source: string;
const git = (...args: string[]): string => execFileSync('git', ['-C', source, ...args], { env: { ...process.env, ...who } }).toString();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sandlot-workspace-'));
  source = join(folder, 'source');
  await mkdir(join(source, 'src'), { recursive: true });
  git('init', '-q', '-b', 'main');
  await writeFile(join(source, 'src/one.txt'), 'one\ntwo\n');
  await writeFile(join(source, 'old name'), 'the same text, long enough to be found again\n'.repeat(5));
  await writeFile(join(source, '.gitignore'), '*.log\n');
  await writeFile(join(source, '.sandlot.yml'), 'base: debian\n');
  git('add', '-A');
  git('commit', '-q', '-m', 'first');
  // None of this may go along, or be followed, or be waited for.
  await writeFile(join(source, 'noise.log'), 'noise\n');
  await writeFile(join(source, 'draft.txt'), 'not committed\n');
  await symlink('/etc/hostname', join(source, 'link'));
  execFileSync('mkfifo', [join(source, 'pipe')]);
  git('config', 'core.fsmonitor', `touch ${folder}/ran; false`);
  await writeFile(join(source, '.git/hooks/post-checkout'), `#!/bin/sh\ntouch ${folder}/ran\n`, { mode: 0o755 });
});
afterAll(async () => await rm(folder, { recursive: true, force: true }));

describe.each(testRuntimes)('workspaces on $kind', ({ kind, socket }) => {
  let house: Awaited<ReturnType<typeof openSessionHouse>>;
  beforeAll(async () => {
    await ensureTestImage(socket);
    house = await openSessionHouse({ kind, socket });
  }, 120_000);
  afterAll(async () => await house.removeAll(), 60_000);

  const launch = async (repo: Partial<Repo> | null): Promise<Session> => {
    const whole = repo === null ? null : { source, submodules: false, lfs: false, path: '/workspace/repo', ...repo };
    const { id } = await house.sessions.launch(aPlan(anEnvironment({ repo: whole, name: 'Shop' }), testImage, { areFoldersAgreed: true }));
    return await expect
      .poll(() => house.sessions.get(id), { timeout: 30_000 })
      .toMatchObject({ workspace_start: {} })
      .then(() => house.sessions.get(id));
  };
  const shell = async (id: string, script: string): Promise<string> => {
    const exec = await house.sessions.startExec(id, { command: ['bash', '-c', script] });
    const { stdout_stream_id, stderr_stream_id } = await house.sessions.getExec(exec.id, 30);
    return (await house.textOf(stdout_stream_id)) + (await house.textOf(stderr_stream_id));
  };
  const pull = async ({ id }: Transfer) => {
    const parts: Buffer[] = [];
    for (;;) {
      const { data, ended, note } = await house.sessions.workspaceCalls['transfers.read']({ transfer_id: id, max_bytes: 1_048_576 });
      parts.push(Buffer.from(data, 'base64'));
      if (ended) return { bytes: Buffer.concat(parts), note };
    }
  };
  const failure = (promise: Promise<unknown>) =>
    promise.then(
      () => null,
      (thrown: { code: string; nextAction: string | null }) => [thrown.code, thrown.nextAction !== null],
    );

  test('a copy leaves out what is ignored or no file, belongs to the sandbox user, and what it began with is no change', {
    timeout: 60_000,
  }, async () => {
    const session = await launch({ leave_ignored: true });
    expect(session.message).toBe('1 entry was left out, unreadable or no files: "pipe"');
    expect(session.offered_file).toBe('.sandlot.yml');
    expect(
      await shell(
        session.id,
        '(pwd && ls -A && readlink link && stat -c %U . src/one.txt && git status --short; git config --global -l) 2>/dev/null',
      ),
    ).toBe(
      '/workspace/repo\n.git\n.gitignore\n.sandlot.yml\ndraft.txt\nlink\nold name\nsrc\n/etc/hostname\nsandbox\nsandbox\n?? draft.txt\n?? link\n',
    );
    expect((await house.sessions.workspaceCalls['sessions.diff']({ session_id: session.id })).files).toEqual([]);
    await house.sessions.remove(session.id);
  });

  test('a worktree has the commits on a branch of its own; what is changed by a hostile hand is listed, runs nothing, and comes back', {
    timeout: 60_000,
  }, async () => {
    const { id, workspace_start } = await launch({ mode: 'worktree' });
    const branch = `sandlot/shop-${id.slice(-6)}`;
    expect([workspace_start?.kind, workspace_start?.commit]).toEqual(['repository', git('rev-parse', 'HEAD').trim()]);
    expect(
      await shell(id, 'git branch --show-current && git status --short && ls .git/hooks 2>/dev/null; git config --local core.fsmonitor'),
    ).toBe(`${branch}\n`);
    const hostile = `git config core.fsmonitor 'touch /tmp/ran; false' && git config core.hooksPath /tmp/hooks && mkdir -p /tmp/hooks &&
      printf '#!/bin/sh\\ntouch /tmp/ran\\n' | tee /tmp/hooks/pre-commit >/tmp/hooks/post-index-change && chmod +x /tmp/hooks/* &&
      git config diff.evil.textconv 'touch /tmp/ran; cat' && git config diff.evil.command 'touch /tmp/ran' && git config diff.external 'touch /tmp/ran' &&
      echo '* diff=evil' >.git/info/attributes && git config core.pager 'touch /tmp/ran' && git config diff.noprefix true
      printf 'three\\n' >>src/one.txt; git mv 'old name' 'new name'; printf 'x' >"$(printf 'a\\nb\\tc')"; truncate -s 2G huge; ln -s /etc/shadow shadow
      printf '\\0\\1' >binary; mkfifo fifo; git init -q own; for n in $(seq 60); do echo $n >"many$n"; done; rm -f /tmp/ran`;
    await shell(id, hostile);
    const diff = await house.sessions.workspaceCalls['sessions.diff']({ session_id: id, patch: true });
    const seen = diff.files.filter(({ path }) => !path.startsWith('many'));
    expect(seen.map(({ path, status, kind: what, added, is_binary }) => [path, status, what, added, is_binary])).toEqual([
      ['a\nb\tc', 'added', 'file', 1, false],
      ['binary', 'added', 'file', null, true],
      ['huge', 'added', 'large', null, true],
      ['new name', 'renamed', 'file', 0, false],
      ['own', 'added', 'repository', null, false],
      ['shadow', 'added', 'file', 1, false],
      ['src/one.txt', 'modified', 'file', 1, false],
    ]);
    expect([
      diff.branch,
      diff.files_total,
      diff.has_uncommitted,
      diff.patch?.includes('\n+three\n'),
      diff.patch?.includes('+++ b/src/one.txt'),
    ]).toEqual([...[branch, 67, true, true, true]]);

    const patch = await pull(await house.sessions.workspaceCalls['sessions.patch']({ session_id: id }));
    expect(patch.note?.split('\n')).toEqual(['left out, too large: huge', 'left out, a repository of its own: own/']);
    await shell(id, 'rm huge');
    const made = await house.sessions.workspaceCalls['sessions.commit']({
      session_id: id,
      message: 'All of it',
      author: { name: 'Ada', email: 'ada@b' },
    });
    const bundle = await pull(await house.sessions.workspaceCalls['sessions.patch']({ session_id: id, format: 'bundle' }));
    const mails = await pull(await house.sessions.workspaceCalls['sessions.patch']({ session_id: id, format: 'commits' }));
    expect(await shell(id, 'ls /tmp/ran')).toContain('No such file');
    expect((await house.sessions.workspaceCalls['sessions.diff']({ session_id: id })).has_uncommitted).toBe(false);
    expect(await failure(house.sessions.workspaceCalls['sessions.commit']({ session_id: id, message: 'again' }))).toEqual([
      'invalid_request',
      false,
    ]);

    // In a clone, whose state is that of the beginning.
    const home = join(folder, `home-${kind}`);
    execFileSync('git', ['clone', '-q', source, home]);
    const inHome = (args: string[], input?: Buffer) =>
      execFileSync('git', ['-C', home, ...args], { input, env: { ...process.env, ...who } }).toString();
    inHome(['apply', '--check', '-'], patch.bytes);
    await writeFile(join(folder, 'x.bundle'), bundle.bytes);
    inHome(['fetch', '-q', join(folder, 'x.bundle'), branch]);
    expect(inHome(['log', '-1', '--format=%H %an %s', 'FETCH_HEAD']).trim()).toBe(`${made.commit} Ada All of it`);
    inHome(['am', '-q'], mails.bytes);
    expect(inHome(['diff', '--stat', 'HEAD', 'FETCH_HEAD'])).toBe('');
    await house.sessions.remove(id);
  });

  test('files go in and out whole, and a refusal says what to do; the person is told where a repository is not', {
    timeout: 60_000,
  }, async () => {
    const { workspaceCalls: calls } = house.sessions;
    const session = await launch(null);
    const { id } = session;
    expect([session.workspace_start?.kind, await shell(id, 'ls -A /workspace')]).toEqual(['folder', '']);
    await shell(
      id,
      'mkdir -p artifacts/deep && head -c 3000000 /dev/urandom >artifacts/deep/big && ln -s /etc artifacts/etc && mkfifo p && mkdir locked && sudo chown root locked',
    );
    const down = await calls['files.download']({ session_id: id, path: 'artifacts/deep/big' });
    const { bytes } = await pull(down);
    expect([down.name, down.size, bytes.length]).toEqual(['big', 3_000_000, 3_000_000]);

    const up = await calls['files.upload']({ session_id: id, path: '/workspace/', kind: 'file', name: 'back' });
    for (let at = 0; at < bytes.length; at += 500_000)
      await calls['transfers.write']({ transfer_id: up.id, data: bytes.subarray(at, at + 500_000).toString('base64') });
    expect(await shell(id, 'ls')).not.toContain('back');
    expect(await calls['transfers.finish']({ transfer_id: up.id })).toEqual({ path: '/workspace/back' });
    expect(await shell(id, 'cmp back artifacts/deep/big && ls -A | tr "\\n" " "')).toBe('artifacts back locked p ');

    expect(await calls['transfers.get']({ transfer_id: up.id })).toMatchObject({ moved: bytes.length, ended: true, note: null });

    const cut = await calls['files.upload']({ session_id: id, path: 'half', kind: 'file' });
    await calls['transfers.write']({ transfer_id: cut.id, data: 'aGFsZg==' });
    expect(await calls['transfers.get']({ transfer_id: cut.id })).toMatchObject({ moved: 4, ended: false });
    await calls['transfers.cancel']({ transfer_id: cut.id });
    expect(await failure((async () => await calls['transfers.get']({ transfer_id: cut.id }))())).toEqual(['not_found', true]);
    await expect.poll(() => shell(id, 'ls -A | tr "\\n" " "')).toBe('artifacts back locked p ');

    const { artifacts } = await calls['artifacts.list']({ session_id: id });
    expect(artifacts.map(({ name, kind: what, size }) => [name, what, size])).toEqual([
      ['etc', 'link', 4],
      ['deep/big', 'file', 3_000_000],
    ]);
    const tar = await pull(await calls['files.download']({ session_id: id, path: 'artifacts' }));
    expect(tar.bytes.includes('root:')).toBe(false);
    expect(
      await Promise.all(
        ['p', '/nowhere', 'locked/x'].map((path) =>
          failure(calls['files.write']({ session_id: id, path: path === 'p' ? 'locked' : path, content: 'x' })),
        ),
      ),
    ).toEqual([
      ['invalid_request', false],
      ['forbidden', true],
      ['forbidden', true],
    ]);
    expect(await failure(calls['files.read']({ session_id: id, path: 'p' }))).toEqual(['invalid_request', false]);
    expect(await failure(calls['files.list']({ session_id: id, path: 'none' }))).toEqual(['not_found', false]);
    expect((await calls['sessions.diff']({ session_id: id })).files.map(({ path }) => path)).toEqual([
      'artifacts/deep/big',
      'artifacts/etc',
      'back',
    ]);
    expect(await failure(calls['sessions.commit']({ session_id: id, message: 'x' }))).toEqual(['invalid_request', true]);
    await house.sessions.stop(id);
    expect(await failure(calls['files.list']({ session_id: id, path: '/' }))).toEqual(['session_not_running', true]);
    await house.sessions.remove(id);
  });

  test('what cannot be cloned, and large files without their program, are told with what to do; the session runs', {
    timeout: 60_000,
  }, async () => {
    const [lost, large, unknown] = await Promise.all([
      launch({ source: 'https://nowhere.invalid/x.git' }),
      launch({ lfs: true }),
      launch({ mode: 'worktree', branch: 'none' }),
    ]);
    expect(unknown.message).toMatch(/The branch sandlot\/shop-[\w-]+ was not made from none: .*'none'[\s\S]*Correct the branch/);
    expect(lost.message).toMatch(/nowhere\.invalid.*Could not resolve host[\s\S]*sandlot egress test/s);
    expect(large.message).toMatch(/git-lfs is not in this image[\s\S]*packages\.apt/);
    expect(
      [lost, large].map(({ status, steps, workspace_start }) => [
        status,
        steps.find(({ name }) => name === 'repository')?.status,
        workspace_start?.kind,
      ]),
    ).toEqual([
      ['running', 'failed', 'folder'],
      ['running', 'failed', 'repository'],
    ]);
    await Promise.all([lost, large, unknown].map(({ id }) => house.sessions.remove(id)));
  });
});
