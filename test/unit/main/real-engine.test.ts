// The real engine behind a real host process, without compute: what is refused, waited for, damaged, restored, and when.
import { spawn } from 'node:child_process';
import { cp, mkdir, open, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../../sandbox-engine/registry/database.ts';
import { programArgs } from '../../runtime/support/program.ts';
import { newFolder, type RealHost, startRealHost } from '../../runtime/support/real-host.ts';
import { createHere as create, hostHere } from './host-here.ts';

const slow = { timeout: 60_000 };

const unknownStream = (folder: string) => join(folder, 'streams', 'str_00000000000000000000000000');

const bomb = Array.from(
  { length: 10 },
  (_, n) =>
    `a${n}: &a${n} [${Array(10)
      .fill(n === 0 ? 'x' : `*a${n - 1}`)
      .join(', ')}]\n`,
).join('');

describe('one host', () => {
  let host: RealHost;
  beforeAll(async () => {
    const folder = await newFolder();
    await mkdir(unknownStream(folder), { recursive: true });
    host = await startRealHost({ folder });
  }, 60_000);
  afterAll(async () => {
    await host.shutdown();
    await rm(host.folder, { recursive: true, force: true });
  });

  test.each<[string, string, RegExp]>([
    ['a value that is missing', 'base: python\nenv:\n  A: 1\n  NOTHING:\n', /^4:.*env\.NOTHING has no value/],
    ['a key given twice', 'base: python\nenv:\n  A: "1"\nbase: node\n', /^4:1/],
    ['a second document', 'base: python\n---\nbase: node\n', /more than one document/],
    ['a tab', 'initialize:\n\t- run: x\nbase: python\n', /^2:.*tab/],
    ['a merge of itself', 'base: python\nenv: &e {<<: *e}\n', /./],
    ['a name with a blank', 'base: python\nenv:\n  "A B": x\n', /A B/],
    ['a name that begins with a digit', 'base: python\nenv:\n  1X: x\n', /1X/],
    ['a name with an equals sign', 'base: python\nenv:\n  "X=Y": x\n', /X=Y/],
    ['a name that is a command', 'base: python\nenv:\n  "X;touch /tmp/pwn": x\n', /X;touch/],
    ['an empty name', 'base: python\nenv:\n  "": x\n', /./],
    ['an alias bomb', `${bomb}base: python\n`, /./],
  ])('Y-02, Y-03, E-02: %s is refused, named, and changes nothing', async (name, recipe_yaml, message) => {
    const before = await create(host, name);
    const began = performance.now();
    const refusal = await host.refusal('environments.update', { environment_id: before.id, patch: { recipe_yaml } });
    expect(performance.now() - began).toBeLessThan(1_000);
    const problems = refusal.details['problems'] as { line: number; column: number; message: string }[];
    const said = problems.map((one) => `${one.line}:${one.column}: ${one.message}`).join('\n');
    expect([refusal.code, said]).toEqual(['recipe_invalid', expect.stringMatching(message)]);
    const after = await host.call('environments.get', { environment_id: before.id });
    expect([after.recipe_yaml, after.updated_at]).toEqual([before.recipe_yaml, before.updated_at]);
    expect((await host.call('builds.list', { environment_id: before.id })).builds).toEqual([]);
  });

  test('streams that nothing points at were removed at the start', async () => {
    await expect(stat(unknownStream(host.folder))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('a file changes what it names; access needs proof of what was seen, and the runtime stays', async () => {
    const { id, network_policy, privileged, runtime } = await create(host, 'file', { metadata: { a: '1' } });
    const contents = 'base: node # new\nnetwork_policy: {}\nsetup:\n  script: echo x\nmetadata: {b: "2"}\n';
    const asked = { environment_id: id, contents };
    expect((await host.refusal('environments.update_from_file', asked)).code).toBe('precondition_required');
    const changed = await host.call('environments.update_from_file', { ...asked, expected_access: { network_policy, privileged } });
    expect(changed).toMatchObject({ ...{ name: 'file', recipe_yaml: 'base: node # new\n', network_policy: {}, runtime } });
    expect([changed.setup?.script, changed.metadata]).toEqual(['echo x', { a: '1', b: '2' }]);
    const refusal = await host.refusal('environments.update_from_file', { ...asked, contents: 'runtime: elsewhere\n' });
    expect([refusal.code, refusal.message]).toEqual(['invalid_request', expect.stringContaining('the runtime is fixed')]);
  });

  test('Q-01: a lock of two seconds is waited for, a longer one is told within ten, and the next try saves', slow, async () => {
    const { id: environment_id } = await create(host, 'locked');
    const update = (description: string) => host.client.call('environments.update', { environment_id, patch: { description } });
    const lock = async (ms: number) => {
      const other = await openDatabase(join(host.folder, 'registry.db'));
      await other.exec('BEGIN EXCLUSIVE');
      const over = new Promise<void>((resolve) => setTimeout(resolve, ms)).then(() => other.exec('ROLLBACK')).then(() => other.close());
      return over;
    };
    const short = lock(2_000);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await update('one')).toMatchObject({ ok: true, value: { description: 'one' } });
    await short;
    const long = lock(12_000);
    await new Promise((resolve) => setTimeout(resolve, 200));
    const began = performance.now();
    expect(await update('two')).toMatchObject({
      ok: false,
      error: { code: 'registry_locked', message: expect.stringContaining('in use') },
    });
    expect(performance.now() - began).toBeLessThan(10_000);
    await long;
    expect(await update('two')).toMatchObject({ ok: true, value: { description: 'two' } });
  });

  test('Q-01: a second start joins the first: it prints a fresh link and ends with 0', slow, async () => {
    const child = spawn(process.execPath, programArgs('headless'), { env: { ...process.env, SANDLOT_HOME: host.folder } });
    let said = '';
    child.stdout.on('data', (data) => {
      said += String(data);
    });
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect([code, said]).toEqual([0, expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/\S+\n$/)]);
    expect((await host.call('app.snapshot', {})).registry.status).toBe('ok');
  });
});

describe('a damaged registry', () => {
  let template: string;
  beforeAll(async () => {
    const first = await startRealHost();
    template = first.folder;
    for (let number = 0; number < 30; number += 1) await create(first, `kept ${number}`, { description: 'x'.repeat(2_000) });
    await first.shutdown();
    await (await startRealHost({ folder: template })).shutdown();
    await mkdir(unknownStream(template), { recursive: true });
  }, 60_000);
  afterAll(() => rm(template, { recursive: true }));

  test.each<[string, (file: string) => Promise<void>]>([
    [
      'its first 100 bytes are overwritten',
      async (file) => {
        const handle = await open(file, 'r+');
        await handle.write(Buffer.alloc(100, 0x41), 0, 100, 0);
        await handle.close();
      },
    ],
    ['it is cut to half', async (file) => await truncate(file, Math.floor((await stat(file)).size / 2))],
    ['the -wal file of something else lies beside it', async (file) => await writeFile(`${file}-wal`, Buffer.alloc(32_768, 0x37))],
  ])(
    'Q-02: a host starts although of its registry %s; nothing is lost, also no log, and the backup brings all back',
    slow,
    async (_name, damage) => {
      const folder = await newFolder();
      await cp(template, folder, { recursive: true });
      await damage(join(folder, 'registry.db'));
      const host = await hostHere({ folder });
      const { registry, environments_total } = await host.call('app.snapshot', {});
      // SQLite itself ignores a log that does not belong to the file: then nothing was damaged.
      if (registry.status === 'ok') return void expect(environments_total).toBe(30);
      expect([registry.status, environments_total, registry.message]).toEqual([
        'damaged',
        0,
        expect.stringContaining(registry.kept_aside ?? '-'),
      ]);
      expect((await stat(registry.kept_aside ?? '')).size).toBeGreaterThan(0);
      expect((await stat(unknownStream(folder))).isDirectory()).toBe(true);
      const restored = await host.call('registry.restore', { path: registry.backups[0]?.path ?? '' });
      expect([restored.status, (await host.call('environments.list', {})).total]).toEqual(['recovered', 30]);
    },
  );
});

test.each(['America/New_York', 'Asia/Kolkata'])('Z-01: in %s times are UTC, now, and sort by instant', slow, async (TZ) => {
  const host = await hostHere({ env: { TZ } });
  const made = [];
  for (const name of ['first', 'second', 'third']) made.push(await create(host, name));
  const { environments } = await host.call('environments.list', {});
  expect(environments.map(({ name }) => name)).toEqual(['third', 'second', 'first']);
  for (const one of [...environments, await host.call('environments.get', { environment_id: made[0]?.id ?? '' })]) {
    for (const at of [one.created_at, one.updated_at]) {
      expect(at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(Math.abs(Date.now() - Date.parse(at))).toBeLessThan(10_000);
    }
  }
});
