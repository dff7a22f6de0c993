import { expect, test } from 'vitest';
import type { ActivityRooms } from '../../../sandbox-engine/engine/activity.ts';
import { createPromoteCalls } from '../../../sandbox-engine/engine/promote-calls.ts';
import { anEnvironment } from '../../runtime/support/session-house.ts';

const calls = createPromoteCalls({
  ground: { registry: { environments: { find: async () => anEnvironment() } } },
  sessions: { get: async () => ({ id: 'ses_1', name: 'web', environment_id: 'env_1' }) },
} as unknown as ActivityRooms);

const preview = (...commands: string[]) => calls['promote.preview']({ session_id: 'ses_1', commands, into: 'setup' });

test('a command with a masked secret in it is not taken: it would be saved without its value', async () => {
  await expect(preview('make', 'export TOKEN=***')).rejects.toMatchObject({
    code: 'invalid_request',
    details: { path: '/commands/1' },
    nextAction: expect.stringContaining('name the secret in the environment'),
  });
  expect((await preview('make', 'make test')).after).toBe('make\nmake test\n');
});
