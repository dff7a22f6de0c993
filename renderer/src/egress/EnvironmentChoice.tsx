// Whose attempts are shown: an environment by its name, or all.
import { Select } from '@mantine/core';
import { useCallback } from 'react';
import { useAsk } from '../store/actions.ts';
import { useStored } from '../store/store.ts';
import { useEnvironmentSearch } from '../store/use-environment-search.ts';
import { useGone } from '../store/use-gone.ts';
import { environmentField, tellUnsearched } from '../ui/environment-field.ts';

/** The field; null stands for all. */
export const EnvironmentChoice = ({ value, onChange }: { value: string | null; onChange: (id: string | null) => void }) => {
  const ask = useAsk();
  const field = environmentField(useEnvironmentSearch(() => true, tellUnsearched));
  const chosen = useStored((state) => (value === null ? undefined : state.environments[value]));
  const look = useCallback((id: string) => ask('environments.get', { environment_id: id }), [ask]);
  const isGone = useGone(value ?? '', chosen !== undefined, look);
  // An archived one is not offered, but its attempts may be looked at.
  const isApart = chosen !== undefined && !field.data.some((one) => one.value === chosen.id);
  return (
    <Select
      aria-label="Environment"
      placeholder={isGone ? 'An environment that is gone' : 'All environments'}
      clearable
      w={190}
      value={value}
      onChange={onChange}
      {...field}
      data={isApart ? [{ value: chosen.id, label: chosen.name }, ...field.data] : field.data}
    />
  );
};
