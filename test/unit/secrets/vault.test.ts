import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../sandbox-engine/base/clock.ts';
import { SandlotError } from '../../../sandbox-engine/base/errors.ts';
import { createVault } from '../../../sandbox-engine/secrets/vault.ts';
import type { KeyProtector } from '../../../sandbox-engine/secrets/vault-key.ts';

const value = 'tok_4f9a2c7d1e';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sandlot-vault-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const vault = (protector?: KeyProtector) => createVault({ folder, clock: systemClock, ...(protector === undefined ? {} : { protector }) });
const namesIn = async (one: ReturnType<typeof vault>) => (await one.read()).secrets.map(({ name }) => name);

/** The code of what is thrown, and the thing it names. */
const refusal = async (work: Promise<unknown>) => {
  const thrown = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(thrown instanceof SandlotError)) throw new Error(`not refused: ${String(thrown)}`);
  return thrown;
};

describe('values', () => {
  test('come back whole from another vault over the same folder, with versions and times', async () => {
    const odd = `line\n"é✓"\r\n${'x'.repeat(60_000)}`;
    await vault().set('TOKEN', 'first one');
    await vault().set('TOKEN', value);
    await vault().set('ODD', odd);
    const { secrets, retired } = await vault().read();
    expect(secrets.map(({ name, value: kept, version }) => [name, kept, version])).toEqual([
      ['ODD', odd, 1],
      ['TOKEN', value, 2],
    ]);
    expect(secrets[1]?.created_at.endsWith('Z')).toBe(true);
    expect(retired.map((one) => [one.name, one.value])).toEqual([['TOKEN', 'first one']]);
  });

  test('are in no file as they are, nor as base64, and the files are for the owner only', async () => {
    await vault().set('TOKEN', value);
    for (const name of await readdir(folder)) {
      const bytes = await readFile(join(folder, name));
      expect([name, bytes.includes(value), bytes.includes(Buffer.from(value).toString('base64').slice(0, 16))]).toEqual([
        name,
        false,
        false,
      ]);
      expect([name, ((await stat(join(folder, name))).mode & 0o777).toString(8)]).toEqual([name, '600']);
    }
    expect((await readdir(folder)).sort()).toEqual(['secrets.key', 'secrets.vault']);
  });

  test('a folder where nothing was set gets no file by being read', async () => {
    expect([await namesIn(vault()), await vault().protection(), await readdir(folder)]).toEqual([[], null, []]);
  });

  test('a deleted one is gone for good once no sandbox can hold it', async () => {
    const one = vault();
    await one.set('TOKEN', value);
    await one.remove('TOKEN');
    expect(await namesIn(one)).toEqual([]);
    await one.forget({ isSessionAlive: () => true, isHeld: () => true });
    expect((await vault().read()).retired).toHaveLength(1);
    await one.forget({ isSessionAlive: () => true, isHeld: () => false });
    expect((await vault().read()).retired).toEqual([]);
  });

  test('those of a session go with it', async () => {
    const one = vault();
    await one.giveToSession('ses_a', { ONCE: value });
    await one.giveToSession('ses_b', { ONCE: 'another value' });
    await one.forget({ isSessionAlive: (id) => id === 'ses_b', isHeld: () => true });
    expect((await vault().read()).of_sessions).toEqual([{ session_id: 'ses_b', name: 'ONCE', value: 'another value' }]);
  });

  test.each([
    ['1TOKEN', 'x', 'invalid_request', '/name'],
    ['TO-KEN', 'x', 'invalid_request', '/name'],
    ['', 'x', 'invalid_request', '/name'],
    ['PATH', 'x', 'invalid_request', '/name'],
    ['SANDLOT_EXEC', 'x', 'invalid_request', '/name'],
    ['UID', 'x', 'invalid_request', '/name'],
    ['_', 'x', 'invalid_request', '/name'],
    ['T', '', 'invalid_request', '/value'],
    ['T', '   \n', 'invalid_request', '/value'],
    ['T', `${value}\0`, 'invalid_request', '/value'],
    ['T', 'é'.repeat(32_769), 'too_large', '/value'],
  ])('name %j with its value is refused as %s %s', async (name, given, code, path) => {
    const thrown = await refusal(vault().set(name, given));
    expect([thrown.code, thrown.details['path'], thrown.message.includes(value)]).toEqual([code, path, false]);
  });

  test('exactly 64 KiB is taken', async () => {
    expect((await vault().set('T', 'é'.repeat(32_768))).version).toBe(1);
  });

  test('a secret that is not there is not deleted silently', async () => {
    expect((await refusal(vault().remove('TOKEN'))).code).toBe('not_found');
  });
});

