// The egress monitor: what the sandboxes of all environments, or of one, try to reach.
import { Button, Select } from '@mantine/core';
import { IconNetwork } from '@tabler/icons-react';
import { useCallback } from 'react';
import { Link } from 'wouter';
import { useAsk } from '../store/actions.ts';
import { useStored } from '../store/store.ts';
import { useEnvironmentSearch } from '../store/use-environment-search.ts';
import { useGone } from '../store/use-gone.ts';
import { Empty } from '../ui/Empty.tsx';
import { environmentField, tellUnsearched } from '../ui/environment-field.ts';
import { Page } from '../ui/Page.tsx';
import { usePlaceState } from '../ui/use-place-state.ts';
import { EgressView } from './EgressView.tsx';

/** What is said where nothing was tried yet. */
const Teaching = () => (
  <Empty
    icon={<IconNetwork size={20} />}
    title="Nothing was tried yet"
    actions={
      <Button variant="default" component={Link} href="/environments">
        Choose an environment
      </Button>
    }
  >
    Whatever a sandbox behind a network policy reaches for is written down here: where, whether it was allowed, which rule decided and what
    caused it. Give an environment rules on its <strong>Network</strong> tab, then test its setup or launch a session. Sandboxes with
    unrestricted access go past the policy, so nothing is seen of them.
  </Empty>
);

const EnvironmentChoice = ({ value, onChange }: { value: string | null; onChange: (id: string | null) => void }) => {
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

/** The page. */
export const EgressPage = () => {
  const [chosen, choose] = usePlaceState<string>('environment', '');
  const environmentId = chosen === '' ? null : chosen;
  return (
    <Page
      title="Network"
      isFlush
      actions={
        <>
          {environmentId !== null && (
            <Link href={`/environments/${environmentId}/network`} className="link">
              Open its rules
            </Link>
          )}
          <EnvironmentChoice value={environmentId} onChange={(id) => choose(id ?? '')} />
        </>
      }
    >
      <EgressView
        key={environmentId ?? 'all'}
        scope={environmentId === null ? {} : { environment_id: environmentId }}
        environmentId={environmentId}
        empty={<Teaching />}
      />
    </Page>
  );
};
