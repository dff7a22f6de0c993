// A terminal that is opened before its repository is there: it is told of that only where it lasts, and of what failed in any case.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Session } from '../../../sandbox-engine/contract/model.ts';
import { tellEarly, tellWhole } from '../../../sandbox-engine/session/tell-terminal.ts';
import type { OpenTerminal } from '../../../sandbox-engine/session/terminal-connection.ts';
import type { StreamStore } from '../../../sandbox-engine/stream/stream.ts';
import { createStreamStore } from '../../../sandbox-engine/stream/stream-store.ts';

type Status = Session['steps'][number]['status'];
let folder: string;
let streams: StreamStore;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sandlot-early-'));
  streams = createStreamStore({ folder, onGrew: () => undefined });
});
afterAll(async () => {
  await streams.close();
  await rm(folder, { recursive: true, force: true });
});

const withRepo = (status: Status): Session =>
  ({
    message: null,
    start_script: { status: 'none' },
    steps: [{ name: 'repository', status, message: 'The repository was not cloned: no way' }],
  }) as unknown as Session;

const still = /still being brought in/;
const there = /The repository is there/;
const failed = /not cloned: no way/;

test.each<[string, Status[], RegExp[]]>([
  ['is there at once', ['succeeded'], []],
  ['takes its time', ['running', 'succeeded'], [still, there]],
  ['fails at once', ['failed'], [failed]],
  ['fails later', ['running', 'failed'], [still, failed]],
])('a repository that %s', async (name, statuses, wanted) => {
  const id = `str_${name.replaceAll(' ', '')}`;
  const writer = await streams.create(id, { keep: 'tail', maxBytes: 65_536 });
  const handle = { type: async () => undefined };
  const open = {
    ...{ writer, handle, isEarly: true, isUntold: true, isCovered: false },
    ...{ joined: Promise.resolve(), terminal: { cols: 80, rows: 24 } },
  } as unknown as OpenTerminal;
  for (const status of statuses) {
    await tellWhole(open, withRepo(status));
    await tellEarly(open, withRepo(status));
  }
  await writer.end();
  const said = (await streams.read(id, 0, 65_536)).bytes
    .toString('utf8')
    .split('\r\n')
    .filter((line) => line !== '');
  expect([said.length, ...wanted.map((words, at) => words.test(said[at] ?? ''))]).toEqual([wanted.length, ...wanted.map(() => true)]);
});
