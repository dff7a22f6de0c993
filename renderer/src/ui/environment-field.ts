// What every field that chooses environments by name has.
import type { EnvironmentView } from '../../../sandbox-engine/contract/model.ts';
import { environmentChoices } from './environment-choices.ts';
import { notifyFailure } from './notify.tsx';

interface EnvironmentSearch {
  offered: readonly EnvironmentView[];
  /** So many are offered at once. */
  most: number;
  onSearch: (text: string) => void;
}

/** For a `Select` or `MultiSelect`: its data and how it searches. */
export const environmentField = ({ offered, most, onSearch }: EnvironmentSearch) => ({
  searchable: true,
  limit: most,
  nothingFoundMessage: 'Nothing matches',
  data: environmentChoices(offered),
  onSearchChange: onSearch,
});

/** Says why environments could not be looked for. */
export const tellUnsearched = (error: { message: string; next_action: string | null }): void =>
  notifyFailure('Environments could not be searched', error);
