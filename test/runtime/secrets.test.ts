// Secrets through a real host: sandboxes get them, and nothing that is stored, told or inspected holds them.
import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askRuntime, removeRealHost, until } from './support/real-host.ts';
import { leakAfterCommit, leakIn, leaksInFolder, openSecretHost, type SecretHost, values } from './support/secret-host.ts';
import { testRuntimes } from './support/test-image.ts';

const { token, dressed, rotated, own } = values;

describe.each(testRuntimes)('a host on $kind', (place) => {
  let house: SecretHost;
  beforeAll(async () => {
    house = await openSecretHost(place.kind);
    await house.set('TOKEN', token);
    await house.set('DRESSED', dressed);
  });
  afterAll(() => removeRealHost(house.host()));

  test('C-01 and C-02: a failing setup run shows no secret in lines, markers, tail, command or events', { timeout: 200_000 }, async () => {
    const script = [
      "printf 'tok_4f9a'; sleep 1; printf '2c7d1e\\n'",
      "printf 'tok_4f9a\\n'",
      'd=s3cr3t/+Val; d="${d}ue=="',
      'echo "$d"; echo "$d" | base64; printf "user:%s" "$d" | base64 -w0; echo; echo "{\\"p\\":\\"$d\\"}" >&2; echo Value',
      'perl -e \'$_ = shift; s/([^A-Za-z0-9])/sprintf "%%%02X", ord $1/ge; print "https://user:$_\\@host\\n"\' "$d"',
      `echo "${token}" >&2; false`,
    ].join('\n');
    const environment = await house.create({ setup: { script, timeout_seconds: 60 }, secrets: ['TOKEN'] });
    house.told.length = 0;
    const { script: typed, ...run } = await house.setupRun(environment.id);
    const { lines } = await house.host().call('setup_runs.logs', { setup_run_id: run.id, limit: 2000 });
    const texts = lines.map(({ stream, text }) => `${stream} ${text}`);
    expect([run.status, run.failed_line, run.failed_command]).toEqual(['failed', 6, 'false']);
    const wanted = ['stdout ***', 'stdout tok_4f9a', 'stdout Value', 'stderr {"p":"***"}', 'stdout https://user:***@host'];
    expect(texts).toEqual(expect.arrayContaining([...wanted, 'stderr ***', 'marker echo "***" >&2; false']));
    expect(run.stderr_tail).toContain('***');
    // The script itself is the person's own text, and told as such.
    const messages = house.told.map((message) => message.replaceAll(JSON.stringify(typed).slice(1, -1), ''));
    expect([JSON.stringify(run), JSON.stringify(lines), ...messages].map(leakIn).filter(Boolean)).toEqual([]);
  });

  test('a session is given its secrets, and neither the runtime nor anything told holds one', { timeout: 300_000 }, async () => {
    const environment = await house.create({
      ...{ secrets: ['TOKEN', 'DRESSED'], env_vars: { A: '1' } },
      session_start: [{ name: 'show', run: 'echo "start ${#TOKEN} $TOKEN"; printf tok_4f9a; sleep 1; echo 2c7d1e' }],
    });
    house.told.length = 0;
    const launched = await house.launch(environment.id, { ONCE: own });
    expect(launched.secrets).toEqual(['DRESSED', 'ONCE', 'TOKEN']);
    const out = await house.shell(launched.id, 'echo "${#TOKEN} ${#DRESSED} ${#ONCE} $A"; env; echo "$DRESSED" | base64; echo "$ONCE" >&2');
    expect(out).toContain(`${token.length} ${dressed.length} ${own.length} 1`);
    const terminal = await house.openTerminal(launched.id);
    await house.type(terminal, 'echo "t${#ONCE}t $TOKEN"; printf tok_4f9a; sleep 1; printf "2c7d1e\\nend%s\\n" 1');
    expect(await house.shows(terminal, /end1/)).toContain(`t${own.length}t ***`);
    const { start_script } = await until(
      () => house.session(launched.id),
      (now) => now.start_script.status !== 'running',
      30_000,
    );
    expect(await house.host().text(start_script.stream_id ?? '')).toContain(`start ${token.length} ***`);

    const container = launched.container_id ?? '';
    const ask = (path: string) => askRuntime(place.socket, 'GET', path);
    const inspected = (await ask(`/containers/${container}/json`)) as { ExecIDs?: string[] | null; Config: { Env: string[] } };
    const execs = await Promise.all((inspected.ExecIDs ?? []).map((id) => ask(`/exec/${id}/json`)));
    expect(inspected.Config.Env).toContain('A=1');
    expect(leakIn(JSON.stringify([inspected, execs, await ask(`/containers/${container}/top`)]))).toBeNull();
    // A command line is kept with the command here, so it is masked too.
    await house.shell(launched.id, `: ${token}`);
    expect(house.told.map(leakIn).filter(Boolean)).toEqual([]);

    expect(await leakAfterCommit(place, container)).toBeNull();
    await house.remove(launched.id);
  });

  test('a secret that is not set refuses the launch and says what to do; nothing is made', { timeout: 60_000 }, async () => {
    const environment = await house.create({ name: 'missing', secrets: ['TOKEN', 'NEVER_SET'] });
    const refused = await house.host().refusal('sessions.launch', { environment_id: environment.id });
    expect([refused.code, refused.details['missing']]).toEqual(['secret_missing', ['NEVER_SET']]);
    expect(refused.next_action).toContain('sandlot secret set NEVER_SET');
    expect((await house.host().call('sessions.list', { environment_id: environment.id })).sessions).toEqual([]);
    const { missing } = await house.host().call('secrets.list', {});
    expect(missing).toEqual([{ name: 'NEVER_SET', environments: [{ id: environment.id, name: 'missing' }] }]);
    const { id: session_id } = await house.launch(environment.id, { NEVER_SET: own });
    // What it alone was given is neither missed nor lost when its sandbox is replaced or given something.
    expect(await house.host().call('sessions.drift', { session_id })).toMatchObject({ to_apply: [], to_replace: [], problem: null });
    await house.host().call('sessions.apply', { session_id });
    await house.host().call('sessions.replace', { session_id });
    expect(await house.shell(session_id, 'echo ${#NEVER_SET}')).toBe(`${own.length}\n`);
    await house.remove(session_id);
  });

  test('a new value reaches the next terminal; the old one stays masked where it still is, also after a crash of the host', {
    timeout: 200_000,
  }, async () => {
    const environment = await house.create({ secrets: ['TOKEN'] });
    const launched = await house.launch(environment.id, { ONCE: own });
    const before = await house.openTerminal(launched.id);
    await house.type(before, 'echo "a${#TOKEN}a"');
    await house.shows(before, new RegExp(`a${token.length}a`));
    await house.set('TOKEN', rotated);
    const after = await house.openTerminal(launched.id);
    await house.type(after, 'echo "b${#TOKEN}b"');
    await house.shows(after, new RegExp(`b${rotated.length}b`));
    await house.type(before, 'echo "old $TOKEN c${#TOKEN}c"');
    expect(await house.shows(before, new RegExp(`c${token.length}c`))).toContain('old *** c');

    await house.host().kill();
    await house.restart();
    await house.shows(before, /was not connected/);
    await house.type(before, 'echo "still $TOKEN $ONCE d1"');
    expect(await house.shows(before, /still \S+ \S+ d1\r/)).toContain('still *** *** d1');
    expect(await house.shell(launched.id, 'echo ${#TOKEN} ${#ONCE}')).toBe(`${rotated.length} ${own.length}\n`);

    const { uses } = await house.host().call('secrets.ledger', { session_id: launched.id });
    const counted = uses.map(({ name, version, times }) => `${name} ${version === null ? 'own' : 'stored'} ${times}`);
    expect(counted.sort()).toEqual(['ONCE own 3', 'TOKEN stored 1', 'TOKEN stored 2']);
    await house.host().call('secrets.delete', { name: 'TOKEN' });
    expect(await house.shows(await house.openTerminal(launched.id), /TOKEN/)).toContain('The secret TOKEN is not set any more');
    const said = await house.host().call('execs.start', { session_id: launched.id, command: ['true'] });
    expect(said.note).toBe('The secret TOKEN is not set any more and not in here. Set it again: sandlot secret set TOKEN');
    await house.remove(launched.id);
    await house.set('TOKEN', token);
  });

  test('a damaged vault says so, starts no session that needs it, and is kept aside when one begins anew', {
    timeout: 120_000,
  }, async () => {
    const needs = await house.create({ name: 'needs', secrets: ['TOKEN'] });
    await house.host().kill();
    await truncate(join(house.host().folder, 'secrets.vault'), 100);
    await house.restart();
    const { refusal, call } = house.host();
    const codes = [
      (await refusal('secrets.list', {})).code,
      (await refusal('secrets.set', { name: 'TOKEN', value: token })).code,
      (await refusal('sessions.launch', { environment_id: needs.id })).code,
    ];
    expect(codes).toEqual(['secrets_damaged', 'secrets_damaged', 'secrets_damaged']);
    expect((await call('app.doctor', {})).checks.find(({ name }) => name === 'secrets')?.status).toBe('failed');
    const free = await house.launch((await house.create({ name: 'free' })).id);
    expect(await house.shell(free.id, 'echo works')).toBe('works\n');
    expect((await call('secrets.reset', {})).kept_aside).toContain('secrets.vault.damaged-');
    await house.set('TOKEN', token);
    expect((await call('secrets.list', {})).secrets.map(({ name, version }) => [name, version])).toEqual([['TOKEN', 1]]);
  });

  test('after all this no file of the data folder holds a secret, but for the script in which a person wrote it', async () => {
    const isTyped = (leak: string) => leak.includes('>&2; false') || leak.includes(`echo \\"${token}`);
    expect((await leaksInFolder(house.host().folder)).filter((leak) => !isTyped(leak))).toEqual([]);
  });
});
