// Launching by an agent: its default environment, which may not be here yet.
import { act } from 'react';
import { expect, test } from 'vitest';
import { LaunchDefault, LaunchDefaultNote } from '../../../renderer/src/agents/LaunchDefault.tsx';
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

const agentWith = (defaultId: string | null) => ({ id: 'agt_1', name: 'builder', default_environment_id: defaultId }) as AgentView;

const drawFor = (defaultId: string | null, environments: Record<string, EnvironmentView>) =>
  drawOver(
    <PageDeedsProvider>
      <LaunchDefault agent={agentWith(defaultId)} />
      <LaunchDefaultNote agent={agentWith(defaultId)} />
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

const saidOfIt = () => document.getElementById(launchButton()?.getAttribute('aria-describedby') ?? '')?.textContent;

test('without one it says what to do in sight and to who hears it, and launches nothing', async () => {
  const { asked } = await drawFor(null, {});
  await act(async () => launchButton()?.click());
  expect([launchButton()?.getAttribute('aria-label'), saidOfIt(), asked]).toEqual([
    'Launch builder',
    'Cannot be launched now. No environment is attached. Attach one first.',
    [],
  ]);
});

test('one that can be launched has nothing to say', async () => {
  await drawFor('env_1', { env_1: web });
  expect(saidOfIt()).toBeUndefined();
});

test('one whose setup is not proven leads to where it is', async () => {
  await drawFor('env_1', {
    env_1: { ...web, setup_verification: { can_start_sessions: false, message: 'Never tested.' } } as EnvironmentView,
  });
  expect(saidOfIt()).toBe('“web” cannot be launched now. Never tested. Open setup');
  expect(document.querySelector('.page-note a')?.getAttribute('href')).toBe('/environments/env_1/setup');
});

test('one that is archived says that, and which it is', async () => {
  await drawFor('env_1', { env_1: { ...web, archived_at: '2026-11-29T10:00:00.000Z' } });
  expect(saidOfIt()).toBe('“web” cannot be launched now. It is archived. Bring it back first.');
});
