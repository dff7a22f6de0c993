// A secret that is added can be given to environments with it: by name, over nothing that they have.
import { act } from 'react';
import { expect, test } from 'vitest';
import { useGiveSecret } from '../../../renderer/src/secrets/use-give-secret.ts';
import type { EnvironmentView } from '../../../sandbox-engine/contract/model.ts';
import { button } from './drawn.tsx';
import { drawOver } from './drawn-app.tsx';

const kept = {
  env_1: { id: 'env_1', name: 'web', revision: 3, secrets: ['OTHER'], secret_files: [] },
  env_2: { id: 'env_2', name: 'api', revision: 1, secrets: [], secret_files: ['TOKEN'] },
  env_3: { id: 'env_3', name: 'old', revision: 7, secrets: [], secret_files: [] },
};
const refused = { ok: false, error: { code: 'revision_conflict', message: 'Somebody saved.', next_action: null, details: {} } };

const Form = ({ form, onGiven }: { form: 'variable' | 'file' | 'both'; onGiven: (all: EnvironmentView[]) => void }) => {
  const give = useGiveSecret();
  return (
    <button type="button" onClick={() => void give('TOKEN', { ids: ['env_1', 'env_2', 'env_3'], form }).then(onGiven)}>
      give
    </button>
  );
};

test.each([
  ['variable', { secrets: ['OTHER', 'TOKEN'] }, { secrets: ['TOKEN'] }],
  ['file', { secret_files: ['TOKEN'] }, { secret_files: ['TOKEN'] }],
  ['both', { secrets: ['OTHER', 'TOKEN'], secret_files: ['TOKEN'] }, { secrets: ['TOKEN'], secret_files: ['TOKEN'] }],
] as const)(
  'as a %s each gets its name beside what it has, one that has it stays as it is, and one that cannot be saved is left out',
  async (form, first, third) => {
    let given: EnvironmentView[] = [];
    const { asked } = await drawOver(
      <Form
        form={form}
        onGiven={(all) => {
          given = all;
        }}
      />,
      {},
      {
        'environments.get': ({ environment_id: id }: { environment_id: keyof typeof kept }) => ({ ok: true, value: kept[id] }),
        'environments.update': ({ environment_id: id, patch }: { environment_id: keyof typeof kept; patch: object }) =>
          id === 'env_3' ? refused : { ok: true, value: { ...kept[id], ...patch } },
      },
    );
    await act(async () => button('give').click());
    expect(asked.filter(({ name }) => name === 'environments.update').map(({ input }) => input)).toEqual([
      { environment_id: 'env_1', patch: { ...first, revision: 3 } },
      { environment_id: 'env_3', patch: { ...third, revision: 7 } },
    ]);
    expect(given.map(({ name }) => name)).toEqual(['web', 'api']);
  },
);
