// The field that says whose attempts are shown, and the order in which environments are offered.
import { expect, test } from 'vitest';
import { EnvironmentChoice } from '../../../renderer/src/egress/EnvironmentChoice.tsx';
import { recentEnvironments } from '../../../renderer/src/store/select.ts';
import { emptyState, type State } from '../../../renderer/src/store/state.ts';
import { drawOver } from './drawn-app.tsx';

const environment = (id: string, archived_at: string | null = null) =>
  ({ id, name: `name of ${id}`, archived_at, updated_at: `2026-01-0${id.at(-1)}T00:00:00.000Z` }) as never;
const environments = { env_1: environment('env_1'), env_2: environment('env_2'), env_3: environment('env_3', '2026-01-04T00:00:00.000Z') };
const field = () => document.querySelector('input');

const choose = (value: string | null) =>
  drawOver(
    <EnvironmentChoice value={value} onChange={() => undefined} />,
    { environments },
    { 'environments.get': () => ({ ok: false, error: { code: 'not_found', message: 'There is none.', next_action: null } }) },
  );

test.each([
  ['env_1', 'name of env_1', 'one that is offered'],
  ['env_3', 'name of env_3', 'an archived one, whose attempts are still there'],
])('%s is named: %s, %s', async (value, shown) => {
  const { asked } = await choose(value);
  expect([field()?.value, asked]).toEqual([shown, []]);
});

test('one that the window does not know is asked for, and said to be gone when the host has none', async () => {
  const { asked } = await choose('env_9');
  expect(asked).toEqual([{ name: 'environments.get', input: { environment_id: 'env_9' } }]);
  expect([field()?.value, field()?.placeholder]).toEqual(['', 'An environment that is gone']);
});

test('what was used last comes first, also when a session is launched after it was asked', () => {
  const state: State = { ...emptyState, environments };
  const ids = (sessions: State['sessions']) => recentEnvironments({ ...state, sessions }).map(({ id }) => id);
  const launched = { ses_1: { environment_id: 'env_1', created_at: '2026-02-01T00:00:00.000Z' } as never };
  expect([ids({}), ids(launched), ids({})]).toEqual([
    ['env_2', 'env_1'],
    ['env_1', 'env_2'],
    ['env_2', 'env_1'],
  ]);
});
