// The command line as a process, against a host in this one.
import { expect, test } from 'vitest';
import { runSandlot as sandlot } from './run-sandlot.ts';
import { startSmallHost, temporaryFolder } from './small-host.ts';

test('-o json is one value on stdout and nothing on stderr', async () => {
  const { dataFolder } = await startSmallHost();
  const { code, stdout, stderr } = await sandlot(dataFolder, ['templates', 'list', '-o', 'json']);
  expect([code, JSON.parse(stdout), stderr]).toEqual([0, { items: [] }, '']);
});

test('what the host refuses is told in words on stderr, as JSON on stdout, and by the exit code', async () => {
  const { dataFolder } = await startSmallHost();
  const { code, stdout, stderr } = await sandlot(dataFolder, ['setup', 'logs', 'run_1', '-o', 'json']);
  expect([code, (JSON.parse(stdout) as { error: { code: string } }).error.code]).toEqual([2, 'invalid_request']);
  expect(stderr).toContain('error [invalid_request]: setup_runs.logs: /setup_run_id must look like');
});

test.each<[string[], string]>([
  [[], 'Which command?'],
  [['nothing'], "unknown command 'nothing'"],
  [['env', 'gte', 'x'], 'Did you mean get?'],
  [['env', 'get'], "missing required argument 'environment'"],
  [['env', 'list', '--serch', 'x'], 'Did you mean --search?'],
  [['env', 'list', '-o', 'xml'], 'Allowed choices are table, json'],
  [['session', 'exec', 'x'], 'Which command?'],
  [['env', 'create'], 'From what?'],
  [['env', 'create', '--file', '/nowhere.yml'], 'Cannot read /nowhere.yml'],
  [['completion', 'tcsh'], 'There is no completion for "tcsh"'],
])('%j is wrong usage: exit 2', async (words, told) => {
  const { code, stderr } = await sandlot(await temporaryFolder(), words);
  expect([code, stderr.includes(told)], stderr).toEqual([2, true]);
});

test('help is on stdout, with examples, and ends with 0', async () => {
  const { code, stdout, stderr } = await sandlot(await temporaryFolder(), ['session', 'exec', '--help']);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain('$ sandlot session exec my-session -- ls -la');
});

test('a reader that goes away ends the command quietly', async () => {
  const { dataFolder } = await startSmallHost();
  const { code, stderr } = await sandlot(dataFolder, ['templates', 'list', '-o', 'json'], { onStart: (child) => child.stdout?.destroy() });
  expect([code, stderr]).toEqual([0, '']);
});
