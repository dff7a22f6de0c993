// Known secrets are used in every way that a session offers, and then hunted for everywhere: in the end they are nowhere but in the vault
// and, while it lives, in the session itself.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLeakHunt } from './support/leak-hunt.ts';
import { askRuntime, removeRealHost, until } from './support/real-host.ts';
import { openSecretHost, type SecretHost } from './support/secret-host.ts';
import { openTestRuntime } from './support/setup-house.ts';
import { testRuntimes } from './support/test-image.ts';

const secrets = {
  variable: 'var_Hunt4f9a/2c7d+1e==',
  file: '-----BEGIN PRIVATE KEY-----\nMIIEhunt/leak+AAAA==\nq8d7f6g5h4j3k2l1\n-----END PRIVATE KEY-----\n',
  rotated: '-----BEGIN PRIVATE KEY-----\nMIIErotated/leak+BBB==\nz9y8x7w6v5u4t3s2\n-----END PRIVATE KEY-----\n',
  own: 'own only "for" this & that 7311',
  ownFile: 'own-file-value-90210-xyz',
  token: 'ghx_repoTOKENhunt0123456789',
} as const;
// The first and last line of a key are the same in every key.

const everySpelling = [
  'for v in "$VARIABLE" "$(cat "$KEY_FILE")" "$OWN" "$(cat /run/secrets/OWN_KEY)"; do',
  'printf "%s\\n" "$v"; printf "%s\\n" "$v" >&2; printf %s "$v" | base64; printf "user:%s" "$v" | base64 -w0; echo',
  `printf '{"v":"%s"}\\n' "$(printf %s "$v" | sed 's/"/\\\\"/g')"`,
  `perl -e '$_ = shift; s/([^A-Za-z0-9_.~!*()\\x27-])/sprintf "%%%02X", ord $1/ge; print "$_\\n"' -- "$v"`,
  'printf %s "$v" | od -An -tx1 | tr -d " \\n"; echo',
  'done',
].join('\n');

/** Must be found in the image, so that a hunt which finds nothing else has looked. */
const decoy = 'decoy_in_image_5511';
// The first and last line of a key are the same in every key.
const hunt = createLeakHunt([decoy, ...Object.values(secrets).map((value) => value.replaceAll(/^-----.*$\n/gm, ''))]);

type Place = (typeof testRuntimes)[number];

/** The files of the container that are not its image's: what a commit puts into a layer. What it deleted is none. */
const changedFiles = async ({ socket }: Place, container: string): Promise<string[]> => {
  const changes = (await askRuntime(socket, 'GET', `/containers/${container}/changes`)) as { Path: string; Kind: number }[];
  const paths = changes.filter(({ Kind }) => Kind !== 2).map(({ Path }) => Path);
  return paths.filter((path) => !paths.some((other) => other.startsWith(`${path}/`)));
};

/** What a commit of the container keeps: its layer, history and configuration; and what is in the workspace. */
const inImageAndVolume = async (place: Place, container: string): Promise<string[]> => {
  const runtime = openTestRuntime(place);
  const tag = `sandlot-test/hunt:${container.slice(0, 12)}`;
  const found: string[] = [];
  try {
    const image = await runtime.commitContainer({ containerId: container, tag, changes: [] });
    for (const kind of ['json', 'history']) {
      found.push(...hunt.inText(`image ${kind}`, JSON.stringify(await askRuntime(place.socket, 'GET', `/images/${image}/${kind}`))));
    }
    for (const path of [...(await changedFiles(place, container)), '/workspace']) {
      found.push(...(await hunt.inStream(path, await runtime.getArchive(container, path))));
    }
    expect(found.filter((one) => one.includes(decoy))).toHaveLength(1);
    return found.filter((one) => !one.includes(decoy));
  } finally {
    await runtime.removeImage(tag, { force: true });
    runtime.close();
  }
};

