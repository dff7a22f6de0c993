// Making an environment: what it is called when nobody says.
import { act } from 'react';
import { expect, test } from 'vitest';
import { CreatePage } from '../../../renderer/src/environments/CreatePage.tsx';
import type { EnvironmentView } from '../../../sandbox-engine/contract/model.ts';
import { button, type } from './drawn.tsx';
import { drawOver } from './drawn-app.tsx';

const template = { id: 'base', name: 'Base sandbox', summary: '', is_own: false, definition: {} };
const named = (name: string) => ({ id: `env_${name}`, name }) as EnvironmentView;
const nameField = () => document.querySelector('input') as HTMLInputElement;

test('a second environment of a template gets a number, a name that is taken is told, and without one it cannot be made', async () => {
  await drawOver(
    <CreatePage />,
    { environments: { env_1: named('Base sandbox'), env_2: named('Base sandbox 2') } },
    { 'templates.list': () => ({ ok: true, value: { items: [template] } }) },
  );
  expect(nameField().value).toBe('Base sandbox 3');
  type(nameField(), 'Base sandbox 2');
  expect(document.body.textContent).toContain('Another environment has this name.');
  type(nameField(), ' ');
  expect([button('Create environment').disabled, document.body.textContent?.includes('Give it a name, above.')]).toEqual([true, true]);
});

test('an address that names a template that is not there says so, and which one is chosen', async () => {
  location.hash = '#/environments/new?template=tpl_gone';
  await drawOver(<CreatePage />, {}, { 'templates.list': () => ({ ok: true, value: { items: [template] } }) });
  const said = () => document.querySelector('.gone-note')?.textContent;
  expect(said()).toBe('There is no template tpl_gone here any more; “Base sandbox” is chosen.');
  act(() => document.querySelector<HTMLElement>('[role="radio"]')?.click());
  expect([said(), location.hash]).toEqual([undefined, '#/environments/new?template=base']);
});

test('an address that names a runtime that is not there says so, has it cleared, and asks for none', async () => {
  location.hash = '#/environments/new?runtime=nowhere';
  const runtimes = [{ id: 'docker', version: '1', status: 'connected', is_default: true }] as never;
  const { asked } = await drawOver(
    <CreatePage />,
    { runtimes },
    {
      'templates.list': () => ({ ok: true, value: { items: [template] } }),
      'environments.create': () => ({ ok: false, error: { code: 'disk_full', message: 'No.', next_action: null, details: {} } }),
    },
  );
  const said = () => document.querySelector('.gone-note')?.textContent;
  expect(said()).toBe('There is no runtime nowhere here; the default one is used. Clear');
  await act(async () => button('Create environment').click());
  expect(asked.find(({ name }) => name === 'environments.create')?.input).toEqual({
    body: expect.not.objectContaining({ runtime: 'nowhere' }),
  });
  await act(async () => button('Clear').click());
  expect([said(), location.hash]).toEqual([undefined, '#/environments/new']);
});
