// What is carried into a session as files: names that collide, contents of any size, and the words for who comes too early.
import { expect, test } from 'vitest';
import type { Session } from '../../../sandbox-engine/contract/model.ts';
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
      message: 'no way',
      start_script: { status, exit_code, stream_id: null },
      steps: repository === undefined ? [] : [{ name: 'repository', status: repository }],
    }) as unknown as Session;
  expect([session('none', null), session('succeeded', 0), session('none', null, 'failed')].map(earlyNote)).toEqual([null, null, null]);
  expect(earlyNote(session('none', null, 'running'))).toMatch(/repository is still/);
  expect(earlyNote(session('running', null))).toMatch(/start script is still running.*start-script ses_1$/);
  expect([session('succeeded', 0), session('failed', 3), session('failed', null), session('none', null, 'failed')].map(lateNote)).toEqual([
    'The start script is done.',
    'The start script failed with code 3. Its log: sandlot session start-script ses_1; again: --retry',
    'The start script was cut off. Its log: sandlot session start-script ses_1; again: --retry',
    'The repository was not brought in: no way',
  ]);
});
