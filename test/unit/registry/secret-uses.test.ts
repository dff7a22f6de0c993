import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Session } from '../../../sandbox-engine/contract/model.ts';
import { openDatabase } from '../../../sandbox-engine/registry/database.ts';
import { exampleEnvironment } from './example-environment.ts';
import { openHere, temporaryFolder } from './temporary-folder.ts';

const at = (second: number): string => `2026-11-29T10:00:${String(second).padStart(2, '0')}.000Z`;
const session = (name: string) => `ses_${name.padEnd(26, '0')}`;
const environment = { environment_id: `env_${'1'.repeat(26)}`, environment_name: 'web' };
const use = (name: string, version: number | null, of: string) => ({
  ...{ name, version, session_id: session(of), session_name: of },
  ...environment,
});

test('one line a secret, value and session; later uses are counted in it, an older one moves no time back', async () => {
  const { secretUses } = await openHere(await temporaryFolder());
  await secretUses.note([use('TOKEN', 1, 'a'), use('ONCE', null, 'a')], at(1));
  await secretUses.note([use('TOKEN', 1, 'a')], at(3));
  await secretUses.note([use('TOKEN', 1, 'a')], at(2));
  await secretUses.note([use('TOKEN', 2, 'a'), use('TOKEN', 2, 'b')], at(4));
  const uses = await secretUses.list({ limit: 10 });
  expect(uses.map((one) => [one.name, one.version, one.session_name, one.first_at, one.last_at, one.times])).toEqual([
    ['TOKEN', 2, 'b', at(4), at(4), 1],
    ['TOKEN', 2, 'a', at(4), at(4), 1],
    ['TOKEN', 1, 'a', at(1), at(3), 3],
    ['ONCE', null, 'a', at(1), at(1), 1],
  ]);
  expect((await secretUses.list({ limit: 10, name: 'TOKEN', sessionId: session('b') })).map((one) => one.version)).toEqual([2]);
  expect((await secretUses.list({ limit: 1 })).length).toBe(1);
  expect(await secretUses.lastUses()).toEqual(new Map([['TOKEN', at(4)]]));
});

test('a session is told by the name that it has now, and by its last one when it is gone', async () => {
  const { secretUses, sessions } = await openHere(await temporaryFolder());
  await secretUses.note([use('TOKEN', 1, 'net'), use('TOKEN', 1, 'gone')], at(1));
  await sessions.save({ id: session('net'), ...environment, created_at: at(1), name: 'renamed' } as Session);
  expect((await secretUses.list({ limit: 10 })).map((one) => one.session_name).sort()).toEqual(['gone', 'renamed']);
});

test('the environments that name a secret are found, with its name in quotes and all', async () => {
  const registry = await openHere(await temporaryFolder());
  const first = await registry.environments.insert(
    exampleEnvironment(1, { name: 'b "x"', secrets: ['TOKEN'], secret_files: ['KEY', 'TOKEN'] }),
  );
  const second = await registry.environments.insert(exampleEnvironment(2, { name: 'a', secrets: ['TOKEN'] }));
  await registry.environments.insert(exampleEnvironment(3, { secrets: [] }));
  expect(await registry.secretUses.namedBy()).toEqual([
    { secret: 'TOKEN', id: second.id, name: 'a' },
    { secret: 'KEY', id: first.id, name: 'b "x"' },
    { secret: 'TOKEN', id: first.id, name: 'b "x"' },
  ]);
});

test('a registry from before there were secrets is backed up, and its sessions have none', async () => {
  const folder = await temporaryFolder();
  const registry = await openHere(folder);
  const old = { id: session('old'), environment_id: environment.environment_id, created_at: at(1), name: 'old' } as Session;
  await registry.sessions.save(old);
  await registry.close();
  const first = ['environments', 'environment_metadata', 'idempotency', 'builds', 'pins', 'setup_runs'];
  const kept = new Set([...first, 'sessions', 'terminals', 'execs', 'settings']);
  const database = await openDatabase(join(folder, 'registry.db'));
  const tables = await database.all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'");
  for (const { name } of tables) if (!kept.has(name)) await database.exec(`DROP TABLE ${name}`);
  await database.exec('PRAGMA user_version = 1');
  await database.close();
  const again = await openHere(folder);
  expect(await again.sessions.find(old.id)).toEqual({ ...old, observed: false, secrets: [], secret_files: [] });
  expect(await again.secretUses.list({ limit: 10 })).toEqual([]);
  expect((await readdir(join(folder, 'backups'))).some((name) => name.includes('before-schema-'))).toBe(true);
});
