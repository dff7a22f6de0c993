// Chooses an environment by its name; the host is asked for those that are not here yet.
import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { useAsk } from '../store/actions.ts';
import { recentEnvironments } from '../store/select.ts';
import { useStored } from '../store/store.ts';
import { shortId } from '../ui/format.ts';
import { notifyFailure } from '../ui/notify.tsx';

interface EnvironmentSelectProps {
  label: string;
  description?: string;
  /** Ids that are not offered. */
  taken: readonly string[];
  value: string | null;
  onChange: (id: string | null) => void;
}

const shown = 50;

/** The field. */
export const EnvironmentSelect = ({ label, description, taken, value, onChange }: EnvironmentSelectProps) => {
  const ask = useAsk();
  const environments = useStored((state) => recentEnvironments(state, Number.POSITIVE_INFINITY));
  const [search, setSearch] = useState('');
  const [wanted] = useDebouncedValue(search.trim(), 150);
  useEffect(() => {
    if (wanted.length < 2) return;
    void ask('environments.list', { search: wanted, limit: shown }).then(
      (reply) => reply.ok || notifyFailure('Environments could not be searched', reply.error),
    );
  }, [ask, wanted]);
  const offered = environments.filter(({ id }) => !taken.includes(id));
  const isTwice = (name: string): boolean => offered.filter((one) => one.name === name).length > 1;
  return (
    <Select
      label={label}
      description={description}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      placeholder={offered.length === 0 ? 'There is no other environment' : 'Choose by name'}
      searchable
      clearable
      limit={shown}
      nothingFoundMessage="Nothing matches"
      data={offered.map(({ id, name }) => ({ value: id, label: isTwice(name) ? `${name} (${shortId(id)})` : name }))}
      value={value}
      onChange={onChange}
      onSearchChange={setSearch}
    />
  );
};
