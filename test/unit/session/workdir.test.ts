// Where terminals and commands of a session begin.
import { expect, test } from 'vitest';
import type { Session } from '../../../sandbox-engine/contract/model.ts';
import { commandIn, isStillComing, workdirOf } from '../../../sandbox-engine/session/workdir.ts';

const start = (kind: 'repository' | 'folder', root: string) => ({ kind, root }) as Session['workspace_start'];

test.each<[string, Partial<Session>, string]>([
  ['without a repository', { workspace_start: start('folder', '/workspace') }, '/workspace'],
  ['with a repository', { workdir: '/workspace/shop' }, '/workspace/shop'],
  ['with one that came before sessions knew where', { workspace_start: start('repository', '/workspace/repo') }, '/workspace/repo'],
  ['with nothing known yet', {}, '/workspace'],
])('%s it is %s', (_name, session, folder) => expect(workdirOf(session as Session)).toBe(folder));

test('a repository is coming while its step runs, and not before or after', () => {
  const steps = (status: 'running' | 'failed') => ({ steps: [{ name: 'repository', status }] }) as unknown as Session;
  expect([isStillComing(steps('running')), isStillComing(steps('failed')), isStillComing({ steps: [] })]).toEqual([true, false, false]);
});

test('a command in the workspace itself is left as it is', () => expect(commandIn('/workspace', ['ls', '-l'])).toEqual(['ls', '-l']));
