// Deleting an environment: what stands in the way is said before the name is typed, and what is refused after it is readable.
import { Notifications } from '@mantine/notifications';
import { act } from 'react';
import { expect, test } from 'vitest';
import { askDeleteEnvironment } from '../../../renderer/src/ui/ask-delete-environment.tsx';
import { button, field, submit, type } from './drawn.tsx';
import { drawOver } from './drawn-app.tsx';

const builder = { id: 'agt_1', name: 'builder' };

const refusal = (details: Record<string, unknown>) => ({
  ok: false as const,
  error: {
    code: 'environment_attached' as const,
    message: '"web" is attached to the agent "builder", so it cannot be deleted.',
    details,
    next_action: 'Detach it first, with: sandlot agent detach agt_1 env_1',
    request_id: 'req_1',
  },
});

const links = () => [...document.querySelectorAll('[role=dialog] a')].map((one) => `${one.textContent} ${one.getAttribute('href')}`);

const open = async (agents: { id: string; name: string }[], remove = async () => refusal({ agents: [builder] })) => {
  const start = () => askDeleteEnvironment({ name: 'web' }, { agents, remove });
  await drawOver(
    <>
      <Notifications />
      <button type="button" onClick={start}>
        start
      </button>
    </>,
    {},
    {},
  );
  await act(async () => button('start').click());
};

test('while an agent has it, the dialog says which one, and asks for no name', async () => {
  await open([builder]);
  expect([document.querySelectorAll('input').length, links()]).toEqual([0, ['builder #/agents/agt_1']]);
});

test('a refusal for an agent that was not known here says the same, with the way to the agent and no command', async () => {
  await open([]);
  type(field('Type web to confirm'), 'web');
  await submit(field('Type web to confirm'));
  expect([links(), document.body.textContent?.includes('sandlot agent')]).toEqual([['builder #/agents/agt_1'], false]);
});

test('any other refusal says that it was not deleted', async () => {
  await open([], async () => refusal({}));
  type(field('Type web to confirm'), 'web');
  await submit(field('Type web to confirm'));
  expect(document.body.textContent).toContain('“web” was not deleted');
});
