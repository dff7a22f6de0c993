// What is carried into a session as files: names that collide, contents of any size, and the words for who comes too early.
import { expect, test } from 'vitest';
import type { Session } from '../../../sandbox-engine/contract/model.ts';
import { canCarryAgain } from '../../../sandbox-engine/session/carry-in.ts';
import { earlyNote, lateNote } from '../../../sandbox-engine/session/early-note.ts';
import { carriedFiles, fileNameOf, fileNamesOf } from '../../../sandbox-engine/session/inject.ts';
import { fileVariables, frameFiles } from '../../../sandbox-engine/session/secret-files.ts';

const nothing = { knowledge: [], skills: [], runbook: '', mcp_servers: {} };

test('names that become one file name, whatever their case, get a number', () => {
  expect(fileNamesOf(['a/b', 'a_b', 'A_B', 'c', 'a_b-2'])).toEqual(['a_b', 'a_b-2', 'A_B-3', 'c', 'a_b-2-2']);
});

test.each([
  ['../../etc/passwd', '__.._etc_passwd'],
  ['..', '_'],
  ['', '_'],
  ['\u0000\n', '__'],
  ['Über 規則', 'Über 規則'],
])('%j is the file name %j', (name, expected) => expect(fileNameOf(name)).toBe(expected));

test('a name of any length fits a file system, cut between characters', () => {
  const names = fileNamesOf(['規'.repeat(300), '規'.repeat(301)]);
  expect(names.map((name) => Buffer.byteLength(`${name}.md`) <= 255)).toEqual([true, true]);
  expect([...new Set(names)]).toHaveLength(2);
  expect(names.join('')).not.toContain('\uFFFD');
});

test('a skill is a folder: its text is SKILL.md, and its other files lie beside it', () => {
  const files = [{ path: 'examples/good.md', contents: 'this' }];
  const skills = [
    { name: 'review', contents: 'how', files },
    { name: 'plain', contents: 'only' },
  ];
  expect(carriedFiles({ ...nothing, skills })).toEqual([
    { name: '.sandlot/skills/review/SKILL.md', contents: 'how' },
    { name: '.sandlot/skills/review/examples/good.md', contents: 'this' },
    { name: '.sandlot/skills/plain/SKILL.md', contents: 'only' },
  ]);
});

test('servers stand in their file as they were written, secrets as references', () => {
  const servers = { docs: { type: 'http', url: 'https://mcp.example.com', headers: { Authorization: 'Bearer ${TOKEN}' } } };
  const [file] = carriedFiles({ ...nothing, mcp_servers: servers });
  expect([file?.name, JSON.parse(file?.contents ?? '')]).toEqual(['.sandlot/mcp.json', { mcpServers: servers }]);
  expect(carriedFiles(nothing)).toEqual([]);
});

test('secret files are told apart by their size in bytes, and each has a variable with its path', () => {
  expect(frameFiles([{ name: 'A', value: 'ä\nend\n' }]).toString()).toBe('A 7\nä\nend\nend\n');
  expect(fileVariables(['A', 'B'])).toEqual(['A_FILE=/run/secrets/A', 'B_FILE=/run/secrets/B']);
});

test('who comes early is told while the repository or the start script is under way, and how that ended', () => {
  const session = (status: Session['start_script']['status'], exit_code: number | null, repository?: 'running' | 'failed'): Session =>
    ({
      id: 'ses_1',
      start_script: { status, exit_code, stream_id: null },
      steps: repository === undefined ? [] : [{ name: 'repository', status: repository, message: 'The repository was not cloned: no way' }],
    }) as unknown as Session;
  expect([session('none', null), session('succeeded', 0), session('none', null, 'failed')].map(earlyNote)).toEqual([null, null, null]);
  expect(earlyNote(session('none', null, 'running'))).toMatch(/repository is still/);
  const kept = (root: string) =>
    ({ ...session('none', null, 'running'), workdir: '/workspace/repo', workspace_start: { root, kind: 'repository' } }) as Session;
  expect([kept('/workspace/repo'), kept('/workspace/other')].map((one) => earlyNote(one) === null)).toEqual([true, false]);
  expect(earlyNote(session('running', null))).toMatch(/start script is still running.*start-script ses_1$/);
  expect([session('succeeded', 0), session('failed', 3), session('failed', null), session('none', null, 'failed')].map(lateNote)).toEqual([
    'The start script is done.',
    'The start script failed with code 3. Its log: sandlot session start-script ses_1; again: --retry',
    'The start script was cut off. Its log: sandlot session start-script ses_1; again: --retry',
    'The repository was not cloned: no way',
  ]);
});

test.each<[string, Session['status'], [string, Session['steps'][number]['status']][], boolean]>([
  ['its sandbox was started and nothing more was written down', 'starting', [['start', 'succeeded']], true],
  ['its sandbox was being started', 'starting', [['start', 'running']], true],
  ['its files were being brought', 'running', [['files', 'running']], true],
  ['its repository was half there', 'running', [['repository', 'running']], false],
  ['everything was there', 'running', [['files', 'succeeded']], false],
])('what was cut off is brought in again: %s', (_name, status, steps, expected) =>
  expect(canCarryAgain({ status, steps: steps.map(([name, now]) => ({ name, status: now, started_at: '', duration_ms: null })) })).toBe(
    expected,
  ),
);
