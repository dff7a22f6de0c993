// Making an environment: what it is called when nobody says.
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
