// Chooses an environment by its name.
import { Select } from '@mantine/core';
import { useEnvironmentSearch } from '../store/use-environment-search.ts';
import { environmentField, tellUnsearched } from '../ui/environment-field.ts';

interface EnvironmentSelectProps {
  label: string;
  description?: string;
  /** Ids that are not offered. */
  taken: readonly string[];
  value: string | null;
  onChange: (id: string | null) => void;
}

/** The field. */
export const EnvironmentSelect = ({ label, description, taken, value, onChange }: EnvironmentSelectProps) => {
  const field = environmentField(useEnvironmentSearch(({ id }) => !taken.includes(id), tellUnsearched));
  return (
    <Select
      label={label}
      description={description}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      placeholder={field.data.length === 0 ? 'There is no other environment' : 'Choose by name'}
      clearable
      value={value}
      onChange={onChange}
      {...field}
    />
  );
};