describe.each(testRuntimes)('a host on $kind', (place) => {
  let house: SecretHost;
  beforeAll(async () => {
    house = await openSecretHost(place.kind);
    await house.set('VARIABLE', secrets.variable);
    await house.set('KEY', secrets.file);
    await house.set('GITHUB_TOKEN', secrets.token);
  });
  afterAll(() => removeRealHost(house.host()));

  test('secrets as variables and as files come in, change and go, and the hunt finds none of them', { timeout: 200_000 }, async () => {
    const environment = await house.create({
      ...{ secrets: ['VARIABLE', 'GITHUB_TOKEN'], secret_files: ['KEY'], env_vars: { A: '1' } },
      mcp_servers: { docs: { url: 'https://mcp.example.com', headers: { Authorization: 'Bearer ${VARIABLE}' } } },
      skills: [{ name: 'large', contents: 'x'.repeat(1_000_000) }],
      session_start: [{ name: 'print', run: `${everySpelling}\nexit 7` }],
      setup: { script: `echo "$VARIABLE"; cat /run/secrets/KEY; echo ${secrets.variable.slice(0, 3)}; false`, timeout_seconds: 30 },
    });
    const run = await house.setupRun(environment.id);
    expect(run.status).toBe('failed');
    await house.host().call('environments.update', { environment_id: environment.id, patch: { setup: null } });
    house.told.length = 0;
    const session = await house.launchWith({
      environment_id: environment.id,
      secrets: { OWN: secrets.own },
      secret_files: { OWN_KEY: secrets.ownFile },
    });
    const container = session.container_id ?? '';
    const over = () =>
      until(
        () => house.session(session.id),
        ({ start_script }) => start_script.status === 'failed',
        30_000,
      );
    const first = await over();
    expect(first.start_script).toMatchObject({ status: 'failed', exit_code: 7 });
    expect([session.secrets, session.secret_files]).toEqual([
      ['GITHUB_TOKEN', 'OWN', 'VARIABLE'],
      ['KEY', 'OWN_KEY'],
    ]);

    // They are where they are meant to be, for whom they are meant, and not writable.
    const inside =
      'stat -c "%n %U %a %s" "$KEY_FILE" "$OWN_KEY_FILE"; stat -f -c %T /run/secrets; echo "${#VARIABLE} ${#OWN} $A"; echo x >/run/secrets/X';
    expect((await house.shell(session.id, inside)).split('\n').slice(0, 4)).toEqual([
      `/run/secrets/KEY sandbox 400 ${secrets.file.length}`,
      `/run/secrets/OWN_KEY sandbox 400 ${secrets.ownFile.length}`,
      'tmpfs',
      `${secrets.variable.length} ${secrets.own.length} 1`,
    ]);
    const carried =
      'stat -c "%U %a %s" ~/.sandlot/skills/large/SKILL.md; readlink /workspace/.mcp.json; grep -c "Bearer ..VARIABLE" /workspace/.mcp.json';
    expect(await house.shell(session.id, carried)).toBe('root 444 1000000\n/home/sandbox/.sandlot/mcp.json\n1\n');

    // Used in every way, loudly.
    const printed = await house.shell(session.id, everySpelling);
    expect([printed.includes('***'), hunt.inText('exec', printed)]).toEqual([true, []]);
    const terminal = await house.openTerminal(session.id);
    await house.type(terminal, 'cat /run/secrets/*; env; echo "end$((1 + 1))"');
    expect(hunt.inText('terminal', await house.shows(terminal, /end2/))).toEqual([]);
    await house.shell(session.id, `: ${secrets.own}; printf 'decoy%s' _in_image_5511 >~/decoy; exit 3`);
    const again = await house.host().call('sessions.retry_start_script', { session_id: session.id });
    const failed = await over();
    expect([again.start_script.status, failed.start_script.exit_code]).toEqual(['running', 7]);
    expect(hunt.inText('start script', await house.host().text(failed.start_script.stream_id ?? ''))).toEqual([]);

    // A new value is in the file at once, and there again after a stop; the file system in memory is all that held it.
    await house.set('KEY', secrets.rotated);
    const size = async () => await house.shell(session.id, 'stat -c %s /run/secrets/KEY');
    expect(await until(size, (now) => now === `${secrets.rotated.length}\n`, 15_000)).toBe(`${secrets.rotated.length}\n`);
    await house.host().call('sessions.restart', { session_id: session.id });
    expect(await size()).toBe(`${secrets.rotated.length}\n`);

    // The hunt.
    const ask = (path: string) => askRuntime(place.socket, 'GET', path);
    const inspected = (await ask(`/containers/${container}/json`)) as { ExecIDs?: string[] | null };
    const execs = await Promise.all((inspected.ExecIDs ?? []).map((id) => ask(`/exec/${id}/json`)));
    expect([
      ...(await inImageAndVolume(place, container)),
      ...hunt.inText('inspect', JSON.stringify([inspected, execs, await ask(`/containers/${container}/top`)])),
      ...house.told.flatMap((message) => hunt.inText('event', message)),
      ...(await hunt.inFolder(house.host().folder)),
      ...(await hunt.inProcesses((line) => line.includes('headless') || line.includes(container))),
    ]).toEqual([]);
    await house.remove(session.id);
    expect(await ask(`/volumes/${session.volume}`)).toMatchObject({ message: expect.stringContaining(session.volume) });
  });
});
