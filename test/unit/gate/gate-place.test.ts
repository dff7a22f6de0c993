// What a gate needs on this machine, while whoever is in its sandbox would rather have nobody touch it.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createGatePlaces } from '../../../sandbox-engine/gate/gate-place.ts';

/** Takes a lease on a file, as the owner of it may, and never gives it back by itself. Source: fcntl(2), F_SETLEASE, F_WRLCK. */
const lease = String.raw`$SIG{IO} = 'IGNORE'; open(my $file, '<', $ARGV[0]) or die; fcntl($file, 1024, 1) or die $!; $| = 1; print "held\n"; sleep 60`;

let folder: string;
let holders: ChildProcess[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sandlot-place-'));
  holders = [];
  return async () => await rm(folder, { recursive: true, force: true });
});
afterEach(() => {
  for (const holder of holders) holder.kill('SIGKILL');
});

const placesHere = () => createGatePlaces({ folder: join(folder, 'gates'), shortFolder: join(folder, 'short') });

const hold = async (path: string): Promise<void> => {
  const holder = spawn('perl', ['-e', lease, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  holders.push(holder);
  await once(holder.stdout, 'data');
};

test('what a sandbox may have changed stays, and what it must not is put right', async () => {
  const places = placesHere();
  const { resolvConf, hosts } = await places.make('ses_1234567890abcdef');
  const wanted = await readFile(resolvConf, 'utf8');
  await appendFile(hosts, '6.6.6.6\tmine.test\n');
  await writeFile(resolvConf, 'nameserver 192.0.2.1\n');
  await places.make('ses_1234567890abcdef');
  expect(await readFile(resolvConf, 'utf8')).toBe(wanted);
  expect(await readFile(hosts, 'utf8')).toContain('mine.test');
});

test.skipIf(process.platform !== 'linux').each([
  ['as it should be', ''],
  ['of an older version', 'nameserver 192.0.2.1\n'],
])('a lease that a sandbox has taken on a file %s holds up nobody', async (_what, older) => {
  const places = placesHere();
  const { resolvConf, hosts } = await places.make('ses_1234567890abcdef');
  if (older !== '') await writeFile(resolvConf, older);
  await Promise.all([hold(resolvConf), hold(hosts)]);
  const began = performance.now();
  await places.make('ses_1234567890abcdef');
  expect(performance.now() - began).toBeLessThan(5_000);
});