describe('writing', () => {
  test('twenty changes at once all arrive', async () => {
    const one = vault();
    const names = Array.from({ length: 20 }, (_, index) => `S${String(index).padStart(2, '0')}`);
    await Promise.all(names.map((name) => one.set(name, `${value}${name}`)));
    await Promise.all(names.slice(0, 10).map((name) => one.remove(name)));
    expect(await namesIn(vault())).toEqual(names.slice(10));
  });

  test('a host that is killed at any moment leaves a vault that can be read, with all that was answered', async () => {
    const writer = fileURLToPath(new URL('./vault-writer-process.ts', import.meta.url));
    for (const answers of [1, 2, 5, 12]) {
      const child = spawn(process.execPath, ['--import', 'tsx', writer, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
      let said = '';
      child.stdout.on('data', (data) => {
        said += String(data);
      });
      const exited = once(child, 'exit');
      await expect.poll(() => said.split('\n').length, { timeout: 20_000, interval: 1 }).toBeGreaterThan(answers);
      child.kill('SIGKILL');
      await exited;
      const answered = Number(said.trimEnd().split('\n').at(-1));
      const kept = (await vault().read()).secrets.find(({ name }) => name === 'COUNT');
      expect(Number(kept?.value.replace('value ', ''))).toBeGreaterThanOrEqual(answered);
      expect((await readdir(folder)).sort()).toEqual(['secrets.key', 'secrets.vault']);
    }
  });

  test('a change that cannot be written changes nothing, in memory neither', async () => {
    const one = vault();
    await one.set('TOKEN', value);
    // A folder in the place of the file: renaming over it fails for every user, root too.
    await rm(join(folder, 'secrets.vault'));
    await copyFile(join(folder, 'secrets.key'), join(folder, 'kept.key'));
    await mkdir(join(folder, 'secrets.vault', 'x'), { recursive: true });
    await refusal(one.set('TOKEN', 'another value'));
    expect((await one.read()).secrets.map((entry) => entry.value)).toEqual([value]);
  });
});

describe('damage', () => {
  const file = (name: string) => join(folder, name);
  test.each<[string, () => Promise<void>]>([
    ['cut to half', async () => truncate(file('secrets.vault'), 60)],
    ['empty', async () => truncate(file('secrets.vault'), 0)],
    ['overwritten at its beginning', async () => writeFile(file('secrets.vault'), 'garbage', { flag: 'r+' })],
    [
      'changed in one character of what is sealed',
      async () => {
        const sealed = JSON.parse(await readFile(file('secrets.vault'), 'utf8')) as { sealed: string };
        sealed.sealed = (sealed.sealed.startsWith('A') ? 'B' : 'A') + sealed.sealed.slice(1);
        await writeFile(file('secrets.vault'), JSON.stringify(sealed));
      },
    ],
    ['gone', async () => rm(file('secrets.vault'))],
    ['without its key', async () => rm(file('secrets.key'))],
    [
      'beside the key of another',
      async () => {
        await rm(file('secrets.key'));
        const other = await mkdtemp(join(tmpdir(), 'sandlot-vault-'));
        await createVault({ folder: other, clock: systemClock }).set('X', value);
        await copyFile(join(other, 'secrets.key'), file('secrets.key'));
        await rm(other, { recursive: true });
      },
    ],
    ['beside a broken key', async () => writeFile(file('secrets.key'), '{')],
  ])('a vault that is %s says so, takes nothing, and is never an empty one', async (_, harm) => {
    await vault().set('TOKEN', value);
    await harm();
    const before = (await readdir(folder)).sort();
    const one = vault();
    expect((await refusal(one.read())).code).toBe('secrets_damaged');
    expect((await refusal(one.set('TOKEN', value))).code).toBe('secrets_damaged');
    expect((await readdir(folder)).sort()).toEqual(before);
    const kept = await one.reset();
    await one.set('TOKEN', 'set again');
    expect((await vault().read()).secrets.map((entry) => entry.value)).toEqual(['set again']);
    expect(kept.startsWith(file('secrets.vault.damaged-'))).toBe(true);
  });

  test('the file that is missing is the one that is named', async () => {
    await vault().set('TOKEN', value);
    await rm(file('secrets.key'));
    expect((await refusal(vault().read())).message).toMatch(/secrets\.key is missing/);
  });

  test('a file that was put back is read again by the same vault', async () => {
    await vault().set('TOKEN', value);
    const good = await readFile(file('secrets.vault'));
    await truncate(file('secrets.vault'), 10);
    const one = vault();
    await refusal(one.read());
    await writeFile(file('secrets.vault'), good);
    expect(await namesIn(one)).toEqual(['TOKEN']);
  });

  test('a vault in order is not put aside', async () => {
    const one = vault();
    await one.set('TOKEN', value);
    expect((await refusal(one.reset())).code).toBe('invalid_request');
    expect(await namesIn(vault())).toEqual(['TOKEN']);
  });

  test('a host that died between key and vault begins an empty one', async () => {
    await vault().set('TOKEN', value);
    const key = JSON.parse(await readFile(file('secrets.key'), 'utf8')) as object;
    await writeFile(file('secrets.key'), JSON.stringify({ ...key, is_used: false }));
    await rm(file('secrets.vault'));
    expect(await namesIn(vault())).toEqual([]);
  });
});

describe('a keychain', () => {
  /** Stands where the operating system does: turns the bytes round. */
  const keychain = (isOpen = true): KeyProtector => ({
    isAvailable: () => isOpen,
    protect: async (key) => Buffer.from(key.toString('hex').split('').reverse().join('')),
    unprotect: async (wrapped) => Buffer.from(wrapped.toString().split('').reverse().join(''), 'hex'),
  });

  test('wraps the key, and no other host can read the secrets then', async () => {
    await vault(keychain()).set('TOKEN', value);
    expect(await vault(keychain()).protection()).toBe('keychain');
    expect(await namesIn(vault(keychain()))).toEqual(['TOKEN']);
    const thrown = await refusal(vault().read());
    expect([thrown.code, thrown.nextAction?.includes('desktop app')]).toEqual(['secrets_locked', true]);
    expect((await refusal(vault(keychain(false)).set('TOKEN', 'other value'))).code).toBe('secrets_locked');
    expect((await refusal(vault().reset())).code).toBe('invalid_request');
  });

  test('that is not there leaves the key to a file', async () => {
    await vault(keychain(false)).set('TOKEN', value);
    expect([await vault().protection(), await namesIn(vault(keychain()))]).toEqual(['key_file', ['TOKEN']]);
  });
});
