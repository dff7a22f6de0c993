// Whose environment was deleted is told to choose another, before anything is done and when it is tried all the same.
import { expect, test } from 'vitest';
import type { Session } from '../../../sandbox-engine/contract/model.ts';
import { createLifecycleCalls } from '../../../sandbox-engine/engine/lifecycle-calls.ts';

type Calls = Parameters<typeof createLifecycleCalls>;

const session = { id: 'ses_1', name: 'work', environment_id: 'env_1', environment_name: 'Web', container_id: null, status: 'stopped' };
const none = async () => [];
const house = {
  sessions: { get: async () => session as Session, life: {} },
  registry: { environments: { find: async () => null }, sessions: { listTerminals: none, listExecs: none } },
};
const calls = createLifecycleCalls({ house } as unknown as Calls[0], {} as Calls[1]);
const asked = { session_id: 'ses_1' } as unknown as Parameters<(typeof calls)['sessions.replace']>[0];
const said = '"Web", the environment of session "work", was deleted.';
const next = 'Choose another environment: sandlot session replace ses_1 --env ENVIRONMENT';

test('a deleted environment is told of with what to do', async () => {
  expect(await calls['sessions.replacement'](asked)).toMatchObject({ to: 'Web', problem: said, next_action: next, changes: [] });
  await expect(calls['sessions.replace'](asked)).rejects.toMatchObject({ code: 'not_found', message: said, nextAction: next });
});
