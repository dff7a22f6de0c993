// Running the start script again in a session whose environment was deleted: it says by name what is gone, and what to do.
import { expect, test } from 'vitest';
import type { PlanRooms } from '../../../sandbox-engine/engine/launch-plan.ts';
import { createSessionCalls } from '../../../sandbox-engine/engine/session-calls.ts';

test('it says by name what is gone, and what to do', async () => {
  const session = { id: 'ses_1', name: 'work', environment_id: 'env_1', environment_name: 'Web' };
  const house = { sessions: { get: async () => session }, registry: { environments: { find: async () => null } } };
  const calls = createSessionCalls({ house } as unknown as PlanRooms);
  await expect(calls['sessions.retry_start_script']({ session_id: 'ses_1' } as never)).rejects.toMatchObject({
    code: 'not_found',
    message: 'The environment "Web" of session "work" was deleted, and its start script with it.',
    nextAction: expect.stringMatching(/^Make the environment again and move the session to it: .*Or launch a new session\.$/),
  });
});
