// Launching by an agent: its default environment, which may not be here yet.
import { act } from 'react';
import { expect, test } from 'vitest';
import { LaunchDefault } from '../../../renderer/src/agents/LaunchDefault.tsx';
import { PageDeedsProvider } from '../../../renderer/src/ui/page-deeds.tsx';
import type { AgentView, EnvironmentView, RuntimeProbe } from '../../../sandbox-engine/contract/model.ts';
import { drawOver } from './drawn-app.tsx';

const web = {
  id: 'env_1',
  name: 'web',
  runtime: 'docker',
  archived_at: null,
  privileged: false,
  network_policy: {},
  setup_verification: { can_start_sessions: true },
} as EnvironmentView;
const runtimes = [{ id: 'docker', status: 'connected' } as RuntimeProbe];

const drawFor = (defaultId: string | null, environments: Record<string, EnvironmentView>) =>
  drawOver(
    <PageDeedsProvider>
      <LaunchDefault agent={{ id: 'agt_1', name: 'builder', default_environment_id: defaultId } as AgentView} />
    </PageDeedsProvider>,
    { runtimes, environments },
    {
      'sessions.launch': () => ({ ok: true, value: { id: 'ses_1' } }),
      'environments.get': () => ({ ok: true, value: web }),
    },
  );

const launchButton = () => document.querySelector('button');

test('it launches the default environment', async () => {
  const { asked } = await drawFor('env_1', { env_1: web });
  await act(async () => launchButton()?.click());
  expect([launchButton()?.getAttribute('aria-label'), asked]).toEqual([
    'Launch web',
    [{ name: 'sessions.launch', input: { environment_id: 'env_1' } }],
  ]);
});

test('one that is not here yet is asked for', async () => {
  const { asked } = await drawFor('env_1', {});
  expect(asked).toEqual([{ name: 'environments.get', input: { environment_id: 'env_1' } }]);
});

test('without one it says what to do, and launches nothing', async () => {
  const { asked } = await drawFor(null, {});
  await act(async () => launchButton()?.click());
  expect([launchButton()?.getAttribute('aria-label'), asked]).toEqual([
    'Launch builder. Not possible now: No environment is attached. Attach one first.',
    [],
  ]);
});
