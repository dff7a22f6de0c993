// Secrets that one session alone was given: they go on with it when its environment asks for them, and with nobody else.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../../sandbox-engine/base/clock.ts';
import { createSecretKeeper, type SecretKeeper } from '../../../sandbox-engine/engine/secret-keeper.ts';
import { openRegistry } from '../../../sandbox-engine/registry/open-registry.ts';
import { createVault } from '../../../sandbox-engine/secrets/vault.ts';
import { createRedactor } from '../../../sandbox-engine/stream/redact.ts';
import { anEnvironment } from '../../runtime/support/session-house.ts';

let folder: string;
let registry: Awaited<ReturnType<typeof openRegistry>>;
let keeper: SecretKeeper;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sandlot-own-'));
  registry = await openRegistry({ folder, clock: systemClock });
  const vault = createVault({ folder, clock: systemClock });
  keeper = createSecretKeeper({ vault, redactor: createRedactor(), registry, clock: systemClock, knowsAllSessions: () => true });
});
afterEach(async () => {
  await registry.close();
  await rm(folder, { recursive: true, force: true });
});

const one = { id: 'ses_1', secrets: ['ONCE'], secret_files: ['KEY'] };

test('are found again in the forms in which the session has them, and satisfy an environment that names them', async () => {
  await keeper.keep('ses_1', { ONCE: 'value of once', KEY: 'value of key' });
  await keeper.keep('ses_2', { OTHER: 'of another one' });
  const own = await keeper.ownOf(one);
  expect(own).toEqual({ secrets: { ONCE: 'value of once' }, files: { KEY: 'value of key' } });
  const asks = anEnvironment({ secrets: ['ONCE'] });
  expect(await keeper.namesFor(asks, own)).toEqual({ names: ['ONCE'], files: ['KEY'] });
  // It is also said of a session that runs, so it does not say what became of one.
  const said = `"${asks.name}" needs a secret that is not set here: ONCE.`;
  const refused = keeper.namesFor(asks, await keeper.ownOf({ ...one, id: 'ses_2' }));
  await expect(refused).rejects.toMatchObject({ code: 'secret_missing', message: said });
});

test('a session without secrets goes on without the vault', async () => {
  await writeFile(join(folder, 'secrets.vault'), 'damaged');
  expect(await keeper.ownOf({ id: 'ses_1', secrets: [], secret_files: [] })).toEqual({ secrets: {}, files: {} });
  await expect(keeper.ownOf(one)).rejects.toMatchObject({ code: 'secrets_damaged' });
});
