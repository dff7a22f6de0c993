// Whose sessions get a secret that is being added, and how: chosen in the same form, saved with it.
import { MultiSelect, Select } from '@mantine/core';
import { useEnvironmentSearch } from '../store/use-environment-search.ts';
import { environmentField, tellUnsearched } from '../ui/environment-field.ts';
import type { Gift } from './use-give-secret.ts';

const forms: readonly { value: Gift['form']; label: string }[] = [
  { value: 'variable', label: 'Variable' },
  { value: 'file', label: 'File in memory, /run/secrets/NAME' },
  { value: 'both', label: 'Both: variable and file' },
];

interface GiveToProps {
  value: Gift;
  onChange: (gift: Gift) => void;
}

/** The fields; nothing where there is no environment. */
export const GiveTo = ({ value: { ids, form }, onChange }: GiveToProps) => {
  const field = environmentField(useEnvironmentSearch(() => true, tellUnsearched));
  if (field.data.length === 0) return null;
  return (
    <>
      <MultiSelect
        label="Environments"
        description="New sessions of theirs have it; one that runs offers it on its page. Others can name it later."
        placeholder={ids.length === 0 ? 'Choose by name' : ''}
        hidePickedOptions
        value={[...ids]}
        onChange={(chosen) => onChange({ ids: chosen, form })}
        {...field}
      />
      <Select
        label="Given as"
        allowDeselect={false}
        data={forms}
        value={form}
        onChange={(chosen) => onChange({ ids, form: forms.find(({ value }) => value === chosen)?.value ?? form })}
      />
    </>
  );
};
